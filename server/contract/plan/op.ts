// The operations: the only way a plan changes, for the canvas, undo, edits of a live run, merges, REST and agents alike.
// A list entry is named by its value. `index` says where it was seen: it picks among equal entries and is never trusted
// alone, so that an operation made on an older plan changes the entry it meant or is refused.
import * as z from "zod";
import type { PlanFault } from "./parse-plan";
import { After, Berth, Load, NodeId, Note, Place, type Plan, PlanNode, PlanTask } from "./plan";

/** A place in a list. Absent = its end. */
const At = z.number().int().min(0).max(10_000).optional();
const Index = At;

const op = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.strictObject({ op: z.literal(name), ...shape });

export const PlanOp = z.discriminatedUnion("op", [
  op("add_node", { node: PlanNode, at: At }),
  op("move_node", { node: NodeId, at: z.number().int().min(0).max(10_000) }),
  /** Also a task, as fork.task. Tracks and loads from it, targets on its agent, its berth and `result` go with it. */
  op("remove_node", { node: Place }),
  /**
   * A JSON pointer inside a node, a task, or (without node) the plan. Absent value = the field's default, or the list entry
   * removed. "" = the whole node under the same id. /id renames: what refers to it follows.
   */
  op("set", { node: Place.optional(), path: z.string().max(1_000), value: z.json().optional() }),
  op("add_task", { fork: NodeId, task: PlanTask, at: At }),
  /** `fork` = another fork; what refers to the task follows. */
  op("move_task", { task: Place, fork: NodeId.optional(), at: At }),
  op("add_track", { to: NodeId, track: After, at: At }),
  op("set_track", { to: NodeId, track: After, with: After, index: Index }),
  op("remove_track", { to: NodeId, track: After, index: Index }),
  op("add_load", { to: Place, load: Load, at: At }),
  op("move_load", { to: Place, load: Load, at: z.number().int().min(0).max(10_000), index: Index }),
  op("remove_load", { to: Place, load: Load, index: Index }),
  /** null = no longer placed by a person. */
  op("place", { places: z.record(Place, Berth.nullable()) }),
  op("add_note", { note: Note, at: At }),
  op("set_note", { note: Note }),
  op("remove_note", { note: NodeId }),
]);
/** With every default filled in. */
export type PlanOp = z.infer<typeof PlanOp>;
/** As written: what has a default may be left out. */
export type PlanOpInput = z.input<typeof PlanOp>;
/** One kind of them: OpOf<"add_load"> */
export type OpOf<Name extends PlanOp["op"]> = Extract<PlanOp, { op: Name }>;

/** `inverse`: applied in this order it gives the plan as it was. */
export type Applied = { plan: Plan; inverse: PlanOp[] };
export type Refusal = { refusal: PlanFault };
