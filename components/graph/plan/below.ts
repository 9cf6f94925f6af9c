// What lives below a turn, and the batch above it: what stopping it would meet. Pure.
import { batchFirstWord, isFramed } from "@/server/contract/batch-code";
import type { BatchFrame, Picture, TurnFrame } from "@/server/contract/frame";
import { isEnded, type TurnStatus, turnStatuses } from "@/server/contract/turn";
import type { Below } from "../yard-slots";
import type { BatchViews } from "./batch-view";

export function belowOf(picture: Picture, batches: BatchViews, turn: TurnFrame): Below {
  const callees = new Map<string, TurnFrame[]>();
  for (const one of picture.turn.values()) {
    if (one.root_turn_id !== turn.root_turn_id || one.parent_turn_id === undefined) continue;
    const list = callees.get(one.parent_turn_id);
    if (list) list.push(one);
    else callees.set(one.parent_turn_id, [one]);
  }
  const below: TurnFrame[] = [];
  const seen = new Set([turn.agent_turn_id]);
  // What has ended may have called somebody who still runs.
  for (const at of seen)
    for (const callee of callees.get(at) ?? []) {
      if (seen.has(callee.agent_turn_id)) continue;
      seen.add(callee.agent_turn_id);
      if (!isEnded(callee.status)) below.push(callee);
    }
  const running: Below["running"] = new Map(
    [...batches.values()]
      .filter(({ batch }) => batch.status === "running" && batch.root_turn_id === turn.root_turn_id)
      .map(({ batch, name, counts }) => [batch.batch_id, { batch, name: firstWord(batch, name), held: counts.held }]),
  );
  return { below, running, branchOf: branchOf(picture, batches, turn) };
}

function branchOf(picture: Picture, batches: BatchViews, turn: TurnFrame): Below["branchOf"] {
  const view = batches.get(turn.batch_id ?? "");
  if (view?.batch.status !== "running") return null;
  return {
    batch: view.batch,
    name: firstWord(view.batch, view.name),
    caller: picture.turn.get(view.batch.parent_agent_turn_id)?.headcode ?? "its caller",
    others: view.lanes
      .filter((lane) => lane.index !== turn.task_index)
      .map(
        ({ turn: other, task, status }) => other?.status ?? (task?.status === "pending" ? "pending" : known(status)),
      ),
  };
}

/** Sentences begin with it. */
const firstWord = (batch: BatchFrame, name: string): string => (isFramed(batch) ? name : batchFirstWord(batch));

const known = (status: string): TurnStatus | "pending" => turnStatuses.find((one) => one === status) ?? "pending";
