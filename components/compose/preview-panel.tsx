"use client";

// What the target will see, as the kernel itself would pack it now: to scale against its window, in order, as text.
import { type ReactNode, useState } from "react";
import { Consist } from "@/components/ui/consist";
import { formatNumber, formatPercent } from "@/components/ui/format";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";
import type { LaunchCall } from "./launch-form";
import { PreviewChecks } from "./preview-checks";
import { PreviewOrder } from "./preview-order";
import { PreviewText } from "./preview-text";
import { type Answer, seenConsist, totalTokens, windowTokens } from "./seen-cards";

export type PreviewPanelProps = {
  projectId: string;
  call: LaunchCall | null;
  answer: Answer | null;
  isStale: boolean;
  /** Why there is nothing to show. */
  reason: string;
  isWaiting: boolean;
  title?: string;
  /** Above everything: the other tasks. */
  head?: ReactNode;
};

export function PreviewPanel(props: PreviewPanelProps) {
  const { projectId, call, answer, isStale, reason, isWaiting, title = "What it will see", head } = props;
  const [view, setView] = useState<"order" | "text">("order");
  return (
    <section aria-label="What it will see" aria-busy={isStale} className="compose-preview">
      {head}
      <header className="compose-preview-head">
        <Weight answer={answer} isWaiting={isWaiting} title={title} />
      </header>
      {answer === null ? (
        isWaiting ? (
          <SkeletonRows count={6} rowHeight={27} label="Checking what the agent will see" />
        ) : (
          <p className="px-4 py-3 text-ink-2">{reason}</p>
        )
      ) : (
        <div className="flex min-h-0 flex-1 flex-col" data-stale={isStale || undefined}>
          <div className="flex flex-none items-center px-4 pt-2.5 pb-1">
            <Segmented
              label="How to show it"
              value={view}
              onChange={setView}
              choices={[
                { value: "order", label: "In order" },
                { value: "text", label: "As the model sees it" },
              ]}
            />
          </div>
          {view === "order" ? (
            <PreviewOrder projectId={projectId} answer={answer} />
          ) : (
            <PreviewText projectId={projectId} call={call} />
          )}
          <PreviewChecks answer={answer} />
        </div>
      )}
    </section>
  );
}

function Weight({ answer, isWaiting, title }: { answer: Answer | null; isWaiting: boolean; title: string }) {
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
      <Consist
        cards={answer === null ? [] : seenConsist(answer)}
        window={window ?? (answer === null ? 1 : null)}
        height={10}
      />
      <p className="mt-1.5 text-ink-3 text-note">
        {answer === null
          ? "A dry run. Nothing is saved until you launch."
          : window === null
            ? "Estimated: prompt, tools and messages of the first request."
            : `Estimated: prompt, tools and messages of the first request, ${formatPercent(total, window)} of the window.`}
      </p>
    </>
  );
}
