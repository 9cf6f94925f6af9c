"use client";

// The context flow of the run that the yard shows, read again while the run goes on, and where its ends stand on the plan.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import type { RunFlow } from "@/server/contract/answers/run-flow";
import { ALL_RUNS } from "../plan/yard-turns";
import { useTopology, useTurn, useTurns, useYard } from "../yard-context";
import { type FlowView, flowView } from "./flow-view";

/** Between two readings while turns change. */
const AGAIN_MS = 3_000;

/** Of all runs, that of the selected turn. Undefined = none is meant. */
export function useRootTurn(): string | undefined {
  const { selectedId } = useYard();
  const { scope } = useTopology();
  const turn = useTurn(selectedId ?? "");
  return scope === ALL_RUNS ? turn?.root_turn_id : scope;
}

export function useFlow(): { flow: RunFlow | undefined; error: string | null; refetch: () => void } {
  const trpc = useTRPC();
  const { projectId } = useYard();
  const rootTurnId = useRootTurn();
  const { data, error, refetch } = useQuery(
    trpc.run.flow.queryOptions(
      { project_id: projectId, root_turn_id: rootTurnId ?? "" },
      { enabled: rootTurnId !== undefined, retry: false, staleTime: AGAIN_MS },
    ),
  );
  return { flow: data, error: error?.message ?? null, refetch };
}

/** Once a turn is new or has changed, and at most every few seconds. Only one part of the page asks. */
export function useAgainAfterFrames(refetch: () => void): void {
  const { live, isThen } = useYard();
  useEffect(() => {
    // What is told is of now, whatever moment is shown.
    if (isThen) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let seen = live.getPicture().turn;
    const stop = live.subscribe(() => {
      if (live.getPicture().turn === seen || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        seen = live.getPicture().turn;
        refetch();
      }, AGAIN_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [live, isThen, refetch]);
}

const nothing: FlowView = { lanes: [], sources: [] };

/** Said where the picture is of another moment: which lines there were is told of then, what they carry is not. */
export const THEN_WORDS = "Lines between turns of that moment, with cards and tokens of now";

/** Between what stands on the plan now: what is not in the picture, which may be an earlier moment, has no lane. */
export function useFlowView(flow: RunFlow | undefined): FlowView {
  const { held } = useTopology();
  const turns = useTurns();
  return useMemo(() => {
    if (!flow) return nothing;
    const there = new Set(turns.map((turn) => turn.agent_turn_id));
    return flowView(flow, { standOf: (id) => (there.has(id) ? (held.get(id) ?? id) : undefined) });
  }, [flow, turns, held]);
}
