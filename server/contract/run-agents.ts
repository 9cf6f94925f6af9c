// How full the windows of a run's agents were, in the five steps in which the yard colours them.
import { gaugePercent } from "./tokens";

/** Newest requests of an agent that its history shows. */
export const HISTORY_MAX = 60;

export const FILL_STEPS = [20, 40, 60, 80] as const;

/** 0 to 4; null where the window is not known. From 80 % on it is 4, which is nearly full everywhere. */
export function fillStep(fill: { tokens: number; window_tokens?: number }): number | null {
  const percent = fillPercent(fill);
  return percent === null ? null : FILL_STEPS.filter((from) => percent >= from).length;
}

/** By share of the window; a request whose window is not known only beats another of that kind. */
export function isFuller(a: { tokens: number; window_tokens?: number }, b: typeof a): boolean {
  const share = ({ tokens, window_tokens }: typeof a) => (window_tokens ? tokens / window_tokens : 0);
  return share(a) === share(b) ? a.tokens > b.tokens : share(a) > share(b);
}

export const fillPercent = ({ tokens, window_tokens }: { tokens: number; window_tokens?: number }): number | null =>
  gaugePercent({ figure: "fullest", tokens, window: window_tokens ?? null });
