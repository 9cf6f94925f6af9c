"use client";

// Who works: a new agent of a profile, one that goes on, or a copy of one.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Field } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { Select, type SelectOption } from "@/components/ui/select";
import type { Rider } from "@/server/contract/plan/plan";
import { nameOf, nodeIdOf, ridersOf } from "@/server/contract/plan/plan-words";
import { useComposer, usePlan } from "../composer-context";
import { setting } from "../draft/edits";

const strategies = [
  { value: "new", label: "New", icon: "plus" },
  { value: "reuse", label: "Reuse", icon: "retry" },
  { value: "clone", label: "Clone", icon: "copy" },
] as const;
type Strategy = (typeof strategies)[number]["value"];

export function TargetSection({ place, rider, isAsk }: { place: string; rider: Rider; isAsk: boolean }) {
  const plan = usePlan();
  const { store } = useComposer();
  const strategy: Strategy = rider.target?.strategy ?? "new";
  const options = useTargets(strategy, place);
  const ref = rider.target?.ref ?? null;
  const known = ref === null || options.some(({ value }) => value === ref);
  const set = (next: { strategy: Strategy; ref: string | null }) =>
    store.change(
      setting(
        plan,
        place,
        "/target",
        next.ref === null ? undefined : { strategy: next.strategy, ref: next.ref },
        "target",
      ),
    );
  const label = strategy === "new" ? "Profile" : "Agent";
  return (
    <div className="flex flex-col gap-2">
      {isAsk ? null : (
        <Segmented
          label="Target"
          value={strategy}
          choices={strategies}
          onChange={(next) => {
            if (next === strategy) return;
            // A profile is no agent: the other kind is chosen anew, from what stands before it if there is one.
            const before = next === "new" ? null : (earlier(plan, place)[0]?.value ?? null);
            set({ strategy: next, ref: (strategy === "new") === (next === "new") ? ref : before });
          }}
        />
      )}
      <Field label={label} isQuiet>
        <Select
          field="target ref"
          value={ref}
          options={known || ref === null ? options : [{ value: ref, label: ref }, ...options]}
          placeholder={`Choose ${strategy === "new" ? "a profile" : "an agent"}`}
          onChange={(next) => set({ strategy, ref: next })}
        />
      </Field>
    </div>
  );
}

/** Agents of wagons that end before this one. */
function earlier(plan: Parameters<typeof ridersOf>[0], place: string): SelectOption<string>[] {
  return ridersOf(plan)
    .filter(({ node }) => node.id !== nodeIdOf(place))
    .map((at) => ({ value: `@${at.place}`, label: `the agent of ${nameOf(at.rider)}` }));
}

function useTargets(strategy: Strategy, place: string): SelectOption<string>[] {
  const trpc = useTRPC();
  const { projectId } = useComposer();
  const plan = usePlan();
  const kind = strategy === "new" ? "profile" : "agent";
  const { data } = useQuery(
    trpc.palette.search.queryOptions(
      { project_id: projectId, query: "", kinds: [kind], limit: 50 },
      { staleTime: 5_000 },
    ),
  );
  if (strategy === "new")
    return (data?.profiles ?? []).map(({ name, worker_count }) => ({
      value: name,
      label: name,
      ...(worker_count === 0 && { detail: "no worker" }),
    }));
  const agents = (data?.agents ?? []).map((hit) => ({ value: hit.agent_id, label: hit.display_name ?? hit.agent_id }));
  return [...earlier(plan, place), ...agents];
}
