// A tool service reports the result of a call. The first report counts. A report that no turn waits for is recorded with the
// call and in the journal, and changes nothing.
import type { CardContent } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { isRecord } from "@/server/contract/is-record";
import { internalTools, timeoutOf } from "@/server/contract/tool";
import type { ReportInput, ReportResult } from "@/server/contract/waiting";
import { refuseLarge } from "../cardbox/refuse-large";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { postResults } from "./post-results";
import { WAIT_COLUMNS, type Wait } from "./waits";

export type Report = ReportInput & { project_id: string; tool_call_id: string; author_id?: string };

type Waiting = Wait & {
  worker_target: string;
  current_epoch: number;
  after_execution: "suspend" | "terminate" | null;
  options: Record<string, unknown> | null;
};

// The turn first (K17), then the wait: it may be about to be suspended or to end.
const TURN = `
  SELECT 1 FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id =
    (SELECT agent_turn_id FROM state.turn_waiting_tools WHERE project_id = $1 AND tool_call_id = $2 LIMIT 1) FOR UPDATE`;
const WAIT = `
  SELECT ${columnsOf(WAIT_COLUMNS, "w")}, t.worker_target, t.turn_epoch AS current_epoch, r.after_execution, r.options
  FROM state.turn_waiting_tools w
  JOIN state.agent_turns t ON t.project_id = w.project_id AND t.agent_turn_id = w.agent_turn_id
  LEFT JOIN resource.tools r ON r.project_id = w.project_id AND r.tool_name = w.tool_name
  WHERE w.project_id = $1 AND w.tool_call_id = $2
  ORDER BY w.turn_epoch DESC LIMIT 1 FOR UPDATE OF w`;
const LONGER = `
  UPDATE state.turn_waiting_tools SET deadline_at = greatest(deadline_at, now() + $3 * interval '1 ms'), updated_at = now()
  WHERE project_id = $1 AND tool_call_id = $2 AND wait_status = 'waiting'`;
const LATE = `
  INSERT INTO state.inbox_messages (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, turn_epoch,
    worker_target, status, archived_at, last_error)
  VALUES ($1, $2, $3, 'tool_result', $4, $5, $6, $7, 'skipped', now(), 'late: the call was answered before')
  ON CONFLICT (project_id, message_type, correlation_id) DO NOTHING
  RETURNING inbox_id`;

/** not_found for an unknown call; conflict for one that the kernel answers itself. */
export async function reportResult(kernel: Kernel, report: Report): Promise<ReportResult> {
  refuseLarge({ tool_calls: [report.result, report.error] }, "result");
  return withUnit(kernel, async (unit) => {
    await unit.query("report_turn", TURN, [report.project_id, report.tool_call_id]);
    const [wait] = await unit.query<Waiting>("report_wait", WAIT, [report.project_id, report.tool_call_id]);
    if (!wait)
      throw new KernelError("not_found", `tool call ${report.tool_call_id} not found`, {
        tool_call_id: report.tool_call_id,
      });
    refuseOurs(wait);
    if (wait.wait_status !== "waiting") return late(unit, report, wait);
    if (report.status === "running") return stillRunning(unit, report, wait);
    const posted = await postResults(unit, {
      project_id: report.project_id,
      results: [
        {
          agent_turn_id: wait.agent_turn_id,
          tool_call_id: report.tool_call_id,
          message_type: "tool_result",
          author_id: report.author_id ?? `tool.${wait.tool_name}`,
          content: contentOf(report, wait.after_execution),
          metadata: { function_name: wait.tool_name, ...(wait.step_id !== null && { step_id: wait.step_id }) },
        },
      ],
    });
    return { status: "received", card_id: posted.get(report.tool_call_id)?.card_id };
  });
}

/** No tool service may answer a call that a batch answers: its parent would continue without the join (K7). */
function refuseOurs({ tool_name }: Waiting): void {
  if (!(internalTools as readonly string[]).includes(tool_name)) return;
  throw new KernelError("conflict", `Switchyard answers calls of ${tool_name} itself; report only your own calls`);
}

/** The report's own setting, otherwise that of the result, otherwise that of the tool. */
function contentOf(
  report: Report,
  declared: "suspend" | "terminate" | null,
): Extract<CardContent, { kind: "tool_result" }> {
  const { status, result, error } = report;
  if (status === "running") throw new Error("a report of `running` has no content");
  return {
    kind: "tool_result",
    // A success with an error counts as failed: a parent that reads `success` does not look for an error.
    status: status === "success" && error !== undefined ? "failed" : status,
    after_execution: report.after_execution ?? controlOf(result) ?? declared ?? "suspend",
    ...(result !== undefined && { result }),
    ...(error !== undefined && { error }),
  };
}

async function stillRunning(unit: Unit, report: Report, { options }: Waiting): Promise<ReportResult> {
  const ms = timeoutOf(options ?? {}) ?? unit.kernel.tunables.toolTimeoutMs;
  await unit.query("report_longer", LONGER, [report.project_id, report.tool_call_id, ms]);
  return { status: "running" };
}

async function late(unit: Unit, report: Report, wait: Waiting): Promise<ReportResult> {
  if (report.status === "running") return { status: "late" };
  const rows = await unit.query("report_late", LATE, [
    report.project_id,
    unit.kernel.newId("inbox_"),
    wait.agent_id,
    report.tool_call_id,
    wait.agent_turn_id,
    wait.turn_epoch,
    wait.worker_target,
  ]);
  if (rows.length > 0)
    unit.frame(report.project_id, {
      kind: "rejected_late",
      id: unit.kernel.newId("edge_"),
      rev: 1,
      agent_turn_id: wait.agent_turn_id,
      turn_epoch: wait.turn_epoch,
      current_epoch: wait.current_epoch,
      what: `result of ${report.tool_call_id}`,
      worker_id: report.author_id ?? `tool.${wait.tool_name}`,
    });
  return { status: "late", ...(wait.tool_result_card_id !== null && { card_id: wait.tool_result_card_id }) };
}

/** `result.__cg_control.after_execution`, if it is one of the two words; anything else there is ignored. */
export function controlOf(result: unknown): "suspend" | "terminate" | undefined {
  const control = isRecord(result) ? result.__cg_control : undefined;
  const said = isRecord(control) ? control.after_execution : undefined;
  return said === "suspend" || said === "terminate" ? said : undefined;
}
