// The two cards by which a context pack is handed over: the pack, which the model reads, and its sidecar, which it never does.
import type { Card } from "@/server/contract/card";
import type { ContextPack, PackArtifactRef } from "@/server/contract/context-pack/pack";
import { packCode } from "@/server/contract/context-pack/pack-code";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import { draftCard } from "../cardbox/draft-card";
import type { Kernel } from "../kernel";
import type { PackedCard } from "./pack-arguments";

/** A pack that is stored, or will be in the unit that hands it over. */
export type HandedPack = {
  pack: ContextPack;
  sidecar: Sidecar;
  /** Of the canonical JSON of `pack`. */
  sha256: string;
  /** artifact://context/... */
  ref: string;
};

/** As edges and envelopes name it. */
export const refOf = ({ ref, sha256, pack }: HandedPack): PackArtifactRef => ({
  ref,
  type: "context_pack",
  summary: pack.goal,
  sha256,
});

type Common = { project_id: string; metadata?: Record<string, unknown> };

export function packCards(kernel: Kernel, { handed, ...common }: Common & { handed: HandedPack }): PackedCard[] {
  const { pack, sidecar, sha256, ref } = handed;
  const told = { sha256, context_pack: { pack_id: pack.packId, code: packCode(sha256), ref } };
  const draft = (type: string, data: unknown, weight?: number): Card =>
    draftCard(kernel, {
      ...common,
      metadata: { ...common.metadata, ...told },
      card: {
        type,
        author_id: "switchyard",
        content: { kind: "json", data: data as never },
        ...(weight !== undefined && { token_count: weight }),
      },
    });
  return [
    { card: draft("meta.context_pack_sidecar", sidecar, 0), origin: "sys" },
    { card: draft("context.pack", pack), origin: "pack" },
  ];
}
