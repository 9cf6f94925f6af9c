// Two boxes that were compared: the rows of one page, what was not looked through, and the pages. Of the tab of a box and of two turns.
import type { RefObject } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { BoxDiff } from "@/server/contract/box-diff/box-diff";
import { BoxDiffRows } from "./box-diff-rows";
import { RowPages } from "./row-pages";
import "./box-diff.css";

/** Of a page. */
export const BOX_DIFF_ROWS = 200;

export const BoxDiffWaiting = ({ error }: { error: string | undefined }) =>
  error === undefined ? (
    <SkeletonRows count={10} rowHeight={34} label="Loading the comparison" />
  ) : (
    <EmptyState title="Not compared" cause={error} />
  );

export type BoxDiffViewProps = {
  projectId: string;
  diff: BoxDiff;
  list?: RefObject<HTMLUListElement | null>;
  onFrom: (from: number) => void;
};

export function BoxDiffView({ projectId, diff, list, onFrom }: BoxDiffViewProps) {
  const { rows, rows_total, from, unpaired } = diff;
  return (
    <>
      {unpaired === 0 ? null : (
        <p className="diff-note">
          {formatNumber(unpaired)} cards were not looked through for rewritten ones: there are too many.
        </p>
      )}
      {rows_total === 0 ? (
        <EmptyState title="No such cards" cause="The other filters have the cards." />
      ) : rows.length === 0 ? null : (
        <BoxDiffRows projectId={projectId} diff={diff} {...(list && { list })} />
      )}
      <RowPages noun="card" {...{ from, shown: rows.length, total: rows_total, size: BOX_DIFF_ROWS, onFrom }} />
    </>
  );
}
