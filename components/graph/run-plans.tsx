"use client";

// The plans of the run that is shown: each step with its status, also those that have not begun, were skipped or wait for a
// person. How they stand comes in the frames of the yard; names and tracks are read once for each revision of a plan.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import { stepAspects } from "@/components/domain/step-aspects";
import { useTRPC } from "@/components/trpc/client";
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { PlanNodeFrame, PlanRunFrame } from "@/server/contract/frame";
import { PLAN_RUNS_SHOWN } from "@/server/contract/plan/plan-run";
import type { PlanGraphView } from "@/server/contract/plan/plan-sheet";
import { type PlanSteps, type StepsAround, stepWords } from "./plan/plan-steps";
import type { PlanHoldProps } from "./plan-hold";
import { useBatches, usePlans, useTopology, useTurns, useYard } from "./yard-context";

const PlanHold = lazyPart<PlanHoldProps>(() => import("./plan-hold").then((module) => module.PlanHold), {
  missing: "The decision could not be loaded",
});

export function RunPlans({ projectId, root_turn_id }: { projectId: string; root_turn_id: string }) {
  const plans = usePlans(root_turn_id);
  return (
    <>
      {plans.map((plan) => (
        <OnePlan key={plan.run.plan_run_id} projectId={projectId} plan={plan} />
      ))}
      {plans.length < PLAN_RUNS_SHOWN ? null : (
        <Section>
          <p className="text-ink-3">
            Older plans of this run may be missing: a page starts with the newest {PLAN_RUNS_SHOWN}.
          </p>
        </Section>
      )}
    </>
  );
}

function OnePlan({ projectId, plan }: { projectId: string; plan: PlanSteps }) {
  const trpc = useTRPC();
  const { plan_run_id, body_rev, status } = plan.run;
  const { data, error, refetch } = useQuery(
    trpc.plan.graph.queryOptions(
      { project_id: projectId, plan_run_id, body_rev },
      { staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const base = `/p/${encodeURIComponent(projectId)}`;
  const isHeld = [...plan.nodes.values()].some((node) => node.status === "held");
  return (
    <Section title="Plan" note={status}>
      <p className="mb-1.5">
        <PlanName base={base} run={plan.run} />
      </p>
      {data ? (
        <Steps projectId={projectId} plan={plan} graph={data} />
      ) : error ? (
        <div role="alert" className="flex flex-col items-start gap-2">
          <p className="text-ink-2">The steps could not be loaded: {error.message}</p>
          <Button icon="retry" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      ) : (
        <SkeletonRows count={plan.nodes.size} rowHeight={44} label="Loading the steps" />
      )}
      {isHeld ? (
        <Link className="btn mt-2" href={`${base}/inbox?view=people`}>
          Decide in the inbox
        </Link>
      ) : null}
    </Section>
  );
}

function PlanName({ base, run: { name, version, plan_id } }: { base: string; run: PlanRunFrame }) {
  // A plan that was launched without being published has no page.
  if (version === undefined || plan_id === undefined) return <span dir="auto">{name || "Not published"}</span>;
  return (
    <Link dir="auto" href={`${base}/plans/${encodeURIComponent(name)}?v=${version}`} className="hover:underline">
      {name}, version {version}
    </Link>
  );
}

type StepsProps = { projectId: string; plan: PlanSteps; graph: PlanGraphView };

function Steps({ projectId, plan, graph }: StepsProps) {
  const batches = useBatches();
  const around: StepsAround = { graph, nodes: plan.nodes, batches };
  return (
    <ol aria-label={`Steps of ${plan.run.name}`}>
      {graph.nodes.map(({ node_id, title, targets }) => {
        const node = plan.nodes.get(node_id);
        return node === undefined ? null : (
          <Step
            key={node_id}
            {...{ projectId, node, title, targets }}
            parent_turn_id={plan.run.parent_turn_id}
            words={stepWords(node, around)}
          />
        );
      })}
    </ol>
  );
}

type StepProps = Pick<StepsProps, "projectId"> & {
  node: PlanNodeFrame;
  title: string;
  targets: readonly string[];
  words: string;
  parent_turn_id: string;
};

function Step({ projectId, node, title, targets, words, parent_turn_id }: StepProps) {
  const id = useId();
  const ref = useRef<HTMLLIElement>(null);
  const { selectedId } = useYard();
  const { places } = useTopology();
  const { status, request_id } = node;
  const place = places.get(selectedId ?? "");
  const isSelected = place?.is_ghost === true && place.stop === node.id;
  useEffect(() => {
    if (isSelected) ref.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <li
      ref={ref}
      className="plan-step flex items-start gap-2 py-1"
      data-status={status}
      aria-current={isSelected ? "step" : undefined}
    >
      <Aspect status={stepAspects[status]} size={13} className="mt-0.5" label={null} />
      <div className="min-w-0 flex-1">
        <span id={id} dir="auto" className="line-clamp-1">
          {title}
        </span>
        <span dir="auto" className="block break-words text-ink-3 text-note">
          {[words, ...targets].join(", ")}
        </span>
        {status === "held" && request_id !== undefined ? (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a form
          <div role="group" aria-labelledby={id} className="mt-1.5 mb-1">
            <PlanHold key={request_id} projectId={projectId} request_id={request_id} parent_turn_id={parent_turn_id} />
          </div>
        ) : null}
      </div>
      <StepPlate node={node} />
    </li>
  );
}

function StepPlate({ node: { headcodes } }: { node: PlanNodeFrame }) {
  const { select } = useYard();
  const turns = useTurns();
  const code = headcodes.length === 1 ? headcodes[0] : undefined;
  if (code === undefined) return <span className="flex-none text-ink-3 text-note">{headcodes.length} tasks</span>;
  const turn = turns.find(({ headcode }) => headcode === code);
  if (turn === undefined) return <Plate code={code} tone="bare" />;
  return (
    <button
      type="button"
      className="flex min-h-6 flex-none items-center"
      title="Select its turn"
      onClick={() => select(turn.agent_turn_id)}
    >
      <Plate code={code} />
    </button>
  );
}
