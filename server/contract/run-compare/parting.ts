// Where two turns part: what differs first, and how that is said.
import type { TurnStatus } from "../turn";

/**
 * In the order in which a turn meets them. `edited`: a person changed it in a fork. `instruction`, `context`: what it was handed.
 * `card`: it wrote something else that is neither a tool's nor a model's answer. `status`: they wrote the same, and ended or stand
 * differently. `only`: a turn that has no other.
 */
export const partingKinds = [
  "edited",
  "profile",
  "system_prompt",
  "tools",
  "model",
  "instruction",
  "context",
  "model_answer",
  "tool_answer",
  "card",
  "status",
  "only",
] as const;
export type PartingKind = (typeof partingKinds)[number];

/** One turn at the place where the two part. */
export type PartingSide = {
  agent_turn_id: string;
  headcode: string;
  /** As the turn counts its steps; absent = before its first, or not recorded. */
  step?: number;
  step_id?: string;
  /** The first card that differs. Absent = it has none there. */
  card_id?: string;
  status: TurnStatus;
};

/** `a` or `b` is absent where only the other run has the turn. */
export type Parting = { kind: PartingKind; tool_name?: string; a?: PartingSide; b?: PartingSide; says: string };

/** "they part at 2S02, step 3: a tool answered differently" */
export function partingWords(parting: Omit<Parting, "says">): string {
  const { a, b } = parting;
  const at = [a, b].flatMap((side) => (side ? placeWords(side) : []));
  const other = a && b && a.headcode !== b.headcode ? ` (${at[1]} in the other)` : "";
  return `they part at ${at[0]}${other}: ${whatDiffers(parting)}`;
}

/** The part after the place. */
export function whatDiffers({ kind, tool_name, a, b }: Omit<Parting, "says">): string {
  if (kind === "tool_answer") return `${tool_name ?? "a tool"} answered differently`;
  if (kind === "status")
    return a && b ? `one ${stands(a.status)}, the other ${stands(b.status)}` : "they ended differently";
  if (kind === "only") return `only the ${a ? "first" : "second"} run has this turn`;
  return words[kind];
}

const placeWords = ({ headcode, step }: PartingSide): string =>
  step === undefined ? headcode : `${headcode}, step ${step}`;

function stands(status: TurnStatus): string {
  if (status === "success") return "succeeded";
  if (status === "timeout") return "timed out";
  if (status === "partial") return "ended with a partial result";
  return status === "failed" ? "failed" : `is ${status === "suspended" ? "waiting" : status}`;
}

const words: Record<Exclude<PartingKind, "tool_answer" | "status" | "only">, string> = {
  edited: "a person changed what was sent",
  profile: "another profile ran it",
  system_prompt: "the system prompt differs",
  tools: "the tools that were offered differ",
  model: "another model, or other settings of it, was asked",
  instruction: "the instruction differs",
  context: "the context that was handed over differs",
  model_answer: "the model answered differently",
  card: "another card was written",
};
