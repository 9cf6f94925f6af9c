// The figures of docs/tokens.md for every screen: the server computes them, this file decides which one is shown.
import type { TurnFrame } from "./frame";
import { isEnded, type Step } from "./turn";

/** What a gauge shows: the last request while the turn runs, the fullest after it has ended. */
export type Gauge = {
  figure: "sent" | "fullest";
  tokens: number;
  /** Null = unknown. */
  window: number | null;
};

export type Gauged = Pick<TurnFrame, "status" | "sent_tokens" | "fullest_tokens" | "window_tokens">;

/** Null before the first request, and for turns without requests: people's and imported ones. */
export function gaugeOf(turn: Gauged): Gauge | null {
  const figure = isEnded(turn.status) ? "fullest" : "sent";
  const tokens = figure === "fullest" ? turn.fullest_tokens : turn.sent_tokens;
  return tokens === undefined ? null : { figure, tokens, window: turn.window_tokens ?? null };
}

/** Percent from which a window counts as nearly full. */
export const TIGHT_PERCENT = 80;

export const gaugePercent = ({ tokens, window }: Gauge): number | null =>
  window === null ? null : Math.round((tokens / window) * 100);

/** The step whose request the gauge shows, with the usage that the provider reported. */
export function gaugeStep<S extends Pick<Step, "ordinal" | "request_tokens">>(
  { figure, tokens }: Gauge,
  steps: readonly S[],
): S | undefined {
  const counted = steps.filter((step) => step.request_tokens !== undefined);
  return figure === "sent" ? counted.at(-1) : counted.find((step) => step.request_tokens === tokens);
}

/** Tokens of a turn's boxes: what it was given and what it wrote. */
export const heldTokens = (turn: Pick<TurnFrame, "context_tokens" | "output_tokens">): number =>
  turn.context_tokens + turn.output_tokens;

type Priced = Pick<Step, "cost" | "usage" | "ended_at">;

/** Why a step has no cost; null if it has one or has not ended. */
export function noCostWords({ cost, usage, ended_at }: Priced): string | null {
  if (cost !== undefined || ended_at === undefined) return null;
  if (usage?.is_scripted) return "Scripted model";
  return usage?.input_tokens === undefined ? "Provider reported no usage" : "Price of this model unknown";
}

/** Why a sum over these steps has no cost: the reasons of all of them. */
export function noCostReasons(steps: readonly Priced[]): string {
  const reasons = [...new Set(steps.flatMap((step) => noCostWords(step) ?? []))];
  return reasons.length === 0 ? "No usage reported yet" : reasons.join("; ");
}
