// Results that have come are put into the turn's output box, in the order they came, and struck off what it waits for.
// The caller holds the turn and moves its head in the same transaction (K8).
import type { Card } from "@/server/contract/card";
import type { AppliedResult } from "@/server/contract/waiting";
import { getCards } from "../cardbox/get-cards";
import { grow, grownBox, grownSql, type LockedBox, lockBoxes } from "../cardbox/grow-boxes";
import { columnsOf } from "../columns";
import { controlOf } from "../inbox/report-result";
import { appliedSql, type Wait } from "../inbox/waits";
import { toldTurnsSql } from "../journal/told";
import type { Unit } from "../unit";
import { outputAfter } from "./append-cards";
import { TELLS, toldTurnSql } from "./turn-frame-sql";
import { TURN_COLUMNS, type TurnRow } from "./turn-row";

/** Tells of the box; whoever moves the turn tells of the turn. */
const APPLY = `
  WITH ${appliedSql("$3")}, ${grownSql("$4", "$5")}, grown AS (
    UPDATE state.agent_turns SET output_cards = output_cards + $6, output_tokens = output_tokens + $7, output_consist = $8, rev = rev + 1
    WHERE project_id = $1 AND agent_turn_id = $2
    RETURNING ${columnsOf(TURN_COLUMNS, "agent_turns")}
  ), ${toldTurnsSql(`
    SELECT project_id, ${toldTurnSql("g", `${TELLS.box}`, "NULL", "$9::text, $10::text, $11::bigint, $12::int, $13::bigint")} AS told FROM grown g`)}
  SELECT ${columnsOf(TURN_COLUMNS, "grown")} FROM grown`;

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
  const locked = input.boxes?.map((box) => [box.box_id, box] as const);
  const boxes = locked ? new Map(locked) : await lockBoxes(unit, { project_id, box_ids: [output_box_id] });
  const items = cards.map((card) => ({ ...card, origin: `turn:${agent_turn_id}` }));
  const growth = grow(boxes, [{ box_id: output_box_id, items }]);
  const box = grownBox(growth, output_box_id);
  unit.ring({ kind: "journal", project_id });
  const [grown] = await unit.query<TurnRow>("results_apply", APPLY, [
    project_id,
    agent_turn_id,
    waits.map((wait) => wait.tool_call_id),
    growth.chunks,
    growth.sizes,
    ...outputAfter(row, cards),
    box.kind,
    box.owner_turn_id,
    box.rev,
    box.length,
    box.token_sum,
  ]);
  if (!grown) throw new Error(`turn ${agent_turn_id} was locked and is gone`);
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
