"use client";

// What the target will see, as the kernel itself would pack it now: to scale against its window, in order, as text.
import { type ReactNode, useState } from "react";
import { Segmented } from "@/components/ui/segmented";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { LaunchCall } from "./launch-form";
import { PreviewChecks } from "./preview-checks";
import { PreviewOrder } from "./preview-order";
import { PreviewText } from "./preview-text";
import { PreviewWeight } from "./preview-weight";
import type { Answer } from "./seen-cards";

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
    <section aria-label="What it will see" aria-busy={isStale} className="launch-preview">
      {head}
      <header className="launch-preview-head">
        <PreviewWeight answer={answer} isWaiting={isWaiting} title={title} />
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
