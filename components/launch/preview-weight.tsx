"use client";

// How much of the window a dry run fills, to scale.
import { Consist } from "@/components/ui/consist";
import { formatNumber, formatPercent } from "@/components/ui/format";
import { Skeleton } from "@/components/ui/skeleton";
import { type PackAnswer, seenConsist, totalTokens, windowTokens } from "./seen-cards";

export type PreviewWeightProps = {
  answer: PackAnswer | null;
  isWaiting: boolean;
  title: string;
  /** While nothing is packed. */
  note?: string;
};

export function PreviewWeight(props: PreviewWeightProps) {
  const { answer, isWaiting, title, note = "A dry run. Nothing is saved until you launch." } = props;
  const total = answer === null ? 0 : totalTokens(answer);
  const window = answer === null ? null : windowTokens(answer);
  return (
    <>
      <div className="mb-2 flex items-baseline gap-1">
        <h3 className="font-semibold">{title}</h3>
        <span className="flex-1" />
        {answer === null ? (
          isWaiting ? (
            <Skeleton className="h-2.5 w-24" />
          ) : (
            <span className="text-ink-3">not packed yet</span>
          )
        ) : (
          <>
            <b className={window !== null && total > window ? "text-st-failed" : undefined}>{formatNumber(total)}</b>
            <span className="text-ink-3">
              {window === null ? "tokens, window unknown" : `of ${formatNumber(window)}`}
            </span>
          </>
        )}
      </div>
      {answer === null ? (
        // An empty bar would say that it holds nothing.
        <span className="consist" style={{ height: 10 }} />
      ) : (
        <Consist cards={seenConsist(answer)} window={window} height={10} />
      )}
      <p className="mt-1.5 text-ink-3 text-note">
        {answer === null
          ? isWaiting
            ? "Checking what it weighs."
            : note
          : window === null
            ? "Estimated: prompt, tools and messages of the first request."
            : `Estimated: prompt, tools and messages of the first request, ${formatPercent(total, window)} of the window.`}
      </p>
    </>
  );
}
