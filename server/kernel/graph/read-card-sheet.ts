// A card as its page needs it: the card, who wrote it, what it answers, and whether it is a marked mistake.
import { KernelError } from "@/server/contract/errors";
import type { CardMark, CardSheet } from "@/server/contract/line";
import { CARD_COLUMNS, type CardRow, toCard } from "../cardbox/card-row";
import type { Kernel } from "../kernel";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

// A call has no index of its own; it lies in a box beside its result, or the other way round, so that box is asked.
const SHEET = `
  WITH c AS (
    SELECT c.*, c.metadata ->> 'agent_turn_id' AS writer FROM cards c WHERE c.tenant_id = $1 AND c.card_id = $2
  ), beside AS (
    SELECT DISTINCT i.card_id FROM card_box_chunks h
    JOIN card_box_chunks o ON o.tenant_id = h.tenant_id AND o.box_id = h.box_id AND o.n BETWEEN h.n - 1 AND h.n + 1
    CROSS JOIN LATERAL unnest(o.card_ids) AS i(card_id)
    WHERE h.tenant_id = $1 AND h.card_ids @> ARRAY[$2] AND h.box_id = (
      SELECT box_id FROM card_box_chunks WHERE tenant_id = $1 AND card_ids @> ARRAY[$2] LIMIT 1)
      AND (SELECT tool_call_id FROM c) IS NOT NULL
  )
  SELECT ${CARD_COLUMNS},
    (SELECT to_jsonb(s) FROM (SELECT ${TURN_REF} FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.agent_turn_id = c.writer) s) AS written_by,
    (SELECT jsonb_build_object('card_id', a.card_id, 'type', a.metadata ->> 'type')
      FROM beside JOIN cards a ON a.tenant_id = $1 AND a.card_id = beside.card_id
      WHERE a.tool_call_id = c.tool_call_id AND a.card_id <> c.card_id LIMIT 1) AS answers,
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
  const { rows } = await kernel.db.pool.query<Row>({
    name: "card_sheet",
    text: SHEET,
    values: [input.project_id, input.card_id],
  });
  const row = rows[0];
  if (!row) throw new KernelError("not_found", `card ${input.card_id} is not in project ${input.project_id}`);
  const card = toCard(row);
  return {
    ...card,
    written_by: row.written_by ? turnRef(row.written_by) : undefined,
    answers: row.answers ?? undefined,
    redacted_from: typeof card.metadata.redacted_from === "string" ? card.metadata.redacted_from : undefined,
    marks: row.marks,
  };
}
