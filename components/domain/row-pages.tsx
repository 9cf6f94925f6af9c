// The pages of a comparison, and the way back where an address asks for a row past the last one.
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatNumber } from "@/components/ui/format";
import "./row-pages.css";

export type RowPagesProps = {
  /** "card" or "turn". */
  noun: string;
  /** The first row that was asked for, from 0. */
  from: number;
  shown: number;
  total: number;
  /** Rows of a page. */
  size: number;
  onFrom: (from: number) => void;
};

export function RowPages({ noun, from, shown, total, size, onFrom }: RowPagesProps) {
  if (shown >= total) return null;
  if (shown === 0)
    return (
      <EmptyState
        title={`No ${noun} ${formatNumber(from + 1)}`}
        cause={`The address asks for ${noun} ${formatNumber(from + 1)}, and there ${total === 1 ? "is" : "are"} ${formatCount(total, noun)}.`}
        remedy={<Button onClick={() => onFrom(lastPage(total, size))}>Show the last page</Button>}
      />
    );
  return (
    <nav aria-label={`Pages of ${noun}s`} className="row-pages">
      <Button disabled={from === 0} onClick={() => onFrom(Math.max(0, from - size))}>
        Previous
      </Button>
      <span>
        {formatNumber(from + 1)} to {formatNumber(from + shown)} of {formatCount(total, noun)}
      </span>
      <Button disabled={from + shown >= total} onClick={() => onFrom(from + size)}>
        Next
      </Button>
    </nav>
  );
}

const lastPage = (total: number, size: number) => Math.floor((total - 1) / size) * size;
