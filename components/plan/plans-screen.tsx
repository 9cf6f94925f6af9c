"use client";

// All plans of a project by name: what each asks for, and how its last runs went.
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { ListFrame } from "@/components/domain/list-frame";
import { useLive } from "@/components/domain/use-live";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Button } from "@/components/ui/button";
import { ToggleChip } from "@/components/ui/chip";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import type { ListColumn } from "@/components/ui/list-rows";
import { NoFit } from "@/components/ui/no-fit";
import { SearchInput } from "@/components/ui/text-input";
import { Ago } from "@/components/ui/time";
import { useIsSettled } from "@/components/ui/use-is-settled";
import type { PlanLine } from "@/server/contract/plan/plan-sheet";
import { DraftLines } from "./draft-lines";
import { PlanDialog } from "./plan-dialog";
import { planTemplate } from "./plan-template";
import { filterPlans, inputWords } from "./plan-words";
import { RunLamps } from "./run-lines";

const params = {
  q: parseAsString.withDefault(""),
  archived: parseAsBoolean.withDefault(false),
  new: parseAsString,
};
const columns: readonly ListColumn[] = [
  { name: "Plan", width: "minmax(0,1.6fr)" },
  { name: "Inputs", width: "minmax(0,1.2fr)" },
  { name: "Last runs", width: "112px" },
  { name: "Steps", width: "56px", isRight: true },
  { name: "Version", width: "72px", isRight: true },
  { name: "Published", width: "92px", isRight: true },
];

export function PlansScreen({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const [{ q, archived, new: isNew }, setParams] = useQueryStates(params);
  const list = useQuery(trpc.plan.lines.queryOptions({ project_id: projectId, archived }, patient));
  useLive({
    projectId,
    cursor: list.data?.live_cursor,
    isMine: (frame) => frame.kind === "plan_run" || frame.kind === "plan_node",
    read: async () => (await list.refetch()).data?.live_cursor,
  });
  const isSettled = useIsSettled();
  const base = `/p/${encodeURIComponent(projectId)}/plans`;
  const plans = list.data?.items;
  const shown = plans === undefined ? [] : filterPlans(plans, q);
  const create = (
    <>
      <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/compose`}>
        <Icon name="plus" size={15} />
        Draw a plan
      </Link>
      <Button icon="text" onClick={() => void setParams({ new: "1" }, { history: "push" })}>
        New plan as text
      </Button>
    </>
  );
  return (
    <>
      <ListFrame
        title="Plans"
        what="list of plans"
        one="plan"
        columns={columns}
        rowHeight={48}
        items={plans && shown}
        query={list}
        none={
          plans?.length === 0 ? (
            <EmptyState
              size="page"
              title="No plans yet"
              cause="A plan says which agents work on what, after what, and with which cards. Save it once and launch it as often as you like."
              remedy={create}
            />
          ) : (
            <NoFit
              title="No matching plans"
              cause="All words must occur in the name, the description or the inputs."
              onClear={() => void setParams({ q: null })}
            />
          )
        }
        filters={
          <>
            <SearchInput
              label="Name, description, input"
              className="w-64 max-sm:w-full"
              value={q}
              maxLength={200}
              onChange={(next) => void setParams({ q: next === "" ? null : next })}
            />
            <ToggleChip isOn={archived} onChange={(isOn) => void setParams({ archived: isOn ? true : null })}>
              Show archived
            </ToggleChip>
            {plans === undefined || plans.length === 0 ? null : (
              <span className="text-ink-3">{formatCount(shown.length, "plan")}</span>
            )}
            <span className="flex-1" />
            {create}
          </>
        }
      >
        {(items) => (
          <>
            {items.map((plan) => (
              <Row key={plan.plan_id} href={`${base}/${encodeURIComponent(plan.name)}`} plan={plan} />
            ))}
          </>
        )}
      </ListFrame>
      <DraftLines projectId={projectId} plans={new Map((plans ?? []).map(({ plan_id, name }) => [plan_id, name]))} />
      {isNew !== null && isSettled ? (
        <PlanDialog
          projectId={projectId}
          edited={null}
          start={planTemplate}
          onPublished={(plan) => router.replace(`${base}/${encodeURIComponent(plan.name)}`)}
          onClose={() => void setParams({ new: null })}
        />
      ) : null}
    </>
  );
}

function Row({ href, plan }: { href: string; plan: PlanLine }) {
  const inputs = inputWords(plan.inputs);
  return (
    <Link data-row href={href} className="list-row min-h-12">
      <span className="min-w-0 max-sm:w-full">
        <b dir="auto" className="block truncate">
          {plan.name}
        </b>
        <span dir="auto" className="block truncate text-ink-3 text-note">
          {plan.archived_at === undefined ? plan.description : `archived. ${plan.description}`}
        </span>
      </span>
      <span dir="auto" className="truncate text-ink-2 max-sm:hidden" title={inputs}>
        {inputs || <span className="text-ink-3">none</span>}
      </span>
      <RunLamps runs={plan.runs} />
      <span className="text-right max-sm:hidden">{formatNumber(plan.node_count)}</span>
      <span className="text-right text-ink-2 max-sm:ml-auto">
        <span className="sm:sr-only">version </span>
        {formatNumber(plan.head_version)}
      </span>
      <span className="text-right text-ink-3 max-sm:hidden">
        <Ago at={plan.updated_at} />
      </span>
    </Link>
  );
}
