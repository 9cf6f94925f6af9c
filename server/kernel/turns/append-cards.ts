// Appends a turn's new cards to its output box and shows them: shared by append, step and deliver.
import type { Card, NewCard } from "@/server/contract/card";
import { appendConsist } from "@/server/contract/consist";
import { appendToBox } from "../cardbox/append-to-box";
import { lockBoxes } from "../cardbox/grow-boxes";
import { draftCards, isMinted, storeFor } from "../cardbox/insert-cards";
import { columnsOf } from "../columns";
import { toldTurnsSql } from "../journal/told";
import type { Unit } from "../unit";
import { noteOf } from "./note";
import { TELLS, toldTurnSql } from "./turn-frame-sql";
import { TURN_COLUMNS, type TurnRow, toldTurn } from "./turn-row";

export type TurnCard = NewCard & { author_id: string };

const GROW = `
  WITH grown AS (
    UPDATE state.agent_turns SET output_cards = output_cards + $3, output_tokens = output_tokens + $4, output_consist = $5,
      note = coalesce($6, note), step_count = greatest(step_count, $7), tokens_in = tokens_in + $8, tokens_out = tokens_out + $9,
      sent_tokens = coalesce($10, sent_tokens), fullest_tokens = greatest(fullest_tokens, $10), rev = rev + 1
    WHERE project_id = $1 AND agent_turn_id = $2
    RETURNING ${columnsOf(TURN_COLUMNS, "agent_turns")}
  ), ${toldTurnsSql(`SELECT project_id, ${toldTurnSql("g", `${TELLS.turn}`)} AS told FROM grown g WHERE $11::boolean`)}
  SELECT ${columnsOf(TURN_COLUMNS, "grown")} FROM grown`;

export type TurnPatch = {
  note?: string;
  step_count?: number;
  tokens_in?: number;
  tokens_out?: number;
  sent_tokens?: number;
};

export type AppendCards = {
  row: TurnRow;
  cards: TurnCard[];
  step_id?: string;
  patch?: TurnPatch | Promise<TurnPatch>;
  /** The unit has nothing to send or to tell after it. */
  isLast?: boolean;
};

/**
 * `row` must be locked. Adds agent_turn_id, trace_id and `step_id` to each card's metadata. Answers the cards in order. `patch` may
 * be a promise: statements that do not need it are sent meanwhile.
 */
export async function appendCards(unit: Unit, input: AppendCards): Promise<{ cards: Card[]; row: TurnRow }> {
  const { row, step_id } = input;
  const { project_id, agent_turn_id, output_box_id } = row;
  // Cards without ids of their own would be written twice if the call is repeated.
  const mayBeSealed = input.isLast && input.cards.every((card) => card.card_id !== undefined);
  const facts = { agent_turn_id, trace_id: row.trace_id, ...(step_id ? { step_id } : {}) };
  if (input.cards.length === 0) {
    const growing = growTurn(unit, { row, cards: [], patch: await input.patch, tells: true });
    if (mayBeSealed) unit.seal(project_id);
    return shown(unit, await growing, []);
  }
  if (output_box_id === null) throw new Error(`turn ${agent_turn_id} has no output box to append to`);
  const drafts = await draftCards(unit, { project_id, cards: input.cards, metadata: facts, bad_text: "mend" });
  const [{ cards, born }, locked, patch] = await Promise.all([
    storeFor(unit, { project_id, drafts, are_minted: isMinted(input.cards), born_box: output_box_id }),
    lockBoxes(unit, { project_id, box_ids: [output_box_id] }),
    input.patch,
  ]);
  const items = cards.map((card) => ({ ...card, origin: `turn:${agent_turn_id}` }));
  const writing = Promise.all([
    appendToBox(unit, { project_id, box_id: output_box_id, items, born, locked: [...locked.values()] }),
    growTurn(unit, { row, cards, patch, tells: true }),
  ]);
  if (mayBeSealed) unit.seal(project_id);
  const [, grown] = await writing;
  return shown(unit, grown, cards);
}

function shown(unit: Unit, row: TurnRow, cards: Card[]): { cards: Card[]; row: TurnRow } {
  unit.told(row.project_id, [toldTurn(row)]);
  return { cards, row };
}

/** What a turn's output has more of with `cards`, how many and of how many tokens, and its consist with them. */
export const outputAfter = (row: TurnRow, cards: Card[]): [number, number, string] => [
  cards.length,
  cards.reduce((sum, card) => sum + card.token_count, 0),
  appendConsist(
    row.output_consist ?? "",
    cards.map((c) => ({ role: c.role, tokens: c.token_count })),
  ),
];

/** The turn's row follows its output box. Answers the row as it is now. `tells` the live view; absent = another statement does. */
export async function growTurn(
  unit: Unit,
  { row, cards, patch = {}, tells = false }: { row: TurnRow; cards: Card[]; patch?: TurnPatch; tells?: boolean },
): Promise<TurnRow> {
  const [grown] = await unit.query<TurnRow>("turn_grow", GROW, [
    row.project_id,
    row.agent_turn_id,
    ...outputAfter(row, cards),
    patch.note === undefined ? null : noteOf(patch.note),
    patch.step_count ?? 0,
    patch.tokens_in ?? 0,
    patch.tokens_out ?? 0,
    patch.sent_tokens ?? null,
    tells,
  ]);
  if (!grown) throw new Error(`turn ${row.agent_turn_id} was locked and is gone`);
  return grown;
}
