// A person packs a box without launching anything: boxes and cards in their order, by a recipe by name. It is checked and
// packed as a delegation's hand-over is, so that what the dry run shows is what a turn of that profile would be given.

import type { HandPack, HandPackPreview } from "@/server/contract/hand-pack";
import type { LoadEntry } from "@/server/contract/handed";
import type { PackResult } from "@/server/contract/pack";
import { packContext } from "../context/pack-context";
import type { Offer } from "../context/pack-item";
import { chooseRecipes } from "../delegation/choose-recipes";
import { handoverOf } from "../delegation/handover-of";
import type { Kernel } from "../kernel";
import { renderer } from "../provenance/renderer";
import { readProject } from "../roster/read-project";
import { withUnit } from "../unit";
import { refusalOf } from "./refusal-of";

export type PackByHand = HandPack & { project_id: string; user: string };

/** Author of the cards that it makes. */
const SUFFIX = "pack";

export async function packByHand(kernel: Kernel, input: PackByHand): Promise<PackResult & { context_box_id: string }> {
  const { context_box_id, ...packed } = await pack(kernel, input, {});
  if (context_box_id === undefined) throw new Error("a box was packed and did not come back");
  return { ...packed, context_box_id };
}

/** Same checks, same receipt, and the first request of a new agent of that profile. Nothing is written. */
export async function previewPack(kernel: Kernel, input: PackByHand & { offer?: Offer }): Promise<HandPackPreview> {
  try {
    return { ok: true, pack: await pack(kernel, input, { dry_run: true, renderer, offer: input.offer }) };
  } catch (error) {
    return refusalOf(error);
  }
}

type Dry = { dry_run?: true; renderer?: typeof renderer; offer?: Offer };

async function pack(kernel: Kernel, input: PackByHand, dry: Dry): Promise<PackResult> {
  const { project_id, user } = input;
  await readProject(kernel, project_id);
  const args = { ...input, load: input.load satisfies LoadEntry[] };
  // Whoever reads the box has no say in how it is packed: a profile's own recipe is for delegations to it.
  const target = { profile: { name: input.profile_name }, body: {}, kernel_box_ids: [] };
  const { profile, length, token_sum, consist, instruction_card_id, ...result } = await withUnit(
    kernel,
    async (unit) => {
      const [chosen] = await chooseRecipes(unit, { project_id, tasks: [{ args, target }], at: () => "" });
      if (!chosen) throw new Error("one recipe was asked for and none came back");
      return packContext(unit, {
        project_id,
        source_agent_id: `human_${user}`,
        tool_suffix: SUFFIX,
        ...handoverOf({ args, target, chosen, at: "" }),
        ...dry,
      });
    },
  );
  return result;
}
