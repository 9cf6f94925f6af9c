// A card as its page needs it: the card, who wrote it, what it answers, and whether it is a marked mistake.
import { KernelError } from "@/server/contract/errors";
import type { CardMark, CardSheet } from "@/server/contract/line";
import { CARD_COLUMNS, type CardRow, STORED_CARD, toCard } from "../cardbox/card-row";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

// A result is found by its call's id, which is unique; a call among the cards of the turn that wrote both.
const SHEET = `
  WITH c AS (
    SELECT ${STORED_CARD}, c.metadata ->> 'agent_turn_id' AS writer FROM cards c WHERE c.tenant_id = $1 AND c.card_id = $2
  ), other AS (
    SELECT a.card_id, a.metadata ->> 'type' AS type FROM c JOIN cards a ON a.tenant_id = $1 AND a.tool_call_id = c.tool_call_id
      AND a.metadata ->> 'type' = 'tool.result'
    UNION ALL
    SELECT a.card_id, a.metadata ->> 'type' FROM c JOIN cards a ON a.tenant_id = $1 AND a.metadata ->> 'agent_turn_id' = c.writer
      AND a.tool_call_id = c.tool_call_id
  )
  SELECT ${CARD_COLUMNS},
    (SELECT to_jsonb(s) FROM (SELECT ${TURN_REF} FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.agent_turn_id = c.writer) s) AS written_by,
    (SELECT to_jsonb(other) FROM other WHERE other.card_id <> c.card_id LIMIT 1) AS answers,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('card_id', m.mark ->> 'card_id', 'reason', m.mark ->> 'reason',
        'agent_turn_id', m.agent_turn_id, 'headcode', m.headcode, 'profile_name', m.profile_name)), '[]')
      FROM state.agent_turns m
      WHERE m.project_id = $1 AND m.agent_turn_id = c.writer AND m.mark ->> 'card_id' = $2) AS marks
  FROM c`;

type Row = CardRow & {
  written_by: TurnRefRow | null;
  answers: CardSheet["answers"] | null;
  marks: CardMark[];
};

/** not_found for an unknown card and for one of another project alike. */
export async function readCardSheet(
  kernel: Kernel,
  input: { project_id: string; card_id: string },
): Promise<CardSheet> {
  const live_cursor = await readCursor(kernel, input.project_id);
  const rows = await read<Row>(kernel, "card_sheet", SHEET, [input.project_id, input.card_id]);
  const row = rows[0];
  if (!row) throw new KernelError("not_found", `card ${input.card_id} not found in project ${input.project_id}`);
  const card = toCard(row);
  return {
    ...card,
    live_cursor,
    written_by: row.written_by ? turnRef(row.written_by) : undefined,
    answers: row.answers ?? undefined,
    redacted_from: typeof card.metadata.redacted_from === "string" ? card.metadata.redacted_from : undefined,
    marks: row.marks,
  };
}
