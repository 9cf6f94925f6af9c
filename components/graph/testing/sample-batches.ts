// Runs that fork, made up for tests and benches. Never imported by the product.
import type { Placing } from "@/components/ground/plan";
import type { BatchFrame, BatchTaskFrame, Frame } from "@/server/contract/frame";
import type { TurnStatus } from "@/server/contract/turn";
import { at, sampleEdge, sampleTurn } from "./sample-frames";

export function sampleBatch(id: string, over: Partial<BatchFrame> = {}): BatchFrame {
  return {
    kind: "batch",
    id,
    batch_id: id,
    rev: 1,
    tool_name: "fork_join",
    root_turn_id: "t0",
    parent_agent_id: "agent_t1",
    parent_agent_turn_id: "t1",
    parent_tool_call_id: `tc_${id}`,
    task_count: 5,
    fail_fast: false,
    deadline_at: at(900),
    status: "running",
    created_at: at(5),
    ...over,
  };
}

export function sampleTask(batchId: string, index: number, over: Partial<BatchTaskFrame> = {}): BatchTaskFrame {
  return {
    kind: "batch_task",
    id: `bt_${batchId}_${index}`,
    rev: 1,
    batch_id: batchId,
    root_turn_id: "t0",
    task_index: index,
    title: `Task ${index + 1}`,
    profile_name: "Associate_Search",
    agent_id: `agent_${batchId}_${index}`,
    status: "pending",
    attempt_count: 0,
    ...over,
  };
}

/** A person, the turn the person launched, and the batch it forked: a status for each branch, null where it is held back. */
export function forkedRun(statuses: readonly (TurnStatus | null)[], over: Partial<BatchFrame> = {}): Frame[] {
  const batch = sampleBatch("b1", { task_count: statuses.length, ...over });
  return [
    sampleTurn("t0", { is_human: true, depth: 0, headcode: "0H01", profile_name: "sys.human", worker_target: "human" }),
    sampleTurn("t1", { depth: 1, headcode: "1P01", parent_turn_id: "t0", status: "suspended", ended_at: undefined }),
    sampleEdge("t0", "t1", { primitive: "launch_principal" }),
    batch,
    ...statuses.flatMap((status, index) =>
      status === null ? [sampleTask("b1", index)] : branchOf("t1", batch, index, status),
    ),
  ];
}

const primitiveOf = ({ tool_name }: BatchFrame) => (tool_name === "plan_wagon" ? "delegate_async" : tool_name);

export function branchOf(parent: string, batch: BatchFrame, index: number, status: TurnStatus): Frame[] {
  const id = `${batch.batch_id}_${index}`;
  return [
    sampleTurn(id, {
      parent_turn_id: parent,
      primitive: primitiveOf(batch),
      batch_id: batch.batch_id,
      task_index: index,
      status,
      headcode: `2S${String(index + 1).padStart(2, "0")}`,
      created_at: batch.created_at,
      ended_at: status === "success" || status === "partial" || status === "failed" ? at(40 + index) : undefined,
    }),
    sampleEdge(parent, id, { primitive: primitiveOf(batch), created_at: batch.created_at }),
  ];
}

/**
 * Placings of a run in which some turns fork: each pick says who calls, and whether it is a plain call or a batch. Branches
 * of a batch come later, in any order and not always all of them; some are tried again.
 */
export function forkingRun(picks: readonly (readonly [who: number, what: number])[]): Placing[] {
  const turns: Placing[] = [
    { id: "h", parent: null, is_human: true, is_inferred: false },
    { id: "n0", parent: "h", is_human: false, is_inferred: false },
  ];
  const callers = ["n0"];
  const waiting: Placing[] = [];
  const call = (branch: Placing) => {
    const since = String(turns.length).padStart(6, "0");
    turns.push({ ...branch, ...(branch.lane && { lane: { ...branch.lane, since } }) });
    callers.push(branch.id);
  };
  for (const [i, [who, what]] of picks.entries()) {
    const parent = callers[callers.length - 1 - (who % Math.min(callers.length, 7))] ?? "n0";
    if (what % 3 === 0) {
      const lanes = 1 + ((what >> 2) % 17);
      const id = `b${i}`;
      turns.push({ id, parent, is_human: false, is_inferred: false, batch: { lanes, is_folded: what % 7 === 0 } });
      if (what % 7 !== 0)
        for (let index = 0; index < lanes; index++)
          waiting.push({
            id: `${id}_${index}`,
            parent,
            is_human: false,
            is_inferred: false,
            lane: { batch_id: id, task_index: index, since: "" },
          });
    } else {
      turns.push({ id: `n${i + 1}`, parent, is_human: false, is_inferred: false });
      callers.push(`n${i + 1}`);
    }
    // Some of those that wait begin now, the last of them first.
    for (let begin = what % 5; begin > 0 && waiting.length > 0; begin--) {
      const [branch] = waiting.splice((who * 7) % waiting.length, 1);
      if (branch) call(branch);
    }
    // Now and then a branch that began is tried again.
    if (what % 11 !== 0) continue;
    const begun = turns.filter((turn) => turn.lane);
    const before = begun[who % Math.max(1, begun.length)];
    if (before) call({ ...before, id: `${before.id} again ${i}` });
  }
  return turns;
}
