// Forks for tests, made and ended by hand: the kernel's verbs in the order the test wants, without a worker that
// interferes.
import type { BatchTool, BranchResult, ForkResult } from "@/server/contract/batch";
import type { CardContent } from "@/server/contract/card";
import type { EndStatus } from "@/server/contract/turn";
import type { ResumeResult } from "@/server/contract/waiting";
import type { BatchRow, BatchTaskRow } from "@/server/kernel/batch/batch-row";
import { fork } from "@/server/kernel/batch/fork";
import type { Kernel, Taker } from "@/server/kernel/kernel";
import { deliverTurn } from "@/server/kernel/turns/deliver-turn";
import { type Fenced, isFenced } from "@/server/kernel/turns/fenced";
import { resumeTurn } from "@/server/kernel/turns/resume-turn";
import { suspendTurn } from "@/server/kernel/turns/suspend-turn";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { callersOf, type Running, toNew } from "./callers";
import { turnOf } from "./turns";

export type InboxRow = {
  inbox_id: string;
  message_type: string;
  correlation_id: string;
  agent_turn_id: string;
  turn_epoch: number;
  status: string;
  attempt: number;
  retry_count: number;
  defer_reason: string | null;
  next_retry_at: string;
  last_error: string | null;
};
/** True if the unit has sent a statement that reads a batch in order to join it. */
export const hasReadForJoin = (statements: readonly string[]): boolean =>
  statements.includes("batch_for_join") || statements.includes("batch_parent_lock");

/** Of a worker that takes every caller on, and no branches: it says into `taken` what it has taken, and what it doubts. */
export const takerInto = (taken: string[]): Taker => ({
  worker_id: "taker",
  mayTake: () => true,
  serves: () => false,
  reserve: () => 0,
  release: () => undefined,
  take: (turn) => taken.push((turn as TurnRow).agent_turn_id),
  doubt: () => taken.push("doubt"),
});

export type Sleeping = Running & { fork: ForkResult };
export type Branch = ForkResult["tasks"][number];

let calls = 0;

export function forksOf(kernel: () => Kernel, project_id: string) {
  const { run, running } = callersOf(kernel, project_id);
  const rows = async <R>(text: string, values: unknown[]): Promise<R[]> =>
    (await kernel().db.pool.query(text, [project_id, ...values])).rows as R[];

  async function forked(caller: Running, args: unknown, tool: BatchTool = "fork_join"): Promise<ForkResult> {
    const tool_call_id = `tc_fork_${++calls}`;
    const made = await fork(kernel(), { project_id, caller: { ...caller, tool_call_id }, tool, args });
    if (isFenced(made)) throw new Error("the caller was fenced");
    return made;
  }

  async function sleep(caller: Running, tool_call_ids: string[]): Promise<void> {
    const slept = await suspendTurn(kernel(), { ...caller, tool_call_ids });
    if (isFenced(slept) || slept.status !== "suspended") throw new Error("the turn did not go to sleep");
  }

  /** Results on their way to the caller, or taken, oldest first. */
  const resultRows = (tool_call_id: string) =>
    rows<InboxRow>(
      "SELECT * FROM state.agent_inbox WHERE project_id = $1 AND correlation_id = $2 AND message_type IN ('tool_result', 'timeout') ORDER BY created_at, inbox_id",
      [tool_call_id],
    );

  async function resumeBy(caller: Pick<Running, "agent_turn_id">, tool_call_id: string, worker_id = "w") {
    const [row] = await resultRows(tool_call_id);
    if (!row) throw new Error(`call ${tool_call_id} has no result yet`);
    const resumed = await resumeTurn(kernel(), {
      project_id,
      agent_turn_id: caller.agent_turn_id,
      inbox_id: row.inbox_id,
      worker_id,
    });
    if (resumed === null) throw new Error("the row was not found");
    return resumed;
  }

  return {
    rows,
    fork: forked,
    sleep,
    resultRows,
    resumeBy,
    /** A suspended turn of `profile` that has forked; by default over agents of the same profile. */
    sleeping: async (profile: string, tasks: number | object[], more: object = {}): Promise<Sleeping> => {
      const caller = await running(profile);
      const list =
        typeof tasks === "number"
          ? Array.from({ length: tasks }, (_, i) => toNew(profile, { instruction: `part ${i}` }))
          : tasks;
      const made = await forked(caller, { tasks: list, ...more });
      await sleep(caller, [made.tool_call_id]);
      return { ...caller, fork: made };
    },
    /** The branch's turn, started by a worker. */
    start: async (branch: Pick<Branch, "agent_id" | "agent_turn_id"> | undefined): Promise<Running> => {
      if (branch?.agent_turn_id === undefined) throw new Error("the branch has no turn");
      const turn = await turnOf(kernel(), project_id, branch.agent_turn_id);
      return run(turn.agent_id, turn.agent_turn_id, turn.turn_epoch);
    },
    end: (
      turn: Running,
      status: EndStatus = "success",
      content: string | CardContent | null = "done",
      error?: string,
    ): Promise<{ deliverable_card_id: string } | Fenced> =>
      deliverTurn(kernel(), {
        ...turn,
        status,
        content: typeof content === "string" ? { kind: "text", text: content } : content,
        ...(error !== undefined && { error, error_code: "bad_request" }),
      }),
    batch: async (batch_id: string): Promise<BatchRow> => {
      const [row] = await rows<BatchRow>("SELECT * FROM state.pmo_batches WHERE project_id = $1 AND batch_id = $2", [
        batch_id,
      ]);
      if (!row) throw new Error(`batch ${batch_id} not found`);
      return row;
    },
    tasks: (batch_id: string) =>
      rows<BatchTaskRow>(
        "SELECT * FROM state.pmo_batch_tasks WHERE project_id = $1 AND batch_id = $2 ORDER BY task_index",
        [batch_id],
      ),
    batchFrames: async (batch_id: string): Promise<string[]> => {
      const found = await rows<{ status: string }>(
        "SELECT frame ->> 'status' AS status FROM state.journal WHERE project_id = $1 AND kind = 'batch' AND entity_id = $2 ORDER BY xid, event_id",
        [batch_id],
      );
      return found.map((frame) => frame.status);
    },
    taskFrames: async (agent_turn_id: string): Promise<number> =>
      (
        await rows("SELECT 1 FROM state.journal WHERE project_id = $1 AND kind = 'task' AND entity_id = $2", [
          agent_turn_id,
        ])
      ).length,
  };
}

/** What the parent of a batch was given. */
export function joinIn(resumed: ResumeResult): { status: string; results: BranchResult[] } {
  const content = resumed.results[0]?.card.content;
  if (content?.kind !== "tool_result") throw new Error("no result was applied");
  return content.result as { status: string; results: BranchResult[] };
}
