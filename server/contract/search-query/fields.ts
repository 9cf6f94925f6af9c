// The fields of the search language: what may stand behind each, and what each can be asked of.
import { turnStatuses } from "../turn";

export const queryKinds = ["card", "box", "turn", "run", "agent", "profile", "batch", "pack"] as const;
export type QueryKind = (typeof queryKinds)[number];

export const flags = [
  "failed",
  "running",
  "waiting",
  "slow",
  "retried",
  "forked",
  "inferred",
  "muted",
  "alarm",
] as const;
export type Flag = (typeof flags)[number];

export const fieldNames = [
  "kind",
  "type",
  "role",
  "author",
  "agent",
  "profile",
  "tool",
  "tokens",
  "cards",
  "cost",
  "depth",
  "steps",
  "attempt",
  "duration",
  "status",
  "primitive",
  "strategy",
  "target",
  "run",
  "headcode",
  "batch",
  "error",
  "saw",
  "wrote",
  "held",
  "in",
  "under",
  "above",
  "origin",
  "before",
  "after",
] as const;
export type FieldName = (typeof fieldNames)[number];

/** name: any, `*` at the end is a prefix. one_of: only these. id: of a card, box or turn, or a headcode. */
type Values = { as: "name" | "number" | "duration" | "time" | "id" } | { as: "one_of"; names: readonly string[] };
export type FieldSpec = Values & {
  on: readonly QueryKind[];
  /** Some of what it applies to has no value: `has:` may be asked. */
  isOptional?: true;
};

const primitives = ["delegate_async", "fork_join", "ask_expert", "launch_principal", "ui_action", "import"];
const origins = ["inherited", "argument", "pointer", "output", "import", "redacted"];

export const fields: Readonly<Record<FieldName, FieldSpec>> = {
  kind: { as: "one_of", names: queryKinds, on: queryKinds },
  type: { as: "name", on: ["card", "turn"] },
  role: { as: "one_of", names: ["system", "user", "assistant", "tool"], on: ["card", "turn"] },
  author: { as: "name", on: ["card", "turn"], isOptional: true },
  agent: { as: "name", on: ["card", "turn", "agent"], isOptional: true },
  profile: { as: "name", on: ["card", "turn", "agent", "profile"], isOptional: true },
  tool: { as: "name", on: ["card", "turn"], isOptional: true },
  tokens: { as: "number", on: ["card", "box", "turn"] },
  cards: { as: "number", on: ["box", "turn"] },
  cost: { as: "number", on: ["turn"], isOptional: true },
  depth: { as: "number", on: ["turn"] },
  steps: { as: "number", on: ["turn"] },
  attempt: { as: "number", on: ["turn"] },
  duration: { as: "duration", on: ["turn"], isOptional: true },
  status: { as: "one_of", names: turnStatuses, on: ["turn"] },
  primitive: { as: "one_of", names: primitives, on: ["turn"] },
  strategy: { as: "one_of", names: ["new", "reuse", "clone"], on: ["turn"], isOptional: true },
  target: { as: "name", on: ["turn", "agent", "profile"] },
  run: { as: "id", on: ["card", "turn", "run", "batch"] },
  headcode: { as: "name", on: ["turn"] },
  batch: { as: "id", on: ["turn", "batch"], isOptional: true },
  error: { as: "name", on: ["turn"], isOptional: true },
  saw: { as: "id", on: ["turn"] },
  wrote: { as: "id", on: ["turn"] },
  held: { as: "id", on: ["turn"] },
  in: { as: "id", on: ["card"] },
  under: { as: "id", on: ["turn"] },
  above: { as: "id", on: ["turn"] },
  origin: { as: "one_of", names: origins, on: ["card"] },
  before: { as: "time", on: queryKinds },
  after: { as: "time", on: queryKinds },
};

/** What has alarms: about itself, or found in a turn that belongs to it. */
const alarmed: readonly QueryKind[] = ["card", "box", "turn", "run", "agent", "batch"];

/** What each flag can be asked of. `alarm`: one that is not muted. */
export const flagKinds: Readonly<Record<Flag, readonly QueryKind[]>> = {
  failed: ["turn"],
  running: ["turn"],
  waiting: ["turn"],
  slow: ["turn"],
  retried: ["turn"],
  forked: ["turn"],
  inferred: ["turn"],
  muted: alarmed,
  alarm: alarmed,
};

export const isField = (name: string): name is FieldName => Object.hasOwn(fields, name);
export const isFlag = (name: string): name is Flag => Object.hasOwn(flagKinds, name);
