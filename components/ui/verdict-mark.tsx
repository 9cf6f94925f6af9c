// What a handover did with a card. What did not travel is drawn too: it ends at a buffer stop.
import type { ReactNode } from "react";
import { cn } from "./cn";
import { Sign } from "./sign";
import type { Verdict } from "./sign-words";

export type VerdictMarkProps = {
  verdict: Verdict;
  size?: number;
  className?: string;
  /** `null` where the same word stands beside the mark. */
  label?: string | null;
};

export function VerdictMark({ verdict, size = 14, className, label = verdict }: VerdictMarkProps) {
  return (
    <Sign size={size} className={cn(tone[verdict], className)} label={label}>
      {shapes[verdict]}
    </Sign>
  );
}

const shapes: Record<Verdict, ReactNode> = {
  passed: (
    <>
      <path d="M1.5 8h12" />
      <path d="m10 4.4 3.6 3.6L10 11.6" />
    </>
  ),
  added: (
    <>
      <path d="M8 2.8v10.4M2.8 8h10.4" strokeWidth={2} />
    </>
  ),
  withheld: (
    <>
      <path d="M1 8h9" />
      <path d="M10.6 3.2v9.6" strokeWidth={2.2} />
      <path d="M14 5v6" strokeWidth={1.8} />
    </>
  ),
  redacted: (
    <>
      <path d="M2 5h6.5M2 11h4" strokeWidth={1.6} />
      <path d="M10.8 5H14M8.5 11H14M2 8h12" strokeWidth={3.2} strokeLinecap="butt" />
    </>
  ),
};

// Only "added" spends hue: it is the one verdict that means more than before. Withheld is quieter than ink.
const tone: Record<Verdict, string> = {
  passed: "text-ink-2",
  added: "text-st-success",
  withheld: "text-ink-3",
  redacted: "text-ink",
};
