// Applies an operation to a plan and tells what undoes it. Never throws for what is in an operation, and never changes the
// plan it is given: what the operation does not touch is the same object afterwards.
import { shapeFault } from "../shape-fault";
import { addNote, place, removeNote, setNote } from "./apply-layout-op";
import { addLoad, moveLoad, removeLoad } from "./apply-load-op";
import { addNode, addTask, moveNode, moveTask, removeNode } from "./apply-node-op";
import { applySet } from "./apply-set";
import { addTrack, removeTrack, setTrack } from "./apply-track-op";
import { type Applied, PlanOp, type PlanOpInput, type Refusal } from "./op";
import { plainJson } from "./plain-json";
import type { Plan } from "./plan";

/** The path of a refusal is one inside the operation; nodes.3.target.ref where another part of the plan is in the way. */
export function applyOp(plan: Plan, op: PlanOpInput): Applied | Refusal {
  const plain = plainJson(op);
  if ("fault" in plain) return { refusal: plain.fault };
  const parsed = PlanOp.safeParse(plain.value);
  return parsed.success ? applied(plan, parsed.data) : { refusal: shapeFault(parsed.error) };
}

export type AppliedAll = Applied | (Refusal & { index: number });

/** All or none. `index` = the operation that was refused. */
export function applyOps(plan: Plan, ops: readonly PlanOpInput[]): AppliedAll {
  let now = plan;
  const undo: PlanOp[][] = [];
  for (const [index, op] of ops.entries()) {
    const next = applyOp(now, op);
    if ("refusal" in next) return { ...next, index };
    now = next.plan;
    undo.push(next.inverse);
  }
  return { plan: now, inverse: undo.reverse().flat() };
}

function applied(plan: Plan, op: PlanOp): Applied | Refusal {
  switch (op.op) {
    case "add_node":
      return addNode(plan, op);
    case "move_node":
      return moveNode(plan, op);
    case "remove_node":
      return removeNode(plan, op);
    case "set":
      return applySet(plan, op);
    case "add_task":
      return addTask(plan, op);
    case "move_task":
      return moveTask(plan, op);
    case "add_track":
      return addTrack(plan, op);
    case "set_track":
      return setTrack(plan, op);
    case "remove_track":
      return removeTrack(plan, op);
    case "add_load":
      return addLoad(plan, op);
    case "move_load":
      return moveLoad(plan, op);
    case "remove_load":
      return removeLoad(plan, op);
    case "place":
      return place(plan, op);
    case "add_note":
      return addNote(plan, op);
    case "set_note":
      return setNote(plan, op);
    case "remove_note":
      return removeNote(plan, op);
  }
}
