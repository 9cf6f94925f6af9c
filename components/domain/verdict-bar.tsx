"use client";

// Which cards of a comparison are shown: all, or those of one verdict, with how many there are of each. Of a hand-over, of two
// boxes, and of the turns of two runs.
import type { ReactNode } from "react";
import { formatNumber } from "@/components/ui/format";
import type { Weight } from "@/server/contract/handover-diff";
import "./verdict-bar.css";

export type VerdictBarProps<Verdict extends string> = {
  /** As they stand. One without a card is left out, unless it is chosen. */
  order: readonly Verdict[];
  names: Readonly<Record<Verdict, string>>;
  /** What a verdict means, under the pointer. */
  sentences?: Readonly<Record<Verdict, string>>;
  sign: (verdict: Verdict) => ReactNode;
  /** What is filtered, where it is not cards. */
  legend?: string;
  weights: Partial<Record<Verdict, Weight>>;
  value: Verdict | null;
  onChange: (verdict: Verdict | null) => void;
};

export function VerdictBar<Verdict extends string>(props: VerdictBarProps<Verdict>) {
  const { order, names, sentences, sign, legend, weights, value, onChange } = props;
  const all = order.reduce((sum, verdict) => sum + (weights[verdict]?.cards ?? 0), 0);
  return (
    <fieldset className="verdict-bar">
      <legend className="sr-only">{legend ?? "Cards to show"}</legend>
      <button type="button" aria-pressed={value === null} onClick={() => onChange(null)}>
        All <b>{formatNumber(all)}</b>
      </button>
      {order.map((verdict) => {
        const weight = weights[verdict];
        if (weight === undefined && verdict !== value) return null;
        const tokens = legend === undefined ? `${formatNumber(weight?.tokens ?? 0)} tokens` : undefined;
        return (
          <button
            key={verdict}
            type="button"
            aria-pressed={value === verdict}
            title={sentences === undefined ? tokens : `${sentences[verdict]} ${tokens ?? ""}`}
            onClick={() => onChange(value === verdict ? null : verdict)}
          >
            {sign(verdict)}
            {names[verdict]} <b>{formatNumber(weight?.cards ?? 0)}</b>
          </button>
        );
      })}
    </fieldset>
  );
}
