"use client";

// Both runs as one picture: a turn that both have is solid, one that only one of them has is dashed, and what changed has a bar.
import { useMemo } from "react";
import { formatNumber } from "@/components/ui/format";
import type { CompareRow, RunComparison } from "@/server/contract/run-compare/run-comparison";
import { compareMarks, compareNames, keyOf } from "./compare-words";
import { layTree, NODE } from "./lay-tree";
import "./compare-tree.css";

export type CompareTreeProps = {
  comparison: RunComparison;
  pair: string | null;
  onPair: (pair: string) => void;
};

export function CompareTree({ comparison, pair, onPair }: CompareTreeProps) {
  const { rows, rows_total, a, b } = comparison;
  const tree = useMemo(() => layTree(rows), [rows]);
  const names = compareNames(a.number, b.number);
  const first = comparison.parts?.a?.agent_turn_id ?? comparison.parts?.b?.agent_turn_id;
  return (
    <section className="compare-picture" aria-label="Both runs as one tree">
      <div className="compare-canvas" style={{ width: tree.width, height: tree.height }}>
        <svg aria-hidden width={tree.width} height={tree.height}>
          {tree.tracks.map(({ key, path, verdict }) => (
            <path key={key} d={path} data-verdict={verdict} />
          ))}
        </svg>
        {tree.nodes.map(({ row, x, y }) => (
          <button
            key={row.at}
            type="button"
            className="compare-node"
            style={{ left: x, top: y, width: NODE.width, height: NODE.height }}
            data-verdict={row.verdict}
            data-first={first !== undefined && (row.a ?? row.b)?.agent_turn_id === first ? true : undefined}
            aria-current={keyOf(row) === pair ? "true" : undefined}
            title={`${titleOf(row)}: ${names[row.verdict]}`}
            // The table below has the same turns in the same order: a second way through all of them is no help.
            tabIndex={-1}
            onClick={() => onPair(keyOf(row))}
          >
            <i aria-hidden>{compareMarks[row.verdict]}</i>
            {codesOf(row)}
            <span className="sr-only"> {names[row.verdict]}</span>
          </button>
        ))}
      </div>
      {rows.length < rows_total ? (
        <p className="compare-note">
          {formatNumber(rows.length)} of {formatNumber(rows_total)} turns
        </p>
      ) : null}
    </section>
  );
}

export function codesOf({ a, b }: Pick<CompareRow, "a" | "b">): string {
  if (a && b && a.headcode !== b.headcode) return `${a.headcode} ${b.headcode}`;
  return (a ?? b)?.headcode ?? "";
}

const titleOf = ({ a, b }: CompareRow): string => {
  const turn = a ?? b;
  return turn ? `${turn.is_human ? "A person" : turn.profile_name} ${turn.headcode}` : "";
};
