"use client";

// One plan: its head, a version as YAML, and beside it what it asks for, its versions and its runs.
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { parseAsInteger, parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { Failure } from "@/components/domain/failure";
import { useLive } from "@/components/domain/use-live";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Link } from "@/components/ui/link";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useTabTitle } from "@/components/ui/tab-title";
import { TextView } from "@/components/ui/text-view";
import { useIsSettled } from "@/components/ui/use-is-settled";
import { DeletePlan } from "./delete-plan";
import { LaunchPlan } from "./launch-plan";
import { PlanDialog } from "./plan-dialog";
import { PlanFacts } from "./plan-facts";
import { PlanHead } from "./plan-head";
import "@/components/domain/text-sheet.css";

const params = { v: parseAsInteger, edit: parseAsString, start: parseAsString };

export function PlanScreen({ projectId, name }: { projectId: string; name: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const [{ v, edit, start }, setParams] = useQueryStates(params);
  const version = v !== null && v > 0 && v <= 1_000_000 ? v : undefined;
  const sheet = useQuery(trpc.plan.sheet.queryOptions({ project_id: projectId, name, version }, patient));
  const [isDeleting, setIsDeleting] = useState(false);
  const isSettled = useIsSettled();
  const plan = sheet.data;
  useTabTitle(plan?.name ?? name, "Plan");
  useLive({
    projectId,
    cursor: plan?.live_cursor,
    isMine: (frame) => frame.kind === "plan_run" || frame.kind === "plan_node",
    read: async () => (await sheet.refetch()).data?.live_cursor,
  });
  const base = `/p/${encodeURIComponent(projectId)}`;
  if (sheet.error && plan === undefined)
    return (
      <Failure
        error={sheet.error}
        what="plan"
        name={version === undefined ? name : `${name}, version ${version}`}
        onRetry={sheet.refetch}
        way={
          <Link className="btn" href={`${base}/plans`}>
            All plans
          </Link>
        }
      />
    );
  if (plan === undefined) return <PlanSkeleton />;
  const { shown } = plan;
  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      <PlanHead
        projectId={projectId}
        plan={plan}
        onLaunch={() => void setParams({ start: "1" }, { history: "push" })}
        onEdit={() => void setParams({ edit: "1" }, { history: "push" })}
        onDelete={() => setIsDeleting(true)}
      />
      <div className="sheet-body">
        <div className="sheet-yaml">
          <TextView text={shown.yaml.trimEnd()} language="yaml" label={`${plan.name}, version ${shown.version}`} />
        </div>
        <PlanFacts base={base} plan={plan} />
      </div>
      {edit !== null && isSettled ? (
        <PlanDialog
          projectId={projectId}
          edited={{ name: plan.name, version: shown.version, head: plan.head_version }}
          start={shown.yaml}
          onPublished={() => void setParams({ edit: null, v: null })}
          onClose={() => void setParams({ edit: null })}
        />
      ) : null}
      {start !== null && isSettled ? (
        <LaunchPlan
          projectId={projectId}
          plan={{ name: plan.name, version: shown.version, inputs: shown.inputs }}
          onLaunched={(run) => router.push(`${base}?run=${run}`)}
          onClose={() => void setParams({ start: null })}
        />
      ) : null}
      {isDeleting ? (
        <DeletePlan
          projectId={projectId}
          name={plan.name}
          onDeleted={() => router.push(`${base}/plans`)}
          onClose={() => setIsDeleting(false)}
        />
      ) : null}
    </div>
  );
}

export function PlanSkeleton() {
  return (
    <div className="flex-1 pt-4">
      <SkeletonRows count={14} rowHeight={24} label="Loading the plan" />
    </div>
  );
}
