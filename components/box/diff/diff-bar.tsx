"use client";

// Which cards of a comparison are shown, with how many there are of each.
import { formatNumber } from "@/components/ui/format";
import type { BoxDiff, DiffVerdict } from "@/server/contract/box-diff/box-diff";
import { diffMarks, diffNames, diffOrder } from "./diff-words";

export type DiffBarProps = {
  verdicts: BoxDiff["verdicts"];
  value: DiffVerdict | null;
  onChange: (verdict: DiffVerdict | null) => void;
};

export function DiffBar({ verdicts, value, onChange }: DiffBarProps) {
  const all = diffOrder.reduce((sum, verdict) => sum + (verdicts[verdict]?.cards ?? 0), 0);
  return (
    <fieldset className="diff-bar">
      <legend className="sr-only">Cards to show</legend>
      <button type="button" aria-pressed={value === null} onClick={() => onChange(null)}>
        All <b>{formatNumber(all)}</b>
      </button>
      {diffOrder.map((verdict) => {
        const weight = verdicts[verdict];
        if (weight === undefined && verdict !== value) return null;
        return (
          <button
            key={verdict}
            type="button"
            aria-pressed={value === verdict}
            title={`${formatNumber(weight?.tokens ?? 0)} tokens`}
            onClick={() => onChange(value === verdict ? null : verdict)}
          >
            <span className="diff-mark" data-verdict={verdict} aria-hidden>
              {diffMarks[verdict]}
            </span>
            {diffNames[verdict]} <b>{formatNumber(weight?.cards ?? 0)}</b>
          </button>
        );
      })}
    </fieldset>
  );
}
