// The board while frames come in. What a frame carries is folded at once; what it does not (results, steps, the join's
// card) is read again for the branches it concerns, and for no others.
import type { BatchLine, BatchSheet, Branch } from "@/server/contract/batch-sheet";
import type { BatchFrame, BatchTaskFrame, Frame, TurnFrame } from "@/server/contract/frame";

export type Told = {
  sheet: BatchSheet;
  /** task_index of branches that a frame says more of than it holds. */
  stale: number[];
  /** The batch or its parent moved: the join may be there. */
  isMoved: boolean;
};

export function foldSheet(sheet: BatchSheet, frames: readonly Frame[]): Told {
  let next = sheet;
  let isMoved = false;
  const stale = new Set<number>();
  for (const frame of frames) {
    if (frame.kind === "batch" && frame.batch_id === sheet.batch_id && frame.rev > next.rev) {
      // Its end writes down what every branch came to, and no frame carries that.
      if (frame.status !== next.status) for (const branch of next.tasks) stale.add(branch.task_index);
      next = { ...next, ...batchOf(frame) };
      isMoved = true;
    } else if (frame.kind === "batch_task" && frame.batch_id === sheet.batch_id) {
      next = withTask(next, frame);
      stale.add(frame.task_index);
    } else if (frame.kind === "turn" && frame.batch_id === sheet.batch_id && frame.task_index !== undefined) {
      const branch = next.tasks.find((one) => one.task_index === frame.task_index);
      const before = branch?.turn;
      if (before !== undefined && before.agent_turn_id === frame.agent_turn_id && before.rev >= frame.rev) continue;
      // An attempt that was retried is still flagged and told of; the branch is its newest.
      if (branch !== undefined && isEarlier(branch, frame.agent_turn_id)) continue;
      next = withTurn(next, frame);
      if (before?.status !== frame.status || before.step_count !== frame.step_count) stale.add(frame.task_index);
    } else if (frame.kind === "turn" && frame.agent_turn_id === sheet.parent_agent_turn_id) {
      if (next.parent !== undefined && next.parent.rev >= frame.rev) continue;
      isMoved ||= next.parent?.status !== frame.status;
      next = { ...next, parent: frame };
    }
  }
  return { sheet: next, stale: [...stale], isMoved };
}

/** A part of the board that was read again: nothing older than what is there takes its place. */
export function mergeSheet(before: BatchSheet, part: BatchSheet): BatchSheet {
  const fresh = new Map(part.tasks.map((branch) => [branch.task_index, branch]));
  const { tasks: _tasks, cursor: _cursor, ...rest } = part;
  return {
    ...(part.rev >= before.rev ? { ...before, ...rest } : before),
    parent: newer(before.parent, part.parent),
    join: part.join ?? before.join,
    tasks: before.tasks.map((branch) => {
      const read = fresh.get(branch.task_index);
      if (read === undefined) return branch;
      const known = branch.turn && isEarlier(read, branch.turn.agent_turn_id) ? undefined : branch.turn;
      return { ...read, turn: newer(known, read.turn) };
    }),
  };
}

/** null = a batch that is not among them: the list is to be read again. */
export function foldLines<Data extends { pages: { items: BatchLine[] }[] }>(
  data: Data,
  frames: readonly Frame[],
): Data | null {
  const lines = new Map(data.pages.flatMap((page) => page.items.map((line) => [line.batch_id, line] as const)));
  let isChanged = false;
  for (const frame of frames) {
    if (frame.kind !== "batch" && frame.kind !== "turn" && frame.kind !== "batch_task") continue;
    const line = lines.get(frame.batch_id ?? "");
    if (line === undefined) {
      if (frame.kind === "batch") return null;
      continue;
    }
    const next = frame.kind === "batch" ? withBatch(line, frame) : withLane(line, frame);
    isChanged ||= next !== line;
    lines.set(line.batch_id, next);
  }
  if (!isChanged) return data;
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.map((line) => lines.get(line.batch_id) ?? line),
  }));
  return { ...data, pages };
}

function withBatch(line: BatchLine, frame: BatchFrame): BatchLine {
  return frame.rev > line.rev ? { ...line, ...batchOf(frame) } : line;
}

function withLane(line: BatchLine, frame: TurnFrame | BatchTaskFrame): BatchLine {
  const { task_index } = frame;
  // A task that is dispatched is told by its turn.
  const status = frame.kind === "batch_task" && frame.status === "dispatched" ? undefined : frame.status;
  if (task_index === undefined || status === undefined || line.lanes[task_index] === status) return line;
  return { ...line, lanes: line.lanes.with(task_index, status as BatchLine["lanes"][number]) };
}

function batchOf({ kind: _kind, id: _id, ...batch }: BatchFrame) {
  return batch;
}

function withTurn(sheet: BatchSheet, turn: TurnFrame): BatchSheet {
  return change(sheet, turn.task_index, (branch) => ({ ...branch, turn, agent_turn_id: turn.agent_turn_id }));
}

function withTask(sheet: BatchSheet, frame: BatchTaskFrame): BatchSheet {
  const { status, attempt_count, next_retry_at, error, agent_turn_id, agent_id } = frame;
  const told = { status, attempt_count, next_retry_at, error, agent_id };
  return change(sheet, frame.task_index, (branch) =>
    status === "pending"
      ? { ...heldBack(branch), ...told }
      : { ...branch, ...told, agent_turn_id: agent_turn_id ?? branch.agent_turn_id },
  );
}

/** Waits for a turn: what an earlier attempt came to is not what it comes to. */
const heldBack = ({
  turn: _turn,
  agent_turn_id: _id,
  result: _result,
  deliverable: _card,
  ...branch
}: Branch): Branch => ({
  ...branch,
  steps: [],
});

const isEarlier = ({ earlier }: Branch, agentTurnId: string): boolean =>
  earlier?.some((attempt) => attempt.agent_turn_id === agentTurnId) ?? false;

function change(sheet: BatchSheet, index: number | undefined, make: (branch: Branch) => Branch): BatchSheet {
  return { ...sheet, tasks: sheet.tasks.map((branch) => (branch.task_index === index ? make(branch) : branch)) };
}

function newer(before: TurnFrame | undefined, read: TurnFrame | undefined): TurnFrame | undefined {
  if (before === undefined || read === undefined) return read ?? before;
  return before.agent_turn_id === read.agent_turn_id && before.rev > read.rev ? before : read;
}
