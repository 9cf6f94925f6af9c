// Two boxes that were compared: the rows of one page, what was not looked through, and the pages. Of the tab of a box and of two turns.
import type { RefObject } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { BoxDiff } from "@/server/contract/box-diff/box-diff";
import { BoxDiffRows } from "./box-diff-rows";
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
      {rows.length === 0 ? (
        <EmptyState title="No such cards" cause="The other filters have the cards." />
      ) : (
        <BoxDiffRows projectId={projectId} diff={diff} {...(list && { list })} />
      )}
      {rows_total > rows.length ? (
        <nav aria-label="Pages of cards" className="diff-pages">
          <Button disabled={from === 0} onClick={() => onFrom(Math.max(0, from - BOX_DIFF_ROWS))}>
            Previous
          </Button>
          <span>
            {formatNumber(from + 1)} to {formatNumber(from + rows.length)} of {formatNumber(rows_total)} cards
          </span>
          <Button disabled={from + rows.length >= rows_total} onClick={() => onFrom(from + BOX_DIFF_ROWS)}>
            Next
          </Button>
        </nav>
      ) : null}
    </>
  );
}
