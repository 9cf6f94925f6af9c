// Steps of a project, the newest first.
import type { Page } from "@/server/contract/page";
import type { StepQuery, StepState } from "@/server/contract/state";
import { AT, type Place } from "../cardbox/page-cursor";
import { type WalkPieces, walk } from "../cardbox/walk";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read, UNPREPARED } from "../reader";
import { readProject } from "../roster/read-project";
import { type PageRow, withoutNulls } from "./page-of-rows";

const COLUMNS = [
  "step_id",
  "agent_turn_id",
  "agent_id",
  "turn_epoch",
  "ordinal",
  "status",
  "parent_step_id",
  "trace_id",
  "request_box_id",
  "request_sha256",
  "request_tokens",
  "tool_call_ids",
  "usage",
  "cost",
  "note",
  "error",
  "started_at",
  "ended_at",
] as const satisfies readonly (keyof StepState)[];

const LIST = (p: WalkPieces) => `
  SELECT ${columnsOf(COLUMNS, "s")}, ${AT("s.started_at")} FROM (
    SELECT ${columnsOf(COLUMNS, "s")} FROM state.agent_steps s WHERE s.project_id = $1 AND ${p.within}
    ORDER BY s.started_at DESC, s.step_id DESC LIMIT ${p.window}
  ) s WHERE ${p.where} ORDER BY s.started_at DESC, s.step_id DESC LIMIT ${p.limit}`;
const END = (p: WalkPieces) => `
  SELECT s.step_id AS id, ${AT("s.started_at")} FROM (SELECT s.step_id, s.started_at FROM state.agent_steps s WHERE s.project_id = $1 AND ${p.within}
    ORDER BY s.started_at DESC, s.step_id DESC OFFSET ${p.window} - 1 LIMIT 2) s ORDER BY s.started_at DESC, s.step_id DESC`;

// By their ids first: walked from the newest on, the steps of one turn were the last of all that were read.
const OF_TURN = `s.step_id = ANY (ARRAY(
  SELECT o.step_id FROM state.agent_steps o WHERE o.project_id = $1 AND o.agent_turn_id = ?))`;
const OF_AGENT = `s.step_id = ANY (ARRAY(
  SELECT o.step_id FROM state.agent_turns t JOIN state.agent_steps o ON o.project_id = $1 AND o.agent_turn_id = t.agent_turn_id
  WHERE t.project_id = $1 AND t.agent_id = ?))`;

/** not_found for an unknown project; bad_request for a cursor of another one. */
export async function listSteps(kernel: Kernel, query: StepQuery & { project_id: string }): Promise<Page<StepState>> {
  await readProject(kernel, query.project_id);
  const { rows, next_cursor } = await walk<PageRow<StepState>>({
    ...query,
    cursor: query.cursor,
    time: "s.started_at",
    id: "s.step_id",
    idOf: (step) => step.step_id,
    keyed: [
      [OF_AGENT, query.agent_id],
      [OF_TURN, query.agent_turn_id],
      ["s.step_id = ?", query.step_id],
      ["s.started_at > ?::timestamptz", query.started_after],
      ["s.started_at < ?::timestamptz", query.started_before],
    ],
    asked: [
      ["s.parent_step_id = ?", query.parent_step_id],
      ["s.trace_id = ?", query.trace_id],
      ["s.status = ?", query.status],
    ],
    rows: (pieces, values) => read<PageRow<StepState>>(kernel, UNPREPARED, LIST(pieces), values),
    end: (pieces, values) => read<Place>(kernel, UNPREPARED, END(pieces), values),
  });
  return { items: rows.map(({ at: _at, ...row }) => withoutNulls<StepState>(row)), next_cursor };
}
