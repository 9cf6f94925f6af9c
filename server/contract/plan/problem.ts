// What a check of a plan finds. Graph problems are found in the browser and in the kernel by the same code; the kernel adds
// those that need its rows.
import type { PlanOp } from "./op";

export type Severity = "error" | "warning";

/** An error refuses the launch, a warning does not. */
export const graphSeverity = {
  empty: "error",
  circle: "error",
  before: "error",
  together: "error",
  no_target: "error",
  no_instruction: "error",
  instruction_long: "error",
  input_unknown: "error",
  twin: "error",
  would_queue: "warning",
  not_before: "error",
  too_many: "error",
  gate: "error",
  disabled_load: "warning",
  dead_track: "warning",
  unused_input: "warning",
  loose: "warning",
  answer_stays: "warning",
} as const satisfies Record<string, Severity>;

export type GraphCode = keyof typeof graphSeverity;

export type PlanProblem<Code extends string = string> = {
  code: Code;
  severity: Severity;
  /** A node, fork.task, or what it stands on there: flow.after.0, searches.flow.load.1. Empty = the plan as a whole. */
  at: string;
  /** In the body: nodes.2.tasks.0.load.1 */
  path: string;
  message: string;
  /** Remedies: one of them is enough. */
  fixes?: PlanOp[];
};

/** The node or fork.task that a problem stands on. */
export const placeOfProblem = (at: string): string => at.replace(/\.(after|load)\.\d+$/, "");

/** `at` of an entry, from the place and the path in the body: `flow` and nodes.3.load.1 = flow.load.1 */
export const entryAt = (place: string, path: string): string =>
  `${place}${/\.(after|load)\.\d+$/.exec(path)?.[0] ?? ""}`;
