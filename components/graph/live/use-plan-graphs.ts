"use client";

// Reads the graph of every plan run in the picture, once for each revision of its body, and keeps it beside the picture.
import { useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useTRPC } from "@/components/trpc/client";
import { type PlanGraphs, planGraphsOf } from "../plan/plan-graphs";
import { ALL_RUNS, planRunsOf, type Scope } from "../plan/yard-turns";
import type { LivePicture } from "./live-picture";

/**
 * Answers whether the scope can be drawn: until the plans of its first picture are known, their turns have no places. A plan that is
 * launched later is drawn as soon as it is known, and holds nothing else up.
 */
export function usePlanGraphs(projectId: string, live: LivePicture, scope: Scope | undefined): boolean {
  const trpc = useTRPC();
  const getRuns = useCallback(() => live.getPicture().plan_run, [live]);
  const plan_run = useSyncExternalStore(live.subscribe, getRuns, getRuns);
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the whole picture only the plan runs matter
  const runs = useMemo(() => planRunsOf(live.getPicture(), scope ?? ""), [live, plan_run, scope]);
  const results = useQueries({
    queries: runs.map(({ plan_run_id, body_rev }) =>
      trpc.plan.graph.queryOptions(
        { project_id: projectId, plan_run_id, body_rev },
        { staleTime: Number.POSITIVE_INFINITY, retry: 1 },
      ),
    ),
  });
  const store = planGraphsOf(live);
  useEffect(() => {
    for (const [index, { plan_run_id }] of runs.entries()) {
      const result = results[index];
      if (result?.data) store.put(plan_run_id, result.data);
      // Its turns are drawn like any others; the list of its steps says what is wrong and offers another try.
      else if (result?.isError) store.put(plan_run_id, null);
    }
  }, [runs, results, store]);
  const graphs = useSyncExternalStore(store.subscribe, store.get, store.get);
  // The picture is filled after the answer has come: until then it has no plans because it has nothing.
  const isLoaded = scope === ALL_RUNS ? live.getState().is_loaded : live.getPicture().turn.has(scope ?? "");
  const isKnown = isLoaded && areKnown(runs, graphs);
  const [begun, setBegun] = useState<Scope | undefined>(undefined);
  useEffect(() => {
    if (isKnown) setBegun(scope);
  }, [isKnown, scope]);
  return isKnown || begun === scope;
}

const areKnown = (runs: readonly { plan_run_id: string }[], graphs: PlanGraphs): boolean =>
  runs.every(({ plan_run_id }) => graphs.has(plan_run_id));
