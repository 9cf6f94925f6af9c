"use client";

// Every turn of two runs in one table: how each stands, what the second took more than the first, and where a pair parts.
import { type RefObject, useEffect } from "react";
import { Aspect } from "@/components/ui/aspect";
import { formatNumber } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { whatDiffers } from "@/server/contract/run-compare/parting";
import type { CompareRow, RunComparison } from "@/server/contract/run-compare/run-comparison";
import { codesOf } from "./compare-tree";
import { compareMarks, compareNames, deltasOf, keyOf } from "./compare-words";

export type CompareTableProps = {
  comparison: RunComparison;
  pair: string | null;
  onPair: (pair: string) => void;
  list: RefObject<HTMLDivElement | null>;
};

export function CompareTable({ comparison, pair, onPair, list }: CompareTableProps) {
  const { a, b, rows } = comparison;
  const names = compareNames(a.number, b.number);
  useEffect(() => {
    if (pair === null) return;
    list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }, [pair, list]);
  return (
    <div className="compare-table">
      <div className="compare-columns" aria-hidden>
        <span>Turn</span>
        <span>Status</span>
        <span>Tokens</span>
        <span>Δ tokens</span>
        <span>Δ cost</span>
        <span>Δ time</span>
        <span>What differs first</span>
      </div>
      <div ref={list}>
        {rows.map((row) => (
          <button
            key={row.at}
            type="button"
            data-row
            className="compare-row"
            data-verdict={row.verdict}
            aria-current={keyOf(row) === pair ? "true" : undefined}
            onClick={() => onPair(keyOf(row))}
          >
            <Cells row={row} name={names[row.verdict]} />
          </button>
        ))}
      </div>
    </div>
  );
}

function Cells({ row, name }: { row: CompareRow; name: string }) {
  const { a, b, parts, verdict, depth, by_figures } = row;
  const turn = a ?? b;
  const deltas = deltasOf(row);
  const used = [a, b].map((one) => (one ? one.tokens_in + one.tokens_out : 0));
  // A turn that used tokens has some: none are what nobody reported.
  const isReported = used.some((tokens) => tokens > 0);
  if (!turn) return null;
  return (
    <>
      <span className="compare-who" style={{ paddingLeft: Math.min(depth, 8) * 14 }}>
        <i className="compare-mark" data-verdict={verdict} aria-hidden>
          {compareMarks[verdict]}
        </i>
        <span className="sr-only">{name}: </span>
        <Plate code={codesOf(row)} tone="bare" />
        <b className="truncate font-semibold">{turn.is_human ? "A person" : turn.profile_name}</b>
        <span dir="auto" className="compare-title">
          {plainWords(turn.title)}
        </span>
      </span>
      <span className="flex gap-1.5">
        {a ? <Aspect status={a.status} size={13} /> : <i className="compare-none" aria-hidden />}
        {b ? <Aspect status={b.status} size={13} /> : <i className="compare-none" aria-hidden />}
      </span>
      <span className="compare-figure" data-empty={!isReported || undefined}>
        {isReported ? (
          <>
            <span className="compare-label">Tokens </span>
            {formatNumber(used[a ? 0 : 1] ?? 0)}
          </>
        ) : null}
      </span>
      <Delta label="tokens" value={isReported ? deltas.tokens : ""} />
      <Delta label="cost" value={deltas.cost} />
      <Delta label="time" value={deltas.time} />
      <span className="compare-what">
        {parts
          ? whatDiffers(parts)
          : by_figures
            ? "compared by figures only"
            : verdict === "same"
              ? ""
              : name.toLowerCase()}
      </span>
    </>
  );
}

const Delta = ({ label, value }: { label: string; value: string }) => (
  <span className="compare-figure" data-zero={value === "0" || undefined} data-empty={value === "" || undefined}>
    {value === "" ? null : <span className="compare-label">Δ {label} </span>}
    {value}
  </span>
);
