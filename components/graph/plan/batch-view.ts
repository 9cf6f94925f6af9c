// A batch as it is looked at: its name, its lanes in order, and how many of them have come in. Pure.
import type { AspectStatus } from "@/components/ui/sign-words";
import { batchCode, isFramed } from "@/server/contract/batch-code";
import type { BatchFrame, BatchTaskFrame, Picture, TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import { endedWithoutDeliverable, isFailure } from "../turn-words";
import { currentAttempts } from "./yard-turns";

export type Lane = {
  index: number;
  turn: TurnFrame | undefined;
  /** Present where there is no turn, or one whose repetition is held back: waiting, or given up before it had one. */
  task: BatchTaskFrame | undefined;
  status: AspectStatus;
};

export type BatchView = {
  batch: BatchFrame;
  /** B1, B2: its place among the frames of its run. "Ask" for one without a frame. */
  name: string;
  lanes: readonly Lane[];
  counts: { delivered: number; out: number; held: number; failed: number; canceled: number };
};

export type BatchViews = ReadonlyMap<string, BatchView>;

/** Its result goes on to the next step. Nobody goes on behind its gate: the turn it belongs to waits for the whole plan. */
export const isOfPlan = ({ batch }: BatchView): boolean => batch.plan_run_id !== undefined;

/** The same object for every batch in which nothing changed, and the same map if nothing did. */
export function batchViews(picture: Picture, before: BatchViews): BatchViews {
  if (picture.batch.size === 0) return before.size === 0 ? before : new Map();
  const names = namesOf(picture);
  const turns = new Map<string, (TurnFrame | undefined)[]>();
  const tasks = new Map<string, (BatchTaskFrame | undefined)[]>();
  for (const turn of currentAttempts(picture.turn.values()).values())
    if (turn.batch_id !== undefined && turn.task_index !== undefined)
      slot(turns, turn.batch_id)[turn.task_index] = turn;
  for (const task of picture.batch_task.values()) slot(tasks, task.batch_id)[task.task_index] = task;
  const views = new Map<string, BatchView>();
  let isSame = before.size === picture.batch.size;
  for (const batch of picture.batch.values()) {
    const known = before.get(batch.batch_id);
    const name = names.get(batch.batch_id) ?? "B";
    const [own, held] = [turns.get(batch.batch_id) ?? [], tasks.get(batch.batch_id) ?? []];
    const isKnown =
      known?.batch === batch &&
      known.name === name &&
      known.lanes.every(({ turn, task, index }) => turn === own[index] && task === taskAt(own, held, index));
    isSame &&= isKnown;
    views.set(batch.batch_id, isKnown && known ? known : viewOf(batch, name, own, held));
  }
  return isSame ? before : views;
}

function viewOf(
  batch: BatchFrame,
  name: string,
  turns: readonly (TurnFrame | undefined)[],
  tasks: readonly (BatchTaskFrame | undefined)[],
): BatchView {
  const counts = { delivered: 0, out: 0, held: 0, failed: 0, canceled: 0 };
  const lanes = Array.from({ length: batch.task_count }, (_, index): Lane => {
    const turn = turns[index];
    const task = taskAt(turns, tasks, index);
    const current = task ? undefined : turn;
    const status = current?.status ?? heldStatus(task, batch);
    counts[countOf(current, task, status)]++;
    return { index, turn, task, status };
  });
  return { batch, name, lanes, counts };
}

/** A turn says more than the task it came of, unless it has ended and the task waits for another one. */
function taskAt(
  turns: readonly (TurnFrame | undefined)[],
  tasks: readonly (BatchTaskFrame | undefined)[],
  index: number,
): BatchTaskFrame | undefined {
  const [turn, task] = [turns[index], tasks[index]];
  const isRetried = turn !== undefined && isEnded(turn.status) && task?.status === "pending";
  return turn === undefined || isRetried ? task : undefined;
}

/** What the lamp of a lane without a turn shows. */
function heldStatus(task: BatchTaskFrame | undefined, batch: BatchFrame): AspectStatus {
  if (task && task.status !== "pending") return task.status;
  return batch.status === "running" ? "queued" : "canceled";
}

function countOf(
  turn: TurnFrame | undefined,
  task: BatchTaskFrame | undefined,
  status: AspectStatus,
): keyof BatchView["counts"] {
  if (!turn) {
    if (status === "queued") return "held";
    return status === "canceled" ? "canceled" : task?.status === "success" ? "delivered" : "failed";
  }
  if (!isEnded(turn.status)) return "out";
  if (turn.status === "canceled") return "canceled";
  return isFailure(turn) || endedWithoutDeliverable(turn) ? "failed" : "delivered";
}

/** Frames are numbered in the order they were made, each run by itself. */
function namesOf(picture: Picture): ReadonlyMap<string, string> {
  const known = names.get(picture.batch);
  if (known) return known;
  const next = new Map<string, number>();
  const named = new Map<string, string>();
  const inOrder = [...picture.batch.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  for (const batch of inOrder) {
    const number = isFramed(batch) ? (next.get(batch.root_turn_id) ?? 0) + 1 : undefined;
    if (number !== undefined) next.set(batch.root_turn_id, number);
    named.set(batch.batch_id, batchCode({ number, tool_name: batch.tool_name }));
  }
  names.set(picture.batch, named);
  return named;
}

const names = new WeakMap<object, ReadonlyMap<string, string>>();
const key = (batch: BatchFrame): string => `${batch.created_at} ${batch.batch_id}`;

function slot<T>(map: Map<string, (T | undefined)[]>, id: string): (T | undefined)[] {
  let list = map.get(id);
  if (!list) {
    list = [];
    map.set(id, list);
  }
  return list;
}
