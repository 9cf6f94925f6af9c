// The budget of a pack as a bar: its sections, what was cut, and where the limit stands. Drawn against everything found, or
// against the limit where less than that was found. Pure.
import type { PackRecord } from "@/server/contract/context-pack/record";

export type BudgetGauge = {
  /** Tokens that the full width stands for. */
  scale: number;
  /** In percent of the width. */
  parts: readonly { key: string; left: number; width: number }[];
  cut: { left: number; width: number } | null;
  limitAt: number;
};

export type GaugeInput = {
  sections: readonly { key: string; tokens: number }[];
  record: Pick<PackRecord, "estimate" | "found" | "limit">;
};

export function budgetGauge({ sections, record: { estimate, found, limit } }: GaugeInput): BudgetGauge {
  const scale = Math.max(found, limit, 1);
  const percent = (tokens: number): number => (100 * tokens) / scale;
  let left = 0;
  const parts = sections.map(({ key, tokens }) => {
    const part = { key, left: percent(left), width: percent(tokens) };
    left += tokens;
    return part;
  });
  return {
    scale,
    parts,
    cut: found > estimate ? { left: percent(estimate), width: percent(found - estimate) } : null,
    limitAt: percent(limit),
  };
}
