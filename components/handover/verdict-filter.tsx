"use client";

// Which cards are shown: all, or those of one verdict, with how many there are of each.
import { formatNumber } from "@/components/ui/format";
import type { HandoverSheet, HandoverVerdict } from "@/server/contract/handover-diff";
import { VerdictSign } from "./verdict-sign";
import { verdictNames, verdictOrder, verdictSentences } from "./view/verdict-words";

export type VerdictFilterProps = {
  verdicts: HandoverSheet["verdicts"];
  value: HandoverVerdict | null;
  onChange: (verdict: HandoverVerdict | null) => void;
};

export function VerdictFilter({ verdicts, value, onChange }: VerdictFilterProps) {
  const all = verdictOrder.reduce((sum, verdict) => sum + (verdicts[verdict]?.cards ?? 0), 0);
  return (
    <fieldset className="handover-filter">
      <legend className="sr-only">Cards to show</legend>
      <button type="button" aria-pressed={value === null} onClick={() => onChange(null)}>
        All <b>{formatNumber(all)}</b>
      </button>
      {verdictOrder.map((verdict) => {
        const weight = verdicts[verdict];
        if (weight === undefined && verdict !== value) return null;
        return (
          <button
            key={verdict}
            type="button"
            aria-pressed={value === verdict}
            title={`${verdictSentences[verdict]} ${formatNumber(weight?.tokens ?? 0)} tokens`}
            onClick={() => onChange(value === verdict ? null : verdict)}
          >
            <VerdictSign verdict={verdict} isNamed />
            {verdictNames[verdict]} <b>{formatNumber(weight?.cards ?? 0)}</b>
          </button>
        );
      })}
    </fieldset>
  );
}
