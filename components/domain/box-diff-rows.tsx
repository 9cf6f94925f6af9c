"use client";

// The cards of two boxes side by side: the other box at the left, this one at the right; a rewritten pair opens to its changes.
import type { RefObject } from "react";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { RoleTag } from "@/components/ui/role-tag";
import type { BoxDiff, BoxDiffRow } from "@/server/contract/box-diff/box-diff";
import type { CardLine } from "@/server/contract/line";
import { boxName, diffMarks, diffNames } from "./box-diff-words";
import { ContentChange } from "./content-change";

export type BoxDiffRowsProps = {
  projectId: string;
  diff: BoxDiff;
  /** For the keys that walk the cards. */
  list?: RefObject<HTMLUListElement | null>;
};

export function BoxDiffRows({ projectId, diff, list }: BoxDiffRowsProps) {
  return (
    <div className="diff-scroll">
      <div className="diff-columns">
        {[diff.a, diff.b].map((box, side) => (
          <h2 key={side === 0 ? "a" : "b"} className="flex items-baseline gap-3 font-semibold">
            <span className="truncate">{boxName(box)}</span>
            <span className="flex-none font-normal text-ink-2">
              {formatCount(box.cards, "card")}, {formatCount(box.tokens, "token")}
            </span>
          </h2>
        ))}
      </div>
      <ul ref={list}>
        {diff.rows.map((row) => (
          <Row key={`${row.a?.at ?? ""} ${row.b?.at ?? ""}`} projectId={projectId} row={row} />
        ))}
      </ul>
    </div>
  );
}

function Row({ projectId, row }: { projectId: string; row: BoxDiffRow }) {
  const { verdict, a, b, change, alike, paired_by } = row;
  return (
    <li className="diff-row" data-verdict={verdict}>
      <Side projectId={projectId} line={a} isLead={b === undefined} />
      <span className="diff-mark" data-verdict={verdict} title={diffNames[verdict]}>
        {diffMarks[verdict]}
        <span className="sr-only"> {diffNames[verdict]}</span>
      </span>
      <Side projectId={projectId} line={b} isLead />
      {change === undefined ? null : (
        <details className="diff-change">
          <summary>
            What was changed
            {paired_by === "copy"
              ? ": it is a copy"
              : alike === undefined
                ? ""
                : `: ${Math.round(alike * 100)} % alike`}
          </summary>
          <ContentChange change={change} />
        </details>
      )}
    </li>
  );
}

type SideProps = { projectId: string; line: (CardLine & { at: number }) | undefined; isLead: boolean };

function Side({ projectId, line, isLead }: SideProps) {
  if (line === undefined) return <span className="diff-side" data-empty />;
  return (
    <Link
      data-row={isLead || undefined}
      className="diff-side"
      prefetch={false}
      href={`/p/${encodeURIComponent(projectId)}/cards/${encodeURIComponent(line.card_id)}`}
    >
      <span className="w-8 flex-none text-right text-ink-3">{formatNumber(line.at + 1)}</span>
      <RoleTag cardRole={line.role} />
      <span className="mono max-w-[40%] flex-none truncate">{line.type}</span>
      <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2" title={line.title}>
        {line.gone === undefined ? line.title : `(${line.gone})`}
      </span>
      <b className="flex-none font-semibold">{formatNumber(line.token_count)}</b>
    </Link>
  );
}
