// The requests whose beginnings are compared: the newest of an agent, or the first of each branch of a fork. One statement each.

import { type Reader, read } from "../reader";
import type { StepUsage } from "../turns/step-usage";

const REQUESTS_MAX = 200;

const OF_STEP = `
  s.step_id, s.ordinal, s.request_box_id, s.started_at, s.ended_at, s.request_tokens, s.usage, b.length,
  t.agent_turn_id, t.headcode, t.task_index, t.profile_box_id`;

const AGENT = `
  WITH turns AS (
    SELECT t.agent_turn_id, t.headcode, t.task_index, t.profile_box_id FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.agent_id = $2 ORDER BY t.created_at DESC LIMIT ${REQUESTS_MAX}
  )
  SELECT ${OF_STEP}, (SELECT count(*)::int FROM state.agent_turns o
    JOIN state.agent_steps q ON q.project_id = $1 AND q.agent_turn_id = o.agent_turn_id AND q.request_box_id IS NOT NULL
    WHERE o.project_id = $1 AND o.agent_id = $2) AS total
  FROM turns t JOIN state.agent_steps s ON s.project_id = $1 AND s.agent_turn_id = t.agent_turn_id AND s.request_box_id IS NOT NULL
  JOIN card_boxes b ON b.tenant_id = $1 AND b.box_id = s.request_box_id
  ORDER BY s.started_at DESC, s.ordinal DESC, s.step_id DESC LIMIT ${REQUESTS_MAX}`;

const BATCH = `
  SELECT ${OF_STEP}, count(*) OVER ()::int AS total
  FROM state.pmo_batch_tasks k
  JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = k.agent_turn_id
  CROSS JOIN LATERAL (SELECT s.step_id, s.ordinal, s.request_box_id, s.started_at, s.ended_at, s.request_tokens, s.usage FROM state.agent_steps s
    WHERE s.project_id = $1 AND s.agent_turn_id = t.agent_turn_id AND s.request_box_id IS NOT NULL ORDER BY s.ordinal, s.step_id LIMIT 1) s
  JOIN card_boxes b ON b.tenant_id = $1 AND b.box_id = s.request_box_id
  WHERE k.project_id = $1 AND k.batch_id = $2
  ORDER BY s.started_at, k.task_index LIMIT ${REQUESTS_MAX}`;

export type SentRequest = {
  step_id: string;
  ordinal: number;
  request_box_id: string | null;
  started_at: string;
  ended_at: string | null;
  request_tokens: number | null;
  usage: StepUsage | null;
  length: number;
  agent_turn_id: string;
  headcode: string;
  task_index: number | null;
  profile_box_id: string;
  total: number;
};

/** Newest first, of the newest 200 turns. */
export const readAgentRequests = (reader: Reader, { project_id, agent_id }: { project_id: string; agent_id: string }) =>
  read<SentRequest>(reader, "prefix_agent", AGENT, [project_id, agent_id]);

/** In the order in which they began. */
export const readBatchRequests = (reader: Reader, { project_id, batch_id }: { project_id: string; batch_id: string }) =>
  read<SentRequest>(reader, "prefix_batch", BATCH, [project_id, batch_id]);
