"use client";

// The receipt of a box before it is made: every card in its order, and what is left out, with the reason.
import { formatCount } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { SkeletonRows } from "@/components/ui/skeleton";
import { VerdictMark } from "@/components/ui/verdict-mark";
import { PreviewOrder } from "./preview-order";
import { PreviewWeight } from "./preview-weight";
import type { PackAnswer } from "./seen-cards";

export type PackPreviewProps = {
  projectId: string;
  answer: PackAnswer | null;
  isStale: boolean;
  isWaiting: boolean;
  /** Why there is nothing to show. */
  reason: string;
};

export function PackPreview({ projectId, answer, isStale, isWaiting, reason }: PackPreviewProps) {
  return (
    <section aria-label="Receipt" aria-busy={isStale} className="launch-preview">
      <header className="launch-preview-head">
        <PreviewWeight
          answer={answer}
          isWaiting={isWaiting}
          title="What its reader would see"
          note="A dry run. Nothing is saved until you make the box."
        />
      </header>
      {answer === null ? (
        isWaiting ? (
          <SkeletonRows count={6} rowHeight={27} label="Checking what the box would hold" />
        ) : (
          <p className="px-4 py-3 text-ink-2">{reason}</p>
        )
      ) : (
        <div className="flex min-h-0 flex-1 flex-col" data-stale={isStale || undefined}>
          <PreviewOrder projectId={projectId} answer={answer} />
          <Summary answer={answer} />
        </div>
      )}
    </section>
  );
}

function Summary({ answer }: { answer: PackAnswer }) {
  const { included_cards, left_out_cards, recipe, order } = answer.pack.receipt;
  return (
    <div className="flex-none border-line border-t px-4 py-2.5">
      <h4 className="mb-1 text-ink-3 text-note">Receipt</h4>
      <ul className="flex flex-col gap-1.5">
        <li className="flex items-center gap-2">
          <Icon name="check" size={14} className="text-st-success" />
          {formatCount(included_cards, "card")} packed
          {recipe === undefined ? "" : ` by recipe ${recipe.name}@${recipe.version}`}
        </li>
        {left_out_cards === 0 ? null : (
          <li className="flex items-center gap-2">
            <VerdictMark verdict="withheld" size={14} label={null} />
            {formatCount(left_out_cards, "card")} left out or redacted, with the reason in the list
          </li>
        )}
        <li className="flex items-center gap-2 text-ink-2">
          <Icon name="menu" size={14} />
          {order === "inherited_first"
            ? "Boxes and cards first, then arguments"
            : "Arguments first, then boxes and cards"}
        </li>
      </ul>
    </div>
  );
}
