"use client";

// One row of two runs in full: what both turns were given, what their models were sent, and what they delivered.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { DeliveredDiff } from "@/components/domain/delivered-diff";
import { Failure } from "@/components/domain/failure";
import { statusWords } from "@/components/domain/status-words";
import { useTRPC } from "@/components/trpc/client";
import { Aspect } from "@/components/ui/aspect";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatNumber } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { whatDiffers } from "@/server/contract/run-compare/parting";
import type { ComparedTurn, CompareRow, RunComparison } from "@/server/contract/run-compare/run-comparison";
import type { PairTab } from "./compare-params";
import { alignedWords, compareNames } from "./compare-words";
import { PairBoxes } from "./pair-boxes";
import { PairRequests } from "./pair-requests";

export type PairPanelProps = {
  projectId: string;
  comparison: RunComparison;
  row: CompareRow;
  tab: PairTab;
  step: number | null;
  onTab: (tab: PairTab) => void;
  onStep: (step: number) => void;
  onClose: () => void;
};

export function PairPanel(props: PairPanelProps) {
  const { projectId, comparison, row, tab, step, onTab, onStep, onClose } = props;
  const { a, b, parts, aligned_by } = row;
  const names = compareNames(comparison.a.number, comparison.b.number);
  const panel = useRef<HTMLElement>(null);
  // On a phone it stands below all turns.
  useEffect(() => {
    // In braces: newer browsers answer a promise, which React takes for the clean-up.
    panel.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <section ref={panel} className="compare-pair" aria-label="The chosen turns">
      <header className="compare-pair-head">
        {a ? <Turn projectId={projectId} turn={a} run={comparison.a.number} /> : null}
        {b ? <Turn projectId={projectId} turn={b} run={comparison.b.number} /> : null}
        <p className="min-w-0 text-ink-2">
          <b className="text-ink">{names[row.verdict]}</b>
          {parts ? `: ${whatDiffers(parts)}${placeOf(parts.a ?? parts.b)}` : ""}
          {aligned_by ? <span className="text-ink-3 max-lg:hidden"> {alignedWords[aligned_by]}.</span> : null}
        </p>
        <span className="flex-1" />
        <IconButton icon="x" label="Close" onClick={onClose} />
      </header>
      {a && b ? (
        <Tabs
          label="What is compared"
          value={tab}
          onChange={onTab}
          tabs={[
            { value: "context", label: "Context" },
            { value: "requests", label: "Requests" },
            { value: "deliverable", label: "Deliverable" },
          ]}
        >
          {tab === "context" ? (
            <PairBoxes
              key={a.context_box_id}
              projectId={projectId}
              of="boxes"
              a={a.context_box_id}
              b={b.context_box_id}
            />
          ) : tab === "requests" ? (
            <PairRequests projectId={projectId} a={a} b={b} parts={parts} step={step} onStep={onStep} />
          ) : (
            <Delivered projectId={projectId} a={a} b={b} runs={[comparison.a.number, comparison.b.number]} />
          )}
        </Tabs>
      ) : (
        <Alone projectId={projectId} turn={a ?? b} verdict={names[row.verdict]} />
      )}
    </section>
  );
}

const placeOf = (side: { step?: number } | undefined): string =>
  side?.step === undefined ? "." : `, at step ${side.step}.`;

const hrefOf = (projectId: string, id: string): string =>
  `/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(id)}`;

function Turn({ projectId, turn, run }: { projectId: string; turn: ComparedTurn; run: number }) {
  return (
    <Link className="compare-turn" href={hrefOf(projectId, turn.agent_turn_id)} title={turn.title}>
      <span className="text-ink-3">run {formatNumber(run)}</span>
      <Plate code={turn.headcode} tone="ink" />
      <Aspect status={turn.status} size={13} label={null} />
      <span>{statusWords[turn.status]}</span>
      {turn.as_in_run === undefined ? null : (
        <span className="text-ink-3">as in run {formatNumber(turn.as_in_run)}</span>
      )}
    </Link>
  );
}

function Alone({ projectId, turn, verdict }: { projectId: string; turn: ComparedTurn | undefined; verdict: string }) {
  if (!turn) return null;
  return (
    <EmptyState
      title={verdict}
      cause={`${turn.profile_name} took ${formatCount(turn.step_count, "step")}. There is no turn to compare it with.`}
      remedy={
        <Link className="btn" href={hrefOf(projectId, turn.agent_turn_id)}>
          Open turn
        </Link>
      }
    />
  );
}

type DeliveredProps = { projectId: string; a: ComparedTurn; b: ComparedTurn; runs: [number, number] };

function Delivered({ projectId, a, b, runs }: DeliveredProps) {
  const trpc = useTRPC();
  const asked = { project_id: projectId, a: a.agent_turn_id, b: b.agent_turn_id };
  const { data, error, refetch } = useQuery(trpc.plan_run.difference.queryOptions(asked));
  if (error) return <Failure size="panel" error={error} what="comparison" onRetry={refetch} />;
  if (!data) return <SkeletonRows count={6} rowHeight={20} label="Loading the deliverables" />;
  const { deliverable } = data;
  if (!deliverable.a && !deliverable.b)
    return <EmptyState title="Nothing delivered yet" cause="Neither turn has delivered anything." />;
  const name = (i: 0 | 1) => `run ${formatNumber(runs[i])}`;
  return (
    <div className="flex min-h-0 flex-1 flex-col px-4 py-2.5">
      <DeliveredDiff
        isTall
        a={{ name: name(0), text: deliverable.a?.text ?? "" }}
        b={{ name: name(1), text: deliverable.b?.text ?? "" }}
      />
    </div>
  );
}
