// What became of a turn in two runs, in words and signs, and how a difference is written. Pure.
import { formatCost, formatDuration, formatNumber } from "@/components/ui/format";
import type { Parting } from "@/server/contract/run-compare/parting";
import type { CompareRow, CompareVerdict } from "@/server/contract/run-compare/run-comparison";
import type { AlignedBy } from "@/server/contract/run-compare/turn-pair";
import type { PairTab } from "./compare-params";

export const compareOrder: readonly CompareVerdict[] = ["changed", "only_a", "only_b", "same"];

export const compareNames = (a: number, b: number): Record<CompareVerdict, string> => ({
  same: "Same",
  changed: "Changed",
  only_a: `Only in run ${formatNumber(a)}`,
  only_b: `Only in run ${formatNumber(b)}`,
});

/** Read without colour. */
export const compareMarks: Record<CompareVerdict, string> = { same: "=", changed: "~", only_a: "−", only_b: "+" };

export const alignedWords: Record<AlignedBy, string> = {
  turn: "One turn: its recorded result was taken over",
  node: "The same step of the plan",
  forked_from: "One was forked from the other",
  rerun_of: "One is a repetition of the other",
  place: "The same profile, called in the same way at the same place",
  words: "Most words of their instructions are the same",
};

const signed = (value: number, format: (amount: number) => string): string =>
  value === 0 ? "0" : `${value < 0 ? "−" : "+"}${format(Math.abs(value))}`;

export type Deltas = { tokens: string; cost: string; time: string };

/** "" where it is not known of one of them. */
export function deltasOf({ delta }: Pick<CompareRow, "delta">): Deltas {
  if (!delta) return { tokens: "", cost: "", time: "" };
  const { tokens, cost, duration_ms } = delta;
  return {
    tokens: signed(tokens, formatNumber),
    cost: cost === undefined ? "" : signed(cost, formatCost),
    time: duration_ms === undefined ? "" : signed(duration_ms, formatDuration),
  };
}

/** What the address calls a row. */
export const keyOf = ({ a, b }: Pick<CompareRow, "a" | "b">): string => (a ?? b)?.agent_turn_id ?? "";

/** Where the difference is seen. */
export function tabOf(parts: Parting | undefined): PairTab {
  if (parts === undefined || parts.kind === "instruction" || parts.kind === "context") return "context";
  return parts.kind === "status" || parts.kind === "card" ? "deliverable" : "requests";
}
