// Packs the hand-over that made a turn again, dry, by the recipe that is asked for: what the callee would hold now beside what it
// holds. Nothing is launched and nothing is written. The number of statements does not grow with the cards.
import { KernelError } from "@/server/contract/errors";
import type { Repack, RepackBody } from "@/server/contract/repack";
import { refuseBadText } from "@/server/contract/text";
import { isRefusal } from "../attempt";
import { expandLines } from "../context/expand-receipt";
import type { Kernel } from "../kernel";
import { refusalOf } from "../launch/refusal-of";
import { ownRules } from "../plan/lift-rider";
import { readGiven } from "../plan/read-given";
import { withUnit } from "../unit";
import { readHandoverBoxes } from "./read-handover-boxes";
import { readHandoverEdge } from "./read-handover-edge";
import { packAgain } from "./repack/pack-again";
import { repackRows } from "./repack/repack-rows";

export type RepackHandover = RepackBody & { project_id: string; agent_turn_id: string; user: string };

/** not_found for an unknown turn; bad_request for one whose hand-over has no receipt, and for text that cannot be stored. A refused recipe is an answer. */
export async function repackHandover(kernel: Kernel, input: RepackHandover): Promise<Repack> {
  const { project_id, agent_turn_id } = input;
  refuseBadText(input.recipe, "recipe");
  refuseBadText(input.arguments, "arguments");
  return withUnit(kernel, async (unit): Promise<Repack> => {
    const edge = await readHandoverEdge(unit, input);
    const [turn] = await readGiven(unit, project_id, { agent_turn_id });
    const { receipt } = edge;
    if (!turn || !receipt)
      throw new KernelError(
        "bad_request",
        `turn ${agent_turn_id} was not packed from boxes by a recipe, so it cannot be packed again. Choose a turn that was delegated or launched`,
      );
    const again = await packAgain(unit, { ...input, turn: { ...turn, receipt } });
    if (isRefusal(again)) return refusalOf(again);
    const boxes = (await readHandoverBoxes(unit, { project_id, edges: [edge] }))(edge);
    const shown = await repackRows(unit, {
      project_id,
      held: { cards: boxes.packed, lines: expandLines(receipt, boxes.all) },
      now: again.packed,
      singles: again.singles,
      rewritten: again.rewritten,
      boxes: boxes.all,
    });
    return {
      ok: true,
      callee: edge.callee,
      ...(receipt.recipe && { recorded: receipt.recipe }),
      ...(again.packed.receipt.recipe && { recipe: again.packed.receipt.recipe }),
      arguments: again.recorded,
      notes: receipt.recipe ? [] : ownRules(receipt.lines, receipt.order),
      ...shown,
    };
  });
}
