// Steps of a project, the newest first.
import type { Page } from "@/server/contract/page";
import type { StepQuery, StepState } from "@/server/contract/state";
import { AT, parsePageCursor } from "../cardbox/page-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readProject } from "../roster/read-project";
import { type PageRow, pageOfRows } from "./page-of-rows";

const LIST = `
  SELECT s.step_id, s.agent_turn_id, s.agent_id, s.turn_epoch, s.ordinal, s.status, s.parent_step_id, s.trace_id,
    s.request_box_id, s.request_sha256, s.request_tokens, s.tool_call_ids, s.usage, s.cost, s.note, s.error, s.started_at,
    s.ended_at, ${AT("s.started_at")}
  FROM state.agent_steps s
  WHERE s.project_id = $1 AND ($2::text IS NULL OR s.agent_id = $2) AND ($3::text IS NULL OR s.agent_turn_id = $3)
    AND ($4::text IS NULL OR s.step_id = $4) AND ($5::text IS NULL OR s.parent_step_id = $5)
    AND ($6::text IS NULL OR s.trace_id = $6) AND ($7::text IS NULL OR s.status = $7)
    AND ($8::timestamptz IS NULL OR s.started_at > $8::timestamptz) AND ($9::timestamptz IS NULL OR s.started_at < $9::timestamptz)
    AND ($10::timestamptz IS NULL OR (s.started_at, s.step_id) < ($10::timestamptz, $11::text))
  ORDER BY s.started_at DESC, s.step_id DESC LIMIT $12`;

/** not_found for an unknown project; bad_request for a cursor of another one. */
export async function listSteps(kernel: Kernel, query: StepQuery & { project_id: string }): Promise<Page<StepState>> {
  const { project_id, limit } = query;
  await readProject(kernel, project_id);
  const after = parsePageCursor(project_id, query.cursor);
  const rows = await read<PageRow<StepState>>(kernel, "state_steps", LIST, [
    project_id,
    query.agent_id ?? null,
    query.agent_turn_id ?? null,
    query.step_id ?? null,
    query.parent_step_id ?? null,
    query.trace_id ?? null,
    query.status ?? null,
    query.started_after ?? null,
    query.started_before ?? null,
    after?.at ?? null,
    after?.id ?? null,
    limit + 1,
  ]);
  return pageOfRows<StepState>(query, rows, (step) => step.step_id);
}
