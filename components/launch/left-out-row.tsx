"use client";

// A card, or a run of neighbours, that is left out of the hand-over: struck through, with the reason beside it.
import { formatCount, formatNumber } from "@/components/ui/format";
import type { Verdict as Drawn } from "@/components/ui/sign-words";
import { VerdictMark } from "@/components/ui/verdict-mark";
import { boxPlate } from "@/server/contract/box";
import type { ReceiptLine, Verdict } from "@/server/contract/pack";

export function LeftOutRow({ line }: { line: ReceiptLine }) {
  return (
    <p className="launch-order-row" data-quiet title={line.reason}>
      <span className="launch-order-number" />
      <VerdictMark verdict={drawn[line.verdict]} size={14} label={words[line.verdict]} />
      <s className="flex-none">{whatOf(line)}</s>
      <span className="min-w-0 flex-1 truncate text-ink-2">{line.reason ?? words[line.verdict]}</span>
      <b className="w-10 flex-none text-right">{formatNumber(line.tokens)}</b>
    </p>
  );
}

const drawn: Record<Verdict, Drawn> = {
  included: "passed",
  withheld: "withheld",
  duplicate: "withheld",
  redacted: "redacted",
};
const words: Record<Verdict, string> = {
  included: "passed",
  withheld: "left out",
  duplicate: "left out, a duplicate",
  redacted: "passed, redacted",
};

function whatOf(line: ReceiptLine): string {
  const where = line.box_id === undefined ? "" : ` of ${boxPlate(line.box_id)}`;
  if (line.from !== undefined && line.to !== undefined && line.to > line.from)
    return `cards ${line.from + 1} to ${line.to + 1}${where}`;
  if (line.from !== undefined) return `card ${line.from + 1}${where}`;
  return `${formatCount(line.cards, "card")}${where}`;
}
