// The journal keeps frames of before a card was erased, with titles and notes that quote it. Whoever looks back is not shown those words.
import type { Frame } from "@/server/contract/frame";
import { ERASED_TITLE } from "../deletion/erased-title";

/** Of run $2 of project $1, as a column `erased`: what has a title that was erased, and the turns whose deliverable was. */
export const ERASED_WORDS = `(SELECT coalesce(json_agg(x.what || ' ' || x.id), '[]') FROM (
      SELECT 'turn' AS what, t.agent_turn_id AS id FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.root_turn_id = $2 AND t.title = '${ERASED_TITLE}'
      UNION ALL SELECT 'run', r.root_turn_id FROM state.runs r
      WHERE r.project_id = $1 AND r.root_turn_id = $2 AND r.title = '${ERASED_TITLE}'
      UNION ALL SELECT 'batch_task', k.batch_task_id FROM state.pmo_batches b
      JOIN state.pmo_batch_tasks k ON k.project_id = $1 AND k.batch_id = b.batch_id AND k.metadata ->> 'title' = '${ERASED_TITLE}'
      WHERE b.project_id = $1 AND b.root_turn_id = $2
      UNION ALL SELECT 'human_request', h.request_id FROM state.human_requests h
      WHERE h.project_id = $1 AND h.root_turn_id = $2 AND h.question ->> 'question' = '${ERASED_TITLE}'
      UNION ALL SELECT 'note', t.agent_turn_id FROM state.agent_turns t
      JOIN cards c ON c.tenant_id = $1 AND c.card_id = t.deliverable_card_id AND c.content = 'null'
      WHERE t.project_id = $1 AND t.root_turn_id = $2) x) AS erased`;

export function withoutErased(frame: Frame, erased: ReadonlySet<string>): Frame {
  switch (frame.kind) {
    case "turn": {
      const titled = erased.has(`turn ${frame.id}`) ? { ...frame, title: ERASED_TITLE } : frame;
      if (titled.note === undefined || !erased.has(`note ${frame.id}`)) return titled;
      const { note: _note, ...rest } = titled;
      return rest;
    }
    case "run":
    case "batch_task":
    case "human_request":
      return erased.has(`${frame.kind} ${frame.id}`) ? { ...frame, title: ERASED_TITLE } : frame;
    default:
      return frame;
  }
}
