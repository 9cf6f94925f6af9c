// What the kernel's check of a plan finds beside its graph, and what each wagon would be given: with the project's profiles,
// agents, boxes and workers as they are now. Words of the problems are written where they are found (kernel/plan/check-*.ts).
import type { Role } from "../card";
import type { Rendered, Weighed } from "../pack";
import type { PlanProblem, Severity } from "./problem";

export const kernelSeverity = {
  input_missing: "error",
  self: "error",
  may_repeat: "warning",
  profile_missing: "error",
  agent_missing: "error",
  nothing_to_clone: "error",
  recipe_missing: "error",
  recipe_argument: "error",
  box_denied: "error",
  box_missing: "error",
  box_of_person: "warning",
  policy: "error",
  depth: "error",
  over_window: "error",
  may_not_fit: "warning",
  near_window: "warning",
  over_limit: "error",
  secret: "warning",
  no_worker: "warning",
  prefix_breaks: "warning",
  instruction_long: "error",
} as const satisfies Record<string, Severity>;

export type KernelCode = keyof typeof kernelSeverity;
export const isKernelCode = (code: string): code is KernelCode => Object.hasOwn(kernelSeverity, code);
export type KernelProblem = PlanProblem<KernelCode>;

export const kernelProblem = (
  code: KernelCode,
  at: string,
  path: string,
  message: string,
  fixes: PlanProblem["fixes"] = [],
): KernelProblem => ({
  code,
  severity: kernelSeverity[code],
  at,
  path,
  message,
  ...(fixes.length > 0 && { fixes }),
});

/** From this share of the window on, a wagon is marked before its first step. */
export const NEAR_WINDOW = 0.8;

/** What a result that does not exist yet may weigh: of the last ones of that profile. */
export type Estimate = { low: number; likely: number; high: number };

export type PlaceTokens = {
  /** What exists already. */
  exact: number;
  /** The sum over the results that are not there yet; absent = there are none, or nothing is known of any. */
  estimated?: Estimate;
  /** Places whose results nothing is known of. */
  unknown: string[];
};

/** A card of a hand-over as it would be packed; `text` is its beginning. */
export type HandOverCard = { card_id: string; type: string; role: Role; tokens: number; text: string };

/** One entry of a load, in the order the model reads it. */
export type HandOverEntry = {
  /** Who has it in its list: the place itself, or the fork whose tasks all load it. */
  owner: string;
  /** In that list. */
  index: number;
  /** The first HANDOVER_CARDS_MAX that exist and travel. */
  cards: HandOverCard[];
  card_count: number;
  /** Of everything that exists: cards, and texts that become cards at the launch. */
  tokens: number;
  estimated?: Estimate;
  /** Places whose results nothing is known of. */
  unknown: string[];
  /** What the recipe keeps out, with its reason. */
  left_out: { cards: number; tokens: number; reason: string }[];
  /** Cards that travel as a copy without their secrets. */
  redacted: number;
};

export type HandOver = {
  /** What an agent that goes on remembers, always first. Absent = a new agent. */
  memory?: Pick<HandOverEntry, "cards" | "card_count" | "tokens" | "estimated" | "unknown">;
  entries: HandOverEntry[];
  /** Made at the hand-over: arguments, a context pack, the delegation's facts, and the pointer that is kept and never sent. */
  own: (HandOverCard & { kind: "argument" | "pack" | "facts" | "pointer" })[];
  order: "arguments_first" | "inherited_first";
  /** The saved recipe that it is packed with. Absent = the built-in one, or rules of its own. */
  recipe?: { name: string; version: number };
};

export const HANDOVER_CARDS_MAX = 200;

/** A wagon, an ask or a task (`fork.task`) as it would start. */
export type PlaceCheck = {
  place: string;
  /** The code that the launch will keep for it. */
  headcode: string;
  /** Absent = its target is missing. */
  profile_name?: string;
  /** Of the context box, as far as it can be packed now; absent = it is refused. */
  cards?: number;
  consist?: string;
  tokens: PlaceTokens;
  /** What of `consist` each entry of its load is, the fork's first; absent = it is refused. `begins`: tokens before the first. */
  loads?: { begins: number; entries: { owner: string; index: number; tokens: number }[] };
  /** Null = unknown. */
  window_tokens: number | null;
  /** How many cards are packed, left out, sent as a redacted copy, or there already. */
  receipt?: { included: number; withheld: number; redacted: number; duplicate: number };
  /** Who take its turns now. */
  worker_count: number;
  queue_ahead: number;
  /** The first request, as far as it is known. */
  request?: Weighed;
  /** With `detail: prompt`. */
  prompt?: Rendered;
  /** With `detail: prompt`. Absent = it is refused. */
  hand_over?: HandOver;
};

export type PlanCheck = {
  /** No errors; warnings do not refuse. */
  ok: boolean;
  problems: PlanProblem[];
  /** In starting order; empty if only the graph was checked. */
  nodes: PlaceCheck[];
};
