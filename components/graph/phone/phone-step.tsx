"use client";

import { stepAspects } from "@/components/domain/step-aspects";
// Nodes of plans on a phone before they have turns: the head of a fork, a line for each wagon, and a sheet in which a held one is
// decided.
import { Aspect } from "@/components/ui/aspect";
import { Icon } from "@/components/ui/icon";
import { KindMark } from "@/components/ui/kind-mark";
import { lazyPart } from "@/components/ui/lazy-part";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import type { PlanHoldProps } from "../plan-hold";
import { spokenStep, useStep } from "../use-step";
import { useTopology, useYard } from "../yard-context";
import { type PhoneRow, phoneTrackY, phoneWagonX } from "./phone-plan";

const PlanHold = lazyPart<PlanHoldProps>(() => import("../plan-hold").then((module) => module.PlanHold), {
  missing: "The decision could not be loaded",
});

type LineProps = { row: PhoneRow; index: number; right: number };

export function PhoneDrawnHead({ row, index }: Omit<LineProps, "right">) {
  const step = useStep(row.id);
  if (!step) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a form
    <div
      role="group"
      aria-label={spokenStep(step)}
      className="absolute flex h-11 items-center gap-2"
      style={{ top: phoneTrackY(index) - 34, left: phoneWagonX(row.level), right: 14 }}
    >
      <KindMark kind="fork" size={15} label={null} />
      <b dir="auto" className="truncate">
        {plainWords(step.graph.title)}
      </b>
      <span dir="auto" className="min-w-0 flex-1 truncate text-right text-ink-2 text-note">
        {step.words}
      </span>
    </div>
  );
}

export function PhoneStep({ row, index, right }: LineProps) {
  const step = useStep(row.lane?.batch_id ?? row.id);
  const { selectedId, select } = useYard();
  if (!step) return null;
  const { node, graph, words } = step;
  const task = row.lane ? graph.tasks[row.lane.task_index] : undefined;
  const code = node.headcodes[row.lane?.task_index ?? 0];
  const isSelected = selectedId === row.id;
  return (
    <button
      type="button"
      className={`phone-ghost text-left ${isSelected ? "selected" : ""}`}
      data-step={node.id}
      data-status={node.status}
      aria-label={spokenStep(step)}
      aria-pressed={isSelected}
      style={{ top: phoneTrackY(index) - 42, left: phoneWagonX(row.level), right }}
      onClick={() => select(isSelected ? null : row.id)}
    >
      <Aspect status={stepAspects[node.status]} size={15} label={null} />
      {node.status === "held" ? <Icon name="person" size={13} className="flex-none" /> : null}
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {plainWords(task?.title ?? graph.title)}
      </span>
      {row.lane ? null : (
        <span dir="auto" className="min-w-0 max-w-[45%] truncate text-ink-3 text-note">
          {words}
        </span>
      )}
      {code ? <Plate code={code} tone="bare" /> : null}
    </button>
  );
}

/** What a selected step waits for, and its decision while it is held. */
export function PhoneStepSheet() {
  const { projectId, selectedId, select } = useYard();
  const { places, plans } = useTopology();
  const place = places.get(selectedId ?? "");
  const step = useStep((place?.is_ghost && place.stop) || "");
  if (!step) return null;
  const { node, graph, words } = step;
  return (
    <section className="phone-sheet h-auto max-h-[44%] gap-2 overflow-y-auto p-4" aria-label={plainWords(graph.title)}>
      <header className="flex items-center gap-2">
        <Aspect status={stepAspects[node.status]} size={15} label={null} />
        <b dir="auto" className="min-w-0 flex-1 truncate">
          {plainWords(graph.title)}
        </b>
        <button type="button" className="btn" onClick={() => select(null)}>
          Close
        </button>
      </header>
      <p dir="auto" className="text-ink-2">
        {[words, ...graph.targets].join(", ")}
      </p>
      {node.status === "held" && node.request_id !== undefined ? (
        <PlanHold
          key={node.request_id}
          projectId={projectId}
          request_id={node.request_id}
          parent_turn_id={plans.get(node.plan_run_id)?.parent ?? ""}
        />
      ) : null}
    </section>
  );
}
