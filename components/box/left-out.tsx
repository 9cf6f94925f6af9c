"use client";

// What packing left out and why, at the foot of every list: what is missing is always shown.
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { VerdictMark } from "@/components/ui/verdict-mark";
import { boxPlate } from "@/server/contract/box";
import type { Receipt, ReceiptLine } from "@/server/contract/pack";

const linesPerPage = 100;

export function LeftOut({ receipt, projectId }: { receipt: Receipt; projectId: string }) {
  const lines = receipt.lines.filter((line) => line.verdict !== "included");
  const [isOpen, setIsOpen] = useState(lines.length <= 4);
  const [shown, setShown] = useState(linesPerPage);
  if (lines.length === 0) return null;
  const leftOut = lines.filter((line) => line.verdict !== "redacted");
  return (
    <section aria-label="Left out" className="flex max-h-[45%] flex-none flex-col border-line border-t">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex h-8 flex-none items-center gap-2 pr-3 pl-3.5 hover:bg-raise"
      >
        <Icon name={isOpen ? "down" : "right"} size={13} className="text-ink-3" />
        <span className="font-semibold">Left out</span>
        <span className="min-w-0 truncate text-ink-3">
          {formatCount(receipt.left_out_cards, "card")}: {reasonsOf(lines)}
        </span>
        <span className="flex-1" />
        <s className="text-ink-3">{formatNumber(sum(leftOut, "tokens"))}</s>
      </button>
      {isOpen ? (
        <ul className="min-h-0 overflow-y-auto border-line border-t">
          {lines.slice(0, shown).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a receipt never changes, a line is its place in it.
            <li key={index}>
              <Line line={line} projectId={projectId} />
            </li>
          ))}
          {shown < lines.length ? (
            <li className="flex items-center gap-3 px-4 py-1.5 text-ink-3">
              {formatNumber(shown)} of {formatNumber(lines.length)} lines
              <Button size="sm" onClick={() => setShown(shown + linesPerPage)}>
                Show more
              </Button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </section>
  );
}

function Line({ line, projectId }: { line: ReceiptLine; projectId: string }) {
  const words = (
    <>
      {line.verdict === "duplicate" ? (
        <Icon name="copy" size={13} className="text-ink-3" />
      ) : (
        <VerdictMark verdict={line.verdict === "redacted" ? "redacted" : "withheld"} size={14} label={null} />
      )}
      <span className="flex-none text-ink-2">{line.verdict}</span>
      <span className="min-w-0 truncate text-ink-3" title={line.reason}>
        {line.reason ?? plainReason[line.verdict]}
        {line.cards > 1 ? `, ${formatNumber(line.cards)} cards` : ""}
      </span>
      <span className="flex-1" />
      {line.box_id === undefined ? null : <span className="mono flex-none text-ink-3">{boxPlate(line.box_id)}</span>}
      <span className={`w-12 flex-none text-right text-ink-3 ${line.verdict === "redacted" ? "" : "line-through"}`}>
        {formatNumber(line.tokens)}
      </span>
    </>
  );
  const classes = "flex h-7 items-center gap-2 pr-3 pl-4";
  const href = hrefOf(line, projectId);
  if (href === null) return <span className={classes}>{words}</span>;
  return (
    <Link href={href} className={`${classes} hover:bg-raise`}>
      {words}
    </Link>
  );
}

const plainReason: Record<ReceiptLine["verdict"], string> = {
  included: "",
  withheld: "the recipe keeps it out",
  duplicate: "is in the box already",
  redacted: "a redacted copy was passed on",
};

function hrefOf(line: ReceiptLine, projectId: string): string | null {
  const base = `/p/${encodeURIComponent(projectId)}`;
  if (line.box_id !== undefined && line.from !== undefined) return `${base}/boxes/${line.box_id}?card=${line.from + 1}`;
  return line.card_id === undefined ? null : `${base}/cards/${line.card_id}`;
}

/** "2 withheld, 1 duplicate" */
function reasonsOf(lines: readonly ReceiptLine[]): string {
  return (["withheld", "redacted", "duplicate"] as const)
    .map((verdict) => ({
      verdict,
      cards: sum(
        lines.filter((line) => line.verdict === verdict),
        "cards",
      ),
    }))
    .filter((part) => part.cards > 0)
    .map((part) => `${formatNumber(part.cards)} ${part.verdict}`)
    .join(", ");
}

function sum(lines: readonly ReceiptLine[], key: "cards" | "tokens"): number {
  return lines.reduce((total, line) => total + line[key], 0);
}
