"use client";

// Before a fork is launched: every step with its verdict and the reason. A box beside each lets it run although nothing changed.
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import { ASKED_FOR } from "@/server/contract/plan/fork-run";
import type { PlanNodeStatus, PlanRunDetail } from "@/server/contract/plan/plan-run";
import { isTaskPlace, nameOf } from "@/server/contract/plan/plan-words";
import { knownParts, useComposer, usePlan } from "../composer-context";
import type { ForkCheck } from "./use-fork-check";

export type ForkPanelProps = {
  runNumber: number;
  run: PlanRunDetail;
  check: ForkCheck;
  force: readonly string[];
  onForce: (force: readonly string[]) => void;
};

export function ForkPanel({ runNumber, run, check, force, onForce }: ForkPanelProps) {
  const plan = usePlan();
  const { store } = useComposer();
  const parts = knownParts(plan);
  const { answer, failure } = check;
  const recorded = new Set(
    (answer?.places ?? []).flatMap(({ place, verdict }) => (verdict === "replayed" ? place : [])),
  );
  const failed = run.nodes.flatMap(({ node_id, status }) =>
    hasFailed.has(status) && recorded.has(node_id) ? node_id : [],
  );
  return (
    <>
      <header className="border-line border-b px-4 py-3.5">
        <h2 className="text-title">Fork of run {runNumber}</h2>
        <p className="text-ink-3">
          A new run. What is the same takes the result that run {runNumber} recorded: it costs nothing and makes no
          turn.
        </p>
      </header>
      {failure === null ? null : (
        <Section>
          <p role="alert" className="text-st-failed">
            {failure}
          </p>
        </Section>
      )}
      <Section title="What runs, and why">
        {answer === null && failure === null ? <SkeletonRows count={5} rowHeight={28} label="Comparing" /> : null}
        {failed.length > 0 ? (
          <Button size="sm" className="mb-2" onClick={() => onForce([...new Set([...force, ...failed])])}>
            Go on from here: run what failed
          </Button>
        ) : null}
        <ul aria-label="Steps of the fork" data-old={check.isOld ? "" : undefined} className="fork-list">
          {(answer?.places ?? []).map(({ place, verdict, reason }) => {
            const part = parts.get(place);
            const isForced = force.includes(place);
            // The last answer may still be of what was asked for before.
            const runs = isForced || (verdict === "runs" && reason !== ASKED_FOR);
            return (
              <li key={place} className={isTaskPlace(place) ? "pl-5" : ""}>
                <div className="flex items-start gap-2 py-1">
                  <input
                    type="checkbox"
                    className="mt-1"
                    checked={runs}
                    disabled={runs && !isForced}
                    aria-label={`Run ${part ? nameOf(part) : place} again`}
                    onChange={() => onForce(isForced ? force.filter((one) => one !== place) : [...force, place])}
                  />
                  <Aspect
                    status={verdict === "runs" ? "queued" : "success"}
                    size={14}
                    label={null}
                    className="mt-0.5"
                  />
                  <span className="min-w-0 flex-1">
                    <button
                      type="button"
                      dir="auto"
                      className="block max-w-full truncate text-left hover:underline"
                      onClick={() => store.select([place])}
                    >
                      {part ? nameOf(part) : place}
                    </button>
                    <span className="block text-ink-3 text-note">
                      {verdict === "runs" ? "runs: " : "recorded: "}
                      {reason}
                    </span>
                  </span>
                </div>
              </li>
            );
          })}
        </ul>
        {(answer?.problems ?? []).map(({ code, at, message }) => (
          <p key={`${code} ${at}`} className="mt-2 text-st-failed">
            {message}
          </p>
        ))}
      </Section>
    </>
  );
}

const hasFailed: ReadonlySet<PlanNodeStatus> = new Set(["failed", "timeout", "canceled"]);
