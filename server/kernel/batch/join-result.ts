// What the parent reads when its branches have joined. Pure.
import type { BranchResult, ClosedBy, ExpertResult, JoinResult } from "@/server/contract/batch";
import type { CardContent } from "@/server/contract/card";
import type { EndStatus } from "@/server/contract/turn";
import type { BatchRow } from "./batch-row";
import type { Branch } from "./read-standing";

/** What its turn left behind when it ended; of one that has no turn, only how it ended. Missing parts are left out. */
export function branchResult(branch: Branch): BranchResult {
  if (branch.result_view) return branch.result_view;
  const { task_index, status, agent_id, agent_turn_id, output_box_id, error_detail } = branch;
  return {
    task_index,
    status: status === "pending" || status === "dispatched" ? "canceled" : status,
    ...(output_box_id !== null && { output_box_id }),
    agent_id,
    ...(agent_turn_id !== null && { agent_turn_id }),
    ...(status !== "success" && error_detail !== null && { error: error_detail }),
  };
}

/** The content of the result that wakes the parent. For anything but a success, `error` says what happened to the batch. */
export function toolResult(
  batch: Pick<BatchRow, "batch_id" | "tool_name">,
  join: JoinResult,
  closed: ClosedBy | null = null,
): Extract<CardContent, { kind: "tool_result" }> {
  const [first] = join.results;
  const result = batch.tool_name === "ask_expert" && first ? expertResult(first) : told(join);
  const failed = join.status === "success" || join.status === "partial" ? undefined : join.status;
  return {
    kind: "tool_result",
    status: join.status as EndStatus,
    after_execution: "suspend",
    result: JSON.parse(JSON.stringify(result)),
    ...(failed && {
      error: {
        code: closed === "quorum_unreachable" || closed === "join_timeout" ? closed : `batch_${failed}`,
        message: messageOf(failed, join, closed),
        detail: { batch_id: batch.batch_id, status: join.status },
      },
    }),
  };
}

/** Ids of turns and agents are for people who look at the batch; the parent gets what it can hand on. */
const told = ({ status, results, counted, late }: JoinResult) => ({
  status,
  ...(counted && { counted }),
  ...(late && { late }),
  results: results.map(({ agent_id: _agent, agent_turn_id: _turn, ...rest }) => rest),
});

function expertResult({ status, summary, output_box_id, agent_turn_id, error }: BranchResult): ExpertResult {
  return JSON.parse(JSON.stringify({ status, summary, output_box_id, agent_turn_id, error }));
}

function messageOf(status: string, { results }: JoinResult, closed: ClosedBy | null): string {
  if (closed === "join_timeout") return "the time of the join was over before enough tasks had arrived";
  const ill = results.find((result) => result.status !== "success");
  const why = ill?.error ? `: task ${ill.task_index} ${ill.status}, ${ill.error}` : "";
  return `the batch ended ${status}${why}`;
}
