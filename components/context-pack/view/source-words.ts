// What a part of a pack was made from, in words and with the way to it. Pure.
import { packCode } from "@/server/contract/context-pack/pack-code";
import type { PackSource } from "@/server/contract/context-pack/sidecar";
import { shortRef } from "./short-ref";

export type SourceWords = { kind: string; text: string; href?: string };

export function sourceWords(projectId: string, { kind, ref, sha256 }: PackSource): SourceWords {
  const base = `/p/${encodeURIComponent(projectId)}`;
  const [, scheme, id = ""] = /^(card|box):\/\/(.+)$/.exec(ref) ?? [];
  if (scheme === "card")
    return { kind: "card", text: `…${id.slice(-8)}`, href: `${base}/cards/${encodeURIComponent(id)}` };
  if (scheme === "box")
    return { kind: "box", text: `…${id.slice(-8)}`, href: `${base}/boxes/${encodeURIComponent(id)}` };
  if (kind === "pack")
    return {
      kind: "pack",
      text: sha256 === undefined ? shortRef(ref) : packCode(sha256),
      href: `${base}/packs/${encodeURIComponent(sha256 ?? ref)}`,
    };
  if (/^artifact:\/\//.test(ref) && sha256 !== undefined)
    return { kind, text: shortRef(ref), href: `/api/v1/projects/${encodeURIComponent(projectId)}/artifacts/${sha256}` };
  return { kind, text: shortRef(ref) };
}
