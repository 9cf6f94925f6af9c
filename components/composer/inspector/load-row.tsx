"use client";

// One thing that a wagon is given: its place in the order, whose cards they are, what it is and what it weighs.
import type { ReactNode } from "react";
import { BoxId } from "@/components/ui/box-id";
import { formatNumber } from "@/components/ui/format";
import { RoleBar } from "@/components/ui/role-tag";
import { nameOf } from "@/server/contract/plan/plan-words";
import { useCrate } from "../canvas/use-crate";
import type { LoadWeight } from "../check/load-weights";
import { knownParts, usePlan } from "../composer-context";
import type { LoadRow } from "../drawing/loads";

export type LoadLineProps = {
  row: LoadRow;
  /** Among all that the model reads, from 1. */
  rank: number;
  /** Absent = not known yet. */
  weight: LoadWeight | undefined;
  /** In the rank's stead, where it cannot be moved here. */
  mark?: ReactNode;
  children?: ReactNode;
};

export function LoadLine({ row, rank, weight, mark, children }: LoadLineProps) {
  return (
    <>
      {mark}
      <span className="w-4 flex-none text-right text-ink-3">{rank}</span>
      <RoleBar cardRole={weight?.role ?? roleOf(row)} className={weight ? "h-4" : "h-4 opacity-40"} />
      {row.crate === null ? <ResultName row={row} hasTake={children !== undefined} /> : <CrateName row={row} />}
      {weight ? <span className="flex-none text-right">{formatNumber(weight.tokens)}</span> : null}
      {children}
    </>
  );
}

/** What travels of a result stands in the list beside it; said twice, neither could be read. */
function ResultName({ row, hasTake }: { row: LoadRow; hasTake: boolean }) {
  const part = knownParts(usePlan()).get("from" in row.load ? row.load.from : "");
  return (
    <span dir="auto" className="min-w-0 flex-1 truncate" title={row.words}>
      {part && hasTake ? nameOf(part) : row.words}
    </span>
  );
}

function CrateName({ row }: { row: LoadRow }) {
  const [kind = "", ref = ""] = row.crate?.split(":") ?? [];
  const known = useCrate({ kind: kind === "card" ? "card" : kind === "box" ? "box" : "input", ref });
  if (kind === "input")
    return (
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {row.words}
      </span>
    );
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2" title={`${row.words}: ${known.words}`}>
      {kind === "box" ? <BoxId code={ref.slice(-4).toUpperCase()} /> : null}
      <span dir="auto" className="min-w-0 truncate">
        {known.words === "" ? row.words : known.words}
      </span>
    </span>
  );
}

const roleOf = ({ crate }: LoadRow) => (crate === null ? "assistant" : "user");
