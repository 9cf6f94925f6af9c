// A step begins: what the model is about to see is stored as a request box, and beside it the bytes as sent, since jsonb
// reorders keys (docs/design/kernel.md 9).
import { createHash } from "node:crypto";
import { createBoxes } from "../cardbox/create-boxes";
import { getCards } from "../cardbox/get-cards";
import { insertCards } from "../cardbox/insert-cards";
import type { Kernel } from "../kernel";
import type { Sent } from "../tokens/sent-tokens";
import { withUnit } from "../unit";
import { appendCards } from "./append-cards";
import { type Fenced, isFenced } from "./fenced";
import { lockTurn, type TurnKey } from "./lock-turn";
import { stepEvent } from "./step-event";

export type BeginStepInput = TurnKey & {
  request: { card_ids: string[]; system: string; tools: { tool_name: string }[]; bytes?: Uint8Array } & Sent;
  note?: string;
  worker_id?: string;
};
export type BegunStep = { step_id: string; ordinal: number; request_box_id: string };

/** The error of a step whose worker was lost: nobody knows until when it was worked at. */
export const LOST_STEP = "abandoned: its worker was lost";

// Bytes that were made before one of their cards was erased are not kept. What is erased after this looks at what is kept.
// A step that is still open was left by a worker that was lost: whoever begins the next one closes it.
const INSERT = `
  WITH left_open AS (
    UPDATE state.agent_steps SET status = 'failed', error = '${LOST_STEP}', ended_at = now(), rev = rev + 1
    WHERE project_id = $1 AND agent_turn_id = $3 AND status = 'started'
  )
  INSERT INTO state.agent_steps (project_id, step_id, agent_turn_id, agent_id, turn_epoch, ordinal, status, parent_step_id, trace_id,
    request_box_id, request_bytes, request_sha256, request_tokens, note)
  VALUES ($1, $2, $3, $4, $5, $6, 'started', $7, $8, $9,
    CASE WHEN EXISTS (SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($14::text[]) AND c.content = 'null') THEN NULL ELSE $10::bytea END,
    $11, $12, $13)`;

export async function beginStep(kernel: Kernel, input: BeginStepInput): Promise<BegunStep | Fenced> {
  const { project_id, agent_turn_id, request } = input;
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { ...input, statuses: ["running"], what: "begin step" });
    if (isFenced(row)) return row;
    const step_id = unit.kernel.newId("step_");
    const made = await insertCards(unit, {
      project_id,
      cards: [
        {
          type: "sys.rendered_prompt",
          content: request.system,
          author_id: "switchyard",
          metadata: { step_id, agent_turn_id },
        },
        {
          type: "sys.tools",
          content: { kind: "json", data: JSON.parse(JSON.stringify({ tools: request.tools })) },
          // As they are sent, which is not as they are read.
          token_count: request.tools_tokens,
          author_id: "switchyard",
          metadata: { step_id, agent_turn_id },
        },
      ],
    });
    const seen = await getCards(unit, { project_id, card_ids: request.card_ids });
    const items = [...made.map((c) => ({ ...c, origin: "sys" })), ...seen.map((c) => ({ ...c, origin: "card" }))];
    const [box] = await createBoxes(unit, {
      project_id,
      boxes: [{ kind: "request", owner_agent_id: row.agent_id, owner_turn_id: agent_turn_id, items }],
    });
    if (!box) throw new Error("a request box was asked for and did not come back");
    const ordinal = row.step_count === null ? 1 : row.step_count + 1;
    const bytes = request.bytes ? Buffer.from(request.bytes) : null;
    await unit.query("step_begin", INSERT, [
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
    await appendCards(unit, {
      row,
      cards: [],
      patch: { note: input.note, step_count: ordinal, sent_tokens: request.tokens },
    });
    unit.ring(stepEvent(row, { step_id, status: "started" }));
    return { step_id, ordinal, request_box_id: box.box_id };
  });
}
