"use client";

// What the models of two turns were sent, step by step: the step where they part first, then any other.
import { useQuery } from "@tanstack/react-query";
import { Failure } from "@/components/domain/failure";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Parting } from "@/server/contract/run-compare/parting";
import type { ComparedTurn } from "@/server/contract/run-compare/run-comparison";
import { PairBoxes } from "./pair-boxes";
import { pairSteps } from "./pair-steps";

export type PairRequestsProps = {
  projectId: string;
  a: ComparedTurn;
  b: ComparedTurn;
  parts: Parting | undefined;
  /** Of the first turn. */
  step: number | null;
  onStep: (step: number) => void;
};

export function PairRequests({ projectId, a, b, parts, step, onStep }: PairRequestsProps) {
  const trpc = useTRPC();
  const asked = (turn: ComparedTurn) =>
    trpc.turn.detail.queryOptions({ project_id: projectId, agent_turn_id: turn.agent_turn_id });
  const [one, other] = [useQuery(asked(a)), useQuery(asked(b))];
  const error = one.error ?? other.error;
  if (error)
    return (
      <Failure size="panel" error={error} what="steps" onRetry={() => Promise.all([one.refetch(), other.refetch()])} />
    );
  if (!one.data || !other.data) return <SkeletonRows count={6} rowHeight={34} label="Loading the steps" />;
  const pairs = pairSteps(one.data, other.data);
  const first = firstDiffering(parts);
  const chosen =
    pairs.find((pair) => pair.ordinal === step) ?? pairs.findLast((pair) => pair.ordinal <= first) ?? pairs[0];
  if (!chosen)
    return (
      <EmptyState
        title="No requests to compare"
        cause="No step of these turns has a recorded request in both runs. Imports and workers that do not send their requests have none."
      />
    );
  return (
    <>
      <div className="compare-steps">
        <Select
          label="Step"
          value={String(chosen.ordinal)}
          options={pairs.map(({ ordinal, other: its }) => ({
            value: String(ordinal),
            label: labelOf({ ordinal, other: its }, parts === undefined ? null : first),
          }))}
          onChange={(next) => onStep(Number(next))}
        />
      </div>
      <PairBoxes key={chosen.a} projectId={projectId} of="steps" a={chosen.a} b={chosen.b} />
    </>
  );
}

/** What is written in a step is sent with the request after it. */
function firstDiffering(parts: Parting | undefined): number {
  const step = parts?.a?.step ?? 1;
  const isWritten = parts?.kind === "tool_answer" || parts?.kind === "model_answer" || parts?.kind === "card";
  return isWritten ? step + 1 : step;
}

function labelOf({ ordinal, other }: { ordinal: number; other: number }, first: number | null): string {
  const its = other === ordinal ? "" : `, step ${other} in the other`;
  return `Step ${ordinal}${its}${ordinal === first ? ": the first that differs" : ""}`;
}
