"use client";

// A node of a plan before it has a turn, or without one for good: it stands where its turn will stand and says what it waits for.
import { memo } from "react";
import { stepAspects } from "@/components/domain/step-aspects";
import type { Detail } from "@/components/ground/viewport";
import { Aspect } from "@/components/ui/aspect";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { type Step, useStep } from "../use-step";
import { useYard } from "../yard-context";

/** `slot`: its name in the yard. `task`: which task of a fork it is. */
export type StepNodeProps = { stopId: string; slot: string; task: number | undefined; detail: Detail };

export const StepNode = memo(function StepNode({ stopId, slot, task, detail }: StepNodeProps) {
  const step = useStep(stopId);
  const { selectedId, matches } = useYard();
  if (!step) return null;
  const { status } = step.node;
  const { title, words, code } = wordsOf(step, task);
  const aspect = stepAspects[status];
  return (
    <div
      role="img"
      aria-label={[code, title, words].filter(Boolean).join(", ")}
      className={`ghost-wagon ${selectedId === slot ? "selected" : ""}`}
      data-step={step.node.id}
      data-status={status}
      data-detail={detail}
      data-failed={aspect === "failed" || aspect === "timeout" ? "" : undefined}
      data-off={
        status === "skipped" || status === "canceled" || step.graph.disabled || matches !== null ? "" : undefined
      }
      title={detail === "full" ? undefined : `${title}: ${words}`}
    >
      {detail === "chip" ? (
        <span className="ghost-chip">
          <Aspect status={aspect} size={14} label={null} />
          <span dir="auto" className="wagon-name">
            {title}
          </span>
          {code ? <Plate code={code} tone="bare" /> : null}
        </span>
      ) : (
        <span className="ghost-lines">
          <span className="flex min-w-0 items-center gap-1.5">
            <Aspect status={aspect} size={detail === "full" ? 15 : 13} label={null} />
            <b dir="auto" className="min-w-0 flex-1 truncate">
              {title}
            </b>
            {code ? <Plate code={code} tone="bare" className="ghost-plate" /> : null}
          </span>
          <span dir="auto" className="truncate text-ink-2" title={words}>
            {words}
          </span>
        </span>
      )}
    </div>
  );
});

function wordsOf({ graph, node, words }: Step, task: number | undefined) {
  const one = task === undefined ? undefined : graph.tasks[task];
  const title = plainWords(one?.title ?? graph.title);
  // In a fork the head says what all of it waits for.
  const own = task === undefined || node.status === "failed" ? words : (one?.target ?? "");
  return { title, words: graph.disabled ? "switched off" : own, code: node.headcodes[task ?? 0] };
}
