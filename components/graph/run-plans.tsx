"use client";

// The plans of the run that is shown: each step with its status, also those that have not begun, were skipped or wait for a person.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPC } from "@/components/trpc/client";
import { Aspect } from "@/components/ui/aspect";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import type { AspectStatus } from "@/components/ui/sign-words";
import type { PlanNodeStatus } from "@/server/contract/plan/plan-run";
import type { RunPlan } from "@/server/contract/plan/plan-sheet";
import { isEnded } from "@/server/contract/turn";
import { useTurns, useYard } from "./yard-context";

export function RunPlans({ projectId, root_turn_id }: { projectId: string; root_turn_id: string }) {
  const trpc = useTRPC();
  // Read again, not streamed: a browser holds one stream, and the yard has it.
  const isOpen = useTurns().some(({ status }) => !isEnded(status));
  const again = useReadAgain(pace.soon);
  const found = useQuery({
    ...trpc.plan.ofRun.queryOptions({ project_id: projectId, root_turn_id }),
    ...again,
    // The last turn may end before the end of its plan was read.
    refetchInterval: (query) =>
      isOpen || query.state.data?.some(({ status }) => status === "running") ? again.refetchInterval(query) : false,
  });
  const base = `/p/${encodeURIComponent(projectId)}`;
  if (found.error)
    return (
      <Section title="Plan">
        <p className="text-ink-2">Could not be loaded: {found.error.message}</p>
      </Section>
    );
  return (
    <>
      {(found.data ?? []).map((plan) => (
        <Section key={plan.plan_run_id} title="Plan" note={plan.status}>
          <p className="mb-1.5">
            <PlanName base={base} plan={plan} />
          </p>
          <Steps plan={plan} />
          {plan.steps.some(({ status }) => status === "held") ? (
            <Link className="btn mt-2" href={`${base}/inbox?view=people`}>
              Decide in the inbox
            </Link>
          ) : null}
        </Section>
      ))}
    </>
  );
}

function PlanName({ base, plan: { name, version } }: { base: string; plan: RunPlan }) {
  if (version === undefined) return <span dir="auto">{name || "Not published"}</span>;
  return (
    <Link dir="auto" href={`${base}/plans/${encodeURIComponent(name)}?v=${version}`} className="hover:underline">
      {name}, version {version}
    </Link>
  );
}

function Steps({ plan }: { plan: RunPlan }) {
  const { select } = useYard();
  const turns = useTurns();
  return (
    <ol aria-label={`Steps of ${plan.name}`}>
      {plan.steps.map((step) => {
        const code = step.headcodes.length === 1 ? step.headcodes[0] : undefined;
        const turn = code === undefined ? undefined : turns.find(({ headcode }) => headcode === code);
        return (
          <li key={step.node_id} className="flex items-start gap-2 py-1">
            <Aspect status={aspects[step.status]} size={13} className="mt-0.5" label={null} />
            <div className="min-w-0 flex-1">
              <span dir="auto" className="line-clamp-1">
                {step.title}
              </span>
              <span dir="auto" className="block break-words text-ink-3 text-note">
                {wordsOf(step)}
              </span>
            </div>
            {code === undefined ? (
              <span className="flex-none text-ink-3 text-note">{step.headcodes.length} tasks</span>
            ) : turn === undefined ? (
              <Plate code={code} tone="bare" />
            ) : (
              <button
                type="button"
                className="flex min-h-6 flex-none items-center"
                title="Select its turn"
                onClick={() => select(turn.agent_turn_id)}
              >
                <Plate code={code} />
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** A hold that the plan asks for has no reason beyond that; a limit has. */
const wordsOf = ({ status, reason }: RunPlan["steps"][number]): string =>
  reason === undefined || (status === "held" && !reason.includes("reached")) ? stepWords[status] : reason;

const aspects: Record<PlanNodeStatus, AspectStatus> = {
  waiting: "queued",
  held: "suspended",
  running: "running",
  skipped: "canceled",
  replayed: "success",
  success: "success",
  partial: "partial",
  failed: "failed",
  timeout: "timeout",
  canceled: "canceled",
};

const stepWords: Record<PlanNodeStatus, string> = {
  waiting: "waits for what is before it",
  held: "waits for a person",
  running: "running",
  skipped: "skipped",
  replayed: "takes a recorded result",
  success: "success",
  partial: "partial",
  failed: "failed",
  timeout: "timeout",
  canceled: "canceled",
};
