// A plan: a named drawing of work that the kernel can run (docs/plans.md). What an author leaves out gets its default here. What
// is not right yet (no target, a circle, too many wagons) is kept in a draft and reported by check-graph.ts.
import * as z from "zod";
import { YEAR_S } from "../bounds";
import { CardContent } from "../card";
import { ContextPackRequest } from "../context-pack/request";
import { Id } from "../ids";
import { JoinPolicy } from "../join-policy";
import { Handover } from "../pack";

export const PLAN_BYTES_MAX = 4_194_304;
/** Wagons of one plan, tasks of forks counted. Above it the plan is refused. */
export const PLAN_WAGONS_MAX = 300;
/** What a draft may hold at all. */
export const NODES_MAX = 1_000;
export const TASKS_MAX = 1_000;
export const NOTES_MAX = 200;

export const INPUT_NAME = /^[a-z][a-z0-9_]{0,39}$/;
export const NODE_ID = /^[a-z][a-z0-9-]{0,39}$/;

const name = (what: string, pattern: RegExp, form: string) => z.string().regex(pattern, `${what} is ${form}`);
export const NodeId = name("an id", NODE_ID, "a lower-case letter, then up to 39 of a-z, 0-9 and -");
/** A node, or `fork.task`. */
export const Place = name(
  "a reference",
  /^[a-z][a-z0-9-]{0,39}(\.[a-z][a-z0-9-]{0,39})?$/,
  "an id of a node, or fork.task",
);
const InputName = name("an input's name", INPUT_NAME, "a lower-case letter, then up to 39 of a-z, 0-9 and _");
const Seconds = z.number().positive().max(YEAR_S);
const Count = z.number().int().positive().max(1_000_000_000);

export const PlanInput = z.strictObject({
  name: InputName,
  kind: z.enum(["text", "box", "card"]),
  required: z.boolean().default(true),
  /** Text, or the id of a box or card. */
  default: z.string().max(1_048_576).optional(),
  description: z.string().max(500).default(""),
});
export type PlanInput = z.infer<typeof PlanInput>;

export const After = z.strictObject({
  node: Place,
  /** delivered = success or partial; ended = over in any way, also skipped. */
  on: z.enum(["delivered", "success", "failed", "ended"]).default("delivered"),
});
export type After = z.infer<typeof After>;

export const Load = z.union([
  z.strictObject({ input: InputName }),
  z.strictObject({ box: Id }),
  z.strictObject({ card: Id }),
  z.strictObject({ from: Place, take: z.enum(["deliverable", "output", "summary"]).default("deliverable") }),
]);
export type Load = z.infer<typeof Load>;

export const Target = z.strictObject({
  strategy: z.enum(["new", "reuse", "clone"]).default("new"),
  /** new: a profile's name. reuse, clone: an agent's id, or @node or @fork.task for the agent that wagon ran on. */
  ref: z.string().trim().min(1).max(200),
  /** Pins a version of the profile. Absent = the newest at the start. */
  profile_box_id: Id.optional(),
});
export type Target = z.infer<typeof Target>;

/** Swaps a card at this hand-over, or drops it. Only in forks of plan runs. */
const Edit = z.strictObject({ card_id: Id, with: CardContent.optional() });

const given = {
  target: Target.optional(),
  instruction: z.string().default(""),
  load: z.array(Load).max(64).default([]),
  /** name or name@version. Absent = the built-in recipe, or `handover`. */
  recipe: z.string().trim().min(1).max(140).optional(),
  handover: Handover.optional(),
  /** For the recipe's own rules. */
  arguments: z.record(z.string(), z.json()).default({}),
  attempts: z.number().int().min(1).max(5).default(1),
  /** Above it the hand-over is refused, never cut. Absent = the target's window. */
  context_tokens_max: Count.optional(),
  /** Built or looked up when it starts; `{input.x}` is filled in in its goal, definition of done and search words. */
  context_pack: ContextPackRequest.optional(),
  edits: z.array(Edit).max(100).default([]),
};

const node = {
  id: NodeId,
  title: z.string().max(80).optional(),
  after: z.array(After).max(32).default([]),
  /** A person must let it start. */
  hold: z.boolean().default(false),
  /** As if absent: what it waited for, its followers wait for. */
  disabled: z.boolean().default(false),
};

export const PlanTask = z.strictObject({ id: NodeId, title: node.title, ...given });
export type PlanTask = z.infer<typeof PlanTask>;

const Gate = z.strictObject({
  fail_fast: z.boolean().default(false),
  deadline_seconds: Seconds.optional(),
  max_parallel: z.number().int().positive().max(10_000).optional(),
  /** When it stops waiting. Absent = when all tasks have ended. */
  policy: JoinPolicy.optional(),
});

const wagon = { ...node, ...given, deadline_seconds: Seconds.optional() };
export const Wagon = z.strictObject({ kind: z.literal("wagon"), ...wagon });
export const Ask = z.strictObject({ kind: z.literal("ask"), ...wagon });
export const Fork = z.strictObject({
  kind: z.literal("fork"),
  ...node,
  tasks: z.array(PlanTask).max(TASKS_MAX).default([]),
  /** Of every task, before its own: their shared prefix. */
  load: z.array(Load).max(64).default([]),
  gate: Gate.prefault({}),
});
export type Wagon = z.infer<typeof Wagon>;
export type Ask = z.infer<typeof Ask>;
export type Fork = z.infer<typeof Fork>;
export const PlanNode = z.discriminatedUnion("kind", [Wagon, Ask, Fork]);
export type PlanNode = z.infer<typeof PlanNode>;

const Limits = z.strictObject({
  turns_max: z.number().int().min(1).max(1_000).default(100),
  tokens_max: Count.optional(),
  /** In the currency of the recorded costs. */
  cost_max: z.number().positive().max(1_000_000).optional(),
  deadline_seconds: Seconds.optional(),
});

/** A cell of the yard's grid. */
export const Berth = z.strictObject({
  col: z.number().int().min(0).max(10_000),
  row: z.number().int().min(-10_000).max(10_000),
});
export type Berth = z.infer<typeof Berth>;

export const Note = z.strictObject({ id: NodeId, text: z.string().max(10_000), ...Berth.shape });
export type Note = z.infer<typeof Note>;

/** Where things stand. Not part of the plan's hash. */
export const Layout = z.strictObject({
  /** By node id, or fork.task. */
  places: z.record(Place, Berth).default({}),
  notes: z.array(Note).max(NOTES_MAX).default([]),
});
export type Layout = z.infer<typeof Layout>;

export const PlanShape = z.strictObject({
  switchyard: z.literal("plan/1"),
  /** Required to publish. */
  name: z.string().trim().max(120).default(""),
  description: z.string().max(500).default(""),
  inputs: z.array(PlanInput).max(20).default([]),
  nodes: z.array(PlanNode).max(NODES_MAX).default([]),
  /** A node's id. Absent = the last node; with several last ones their join. */
  result: NodeId.optional(),
  limits: Limits.prefault({}),
  /** Profiles whose agents may run it. None = people only. */
  run_by: z.strictObject({ profiles: z.array(z.string().trim().min(1).max(200)).max(20).default([]) }).prefault({}),
  layout: Layout.prefault({}),
});
/** With every default filled in. */
export type Plan = z.infer<typeof PlanShape>;
/** Everything that carries a load and a target. */
export type Rider = Wagon | Ask | PlanTask;
