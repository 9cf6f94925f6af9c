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

/** Results that are applied, as parts of a statement that writes their turn, `t`: what stands before its own part. $1 is the project; ends with a comma. */
export const appliedBeforeSql = (turn: string, calls: string, cards: string, chunks: string, sizes: string) =>
  `${appliedSql(turn, calls, cards)}, ${grownSql(chunks, sizes)}, `;
/** In its SET; ends with a comma. */
export const appliedSetSql = (cards: string, tokens: string, consist: string) =>
  `output_cards = t.output_cards + ${cards}, output_tokens = t.output_tokens + ${tokens}, output_consist = ${consist}, `;

/** What is written of results that have come (appliedBeforeSql, appliedSetSql), and what their turn is told. */
export type Applied = {
  /** What the statement takes, in this order: calls and the cards of their results, chunks and sizes of the growth (JSON), what the output has more of, the box as it then is. */
  values: readonly [
    tool_call_ids: string[],
    card_ids: string[],
    chunks: string,
    sizes: string,
    cards: number,
    tokens: number,
    consist: string,
    box_kind: string,
    box_owner_turn_id: string | null,
    box_rev: number,
    box_length: number,
    box_tokens: number,
  ];
  results: AppliedResult[];
};

type Came = {
  row: TurnRow;
  /** At least one. */
  waits: Pick<Wait, "tool_call_id">[];
  cards: Card[];
  /** The output box, locked. */
  box: LockedBox | undefined;
};

/** Of a turn that waits, and so has been given one. */
export function outputBoxOf({ agent_turn_id, output_box_id }: TurnRow): string {
  if (output_box_id === null) throw new Error(`turn ${agent_turn_id} waits without an output box`);
  return output_box_id;
}

/** Writes nothing. */
export function draftApplied({ row, waits, cards, box }: Came): Applied {
  const output_box_id = outputBoxOf(row);
  const items = cards.map((card) => ({ ...card, origin: `turn:${row.agent_turn_id}` }));
  const growth = grow(new Map(box && [[box.box_id, box]]), [{ box_id: output_box_id, items }]);
  const { kind, owner_turn_id, rev, length, token_sum } = grownBox(growth, output_box_id);
  const calls = waits.map((wait) => wait.tool_call_id);
  const boxNow = [kind, owner_turn_id, rev, length, token_sum] as const;
  return {
    values: [
      calls,
      cards.map((card) => card.card_id),
      growth.chunks,
      growth.sizes,
      ...outputAfter(row, cards),
      ...boxNow,
    ],
    results: cards.map(appliedOf),
  };
}

/** The cards of results; `known`: those that have been read. */
export async function cardsOfWaits(
  unit: Unit,
  row: TurnRow,
  waits: Pick<Wait, "tool_result_card_id">[],
  known: Card[] = [],
): Promise<Card[]> {
  const card_ids = waits.flatMap((wait) => wait.tool_result_card_id ?? []);
  const byId = new Map(known.map((card) => [card.card_id, card]));
  if (card_ids.every((id) => byId.has(id))) return card_ids.flatMap((id) => byId.get(id) ?? []);
  return getCards(unit, { project_id: row.project_id, card_ids });
}

/** Writes the frame of the box. The statement that moves the turn writes that of the turn. */
const APPLY = `
  WITH ${appliedBeforeSql("$2", "$3", "$4", "$5", "$6")}grown AS (
    UPDATE state.agent_turns t SET ${appliedSetSql("$7", "$8", "$9")}rev = t.rev + 1
    WHERE t.project_id = $1 AND t.agent_turn_id = $2 RETURNING ${columnsOf(TURN_COLUMNS, "t")}
  ), ${toldTurnsSql(`
    SELECT project_id, ${toldTurnSql("g", `${TELLS.box}`, "NULL", "$10::text, $11::text, $12::bigint, $13::int, $14::bigint")} AS told FROM grown g`)}
  SELECT ${columnsOf(TURN_COLUMNS, "grown")} FROM grown`;

/** For a turn that reads its results and moves in another statement, or not at all. A turn that resumes does both in one (advance.ts). */
export async function applyResults(
  unit: Unit,
  { row, waits }: { row: TurnRow; waits: Wait[] },
): Promise<{ row: TurnRow; results: AppliedResult[] }> {
  const { project_id, agent_turn_id } = row;
  if (waits.length === 0) return { row, results: [] };
  const output_box_id = outputBoxOf(row);
  const [cards, boxes] = await Promise.all([
    cardsOfWaits(unit, row, waits),
    lockBoxes(unit, { project_id, box_ids: [output_box_id] }),
  ]);
  const { values, results } = draftApplied({ row, waits, cards, box: boxes.get(output_box_id) });
  unit.ring({ kind: "journal", project_id });
  const [grown] = await unit.query<TurnRow>("results_apply", APPLY, [project_id, agent_turn_id, ...values]);
  if (!grown) throw new Error(`turn ${agent_turn_id} was locked and is gone`);
  return { row: grown, results };
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
