// A step begins: what the model is about to see is stored as a request box, and beside it the bytes as sent, since jsonb
// reorders keys (docs/design/kernel.md 9).
import { createHash } from "node:crypto";
import { createBoxes } from "../cardbox/create-boxes";
import { getCards } from "../cardbox/get-cards";
import type { Kernel } from "../kernel";
import type { Sent } from "../tokens/sent-tokens";
import { withUnit } from "../unit";
import { appendCards } from "./append-cards";
import { type Fenced, isFenced } from "./fenced";
import { lockTurn, type TurnKey } from "./lock-turn";
import { draftRequestCards, readRequestCards } from "./request-cards";
import { stepEvent } from "./step-event";

export type BeginStepInput = TurnKey & {
  request: { card_ids: string[]; system: string; tools: { tool_name: string }[]; bytes?: Uint8Array } & Sent;
  note?: string;
  worker_id?: string;
};
export type BegunStep = { step_id: string; ordinal: number; request_box_id: string };

/** The error of a step whose worker was lost: nobody knows until when it was worked at. */
export const LOST_STEP = "abandoned: its worker was lost";

/** Steps between a request that is kept whole and those that are kept as what is new beside it. */
const HOPS_MAX = 15;

// A request mostly begins, and often ends, as the one before it in its turn: only what is new is kept. The earlier one is locked, so that
// nobody erases it meanwhile. Bytes that were made before one of their cards was erased are not kept; what is erased after this looks at
// what is kept. A step that is still open was left by a worker that was lost: whoever begins the next one closes it.
const INSERT = `
  WITH left_open AS (
    UPDATE state.agent_steps SET status = 'failed', error = '${LOST_STEP}', ended_at = now(), rev = rev + 1
    WHERE project_id = $1 AND agent_turn_id = $3 AND status = 'started'
  ), before AS MATERIALIZED (
    SELECT s.step_id, coalesce(s.request_hops, 0) AS hops, state.request_of($1, s.step_id) AS bytes FROM state.agent_steps s
    WHERE s.project_id = $1 AND s.agent_turn_id = $3 AND s.request_bytes IS NOT NULL AND $10::bytea IS NOT NULL
    ORDER BY s.ordinal DESC LIMIT 1 FOR SHARE
  ), alike AS MATERIALIZED (
    SELECT b.step_id, b.hops, b.bytes, state.same_start(b.bytes, $10::bytea) AS head FROM before b WHERE b.hops < ${HOPS_MAX}
  ), base AS MATERIALIZED (
    SELECT a.step_id, a.hops, a.head, state.same_end(a.bytes, $10::bytea, least(octet_length(a.bytes), octet_length($10::bytea)) - a.head) AS tail
    FROM alike a
  )
  INSERT INTO state.agent_steps (project_id, step_id, agent_turn_id, agent_id, turn_epoch, ordinal, status, parent_step_id, trace_id,
    request_box_id, request_bytes, request_sha256, request_tokens, note, request_base, request_start, request_end, request_size, request_hops)
  SELECT $1, $2, $3, $4, $5, $6, 'started', $7, $8, $9,
    CASE WHEN NOT one.is_kept THEN NULL WHEN b.step_id IS NULL THEN $10::bytea
      ELSE substr($10::bytea, b.head + 1, octet_length($10::bytea) - b.head - b.tail) END,
    $11, $12, $13, b.step_id, b.head, b.tail, CASE WHEN b.step_id IS NOT NULL THEN octet_length($10::bytea) END, b.hops + 1
  FROM (SELECT NOT EXISTS (SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($14::text[]) AND c.content = 'null') AS is_kept) one
  LEFT JOIN base b ON one.is_kept AND 2 * (b.head + b.tail) >= octet_length($10::bytea)`;

export async function beginStep(kernel: Kernel, input: BeginStepInput): Promise<BegunStep | Fenced> {
  const { project_id, agent_turn_id, request } = input;
  return withUnit(kernel, async (unit) => {
    const [row, before, seen] = await Promise.all([
      lockTurn(unit, { ...input, statuses: ["running"], what: "begin step" }),
      readRequestCards(unit, input),
      getCards(unit, { project_id, card_ids: request.card_ids }),
    ]);
    if (isFenced(row)) return row;
    const step_id = unit.kernel.newId("step_");
    const { cards, made } = draftRequestCards(unit, input, { step_id, before });
    const items = [...cards.map((c) => ({ ...c, origin: "sys" })), ...seen.map((c) => ({ ...c, origin: "card" }))];
    const [box] = await createBoxes(unit, {
      project_id,
      cards: made,
      boxes: [{ kind: "request", owner_agent_id: row.agent_id, owner_turn_id: agent_turn_id, items }],
    });
    if (!box) throw new Error("a request box was asked for and did not come back");
    const ordinal = row.step_count === null ? 1 : row.step_count + 1;
    const bytes = request.bytes ? Buffer.from(request.bytes) : null;
    const beginning = unit.query("step_begin", INSERT, [
      project_id,
      step_id,
      agent_turn_id,
      row.agent_id,
      input.turn_epoch,
      ordinal,
      row.parent_step_id,
      row.trace_id,
      box.box_id,
      bytes,
      bytes ? createHash("sha256").update(bytes).digest("hex") : null,
      request.tokens,
      input.note ?? null,
      seen.flatMap((card) => (card.content === null ? card.card_id : [])),
    ]);
    const patch = { note: input.note, step_count: ordinal, sent_tokens: request.tokens };
    await Promise.all([beginning, appendCards(unit, { row, cards: [], patch })]);
    unit.ring(stepEvent(row, { step_id, status: "started" }));
    return { step_id, ordinal, request_box_id: box.box_id };
  });
}
