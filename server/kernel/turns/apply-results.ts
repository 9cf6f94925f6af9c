// Results that have come are put into the turn's output box, in the order they came, and struck off what it waits for.
// The caller holds the turn and moves its head in the same transaction (K8).
import type { Card } from "@/server/contract/card";
import type { AppliedResult } from "@/server/contract/waiting";
import { appendToBox } from "../cardbox/append-to-box";
import { getCards } from "../cardbox/get-cards";
import type { LockedBox } from "../cardbox/grow-boxes";
import { controlOf } from "../inbox/report-result";
import { markApplied, type Wait } from "../inbox/waits";
import type { Unit } from "../unit";
import { growTurn } from "./append-cards";
import type { TurnRow } from "./turn-row";

export async function applyResults(
  unit: Unit,
  /** `cards`: all that their results may be, where they have been read. `boxes`: the output box, where it is locked. */
  input: { row: TurnRow; waits: Wait[]; cards?: Card[]; boxes?: LockedBox[] },
): Promise<{ row: TurnRow; results: AppliedResult[] }> {
  const { row, waits } = input;
  const { project_id, agent_turn_id, output_box_id } = row;
  if (waits.length === 0) return { row, results: [] };
  if (output_box_id === null) throw new Error(`turn ${agent_turn_id} waits without an output box`);
  const card_ids = waits.flatMap((wait) => wait.tool_result_card_id ?? []);
  const known = new Map(input.cards?.map((card) => [card.card_id, card]));
  const cards = card_ids.every((id) => known.has(id))
    ? card_ids.flatMap((id) => known.get(id) ?? [])
    : await getCards(unit, { project_id, card_ids });
  const items = cards.map((card) => ({ ...card, origin: `turn:${agent_turn_id}` }));
  const [, grown] = await Promise.all([
    markApplied(unit, { project_id, agent_turn_id, tool_call_ids: waits.map((wait) => wait.tool_call_id) }),
    growTurn(unit, { row, cards }),
    appendToBox(unit, { project_id, box_id: output_box_id, items, locked: input.boxes }),
  ]);
  return { row: grown, results: cards.map(appliedOf) };
}

export const appliedOf = (card: Card): AppliedResult => ({
  tool_call_id: card.tool_call_id ?? "",
  card,
  after_execution: afterExecution(card),
});

/**
 * What a tool declared, or its report said, is stored with the result. A result that was to wake its caller may still say
 * in `__cg_control` that it ends the turn; one that was to end it stays so, and any other word there is noise.
 */
export function afterExecution({ content }: Pick<Card, "content">): "suspend" | "terminate" {
  if (content?.kind !== "tool_result") return "suspend";
  if (content.after_execution === "terminate") return "terminate";
  return controlOf(content.result) ?? "suspend";
}
