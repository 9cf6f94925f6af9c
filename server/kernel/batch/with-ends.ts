// The branches of a batch as the view pmo_batch_tasks will show them once these ends are written. Pure.
import type { WrittenEnd } from "../kernel";
import type { Branch } from "./read-standing";

export function withEnds(branches: readonly Branch[], ends: readonly WrittenEnd[]): Branch[] {
  // Of a turn that is named twice, the first end counts.
  const byTurn = new Map(ends.toReversed().map((end) => [end.agent_turn_id, end]));
  return branches.map((branch) => {
    const end = branch.status === "dispatched" && byTurn.get(branch.agent_turn_id ?? "");
    return end ? endedAs(branch, end) : branch;
  });
}

function endedAs(branch: Branch, end: WrittenEnd): Branch {
  const { agent_turn_id, status, summary, output_box_id } = end;
  const { task_index, agent_id } = branch;
  const error = end.error ?? end.error_code;
  return {
    ...branch,
    status,
    output_box_id: branch.output_box_id ?? output_box_id,
    error_detail: branch.error_detail ?? error ?? null,
    result_view: branch.result_view ?? {
      task_index,
      status,
      ...(summary !== undefined && { summary }),
      output_box_id,
      agent_id,
      agent_turn_id,
      ...(status !== "success" && error !== undefined && { error }),
    },
  };
}
