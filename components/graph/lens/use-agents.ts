"use client";

// The agents of the run that the yard shows, read again while it goes on; which of them is selected; and the turns of each.
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useTRPC } from "@/components/trpc/client";
import type { RunAgents } from "@/server/contract/answers/run-agents";
import type { TurnFrame } from "@/server/contract/frame";
import { useTurn, useTurns, useYard } from "../yard-context";
import { yardParams } from "../yard-url";
import { type AgentsView, foldAgents } from "./agents-fold";
import { agentsThen } from "./agents-then";
import { useRootTurn } from "./use-flow";

const FRESH_MS = 3_000;

export function useAgents() {
  const trpc = useTRPC();
  const { projectId } = useYard();
  const rootTurnId = useRootTurn();
  const { data, error, refetch } = useQuery(
    trpc.run.agents.queryOptions(
      { project_id: projectId, root_turn_id: rootTurnId ?? "" },
      { enabled: rootTurnId !== undefined, retry: false, staleTime: FRESH_MS },
    ),
  );
  return { run: data, error: error?.message ?? null, refetch, isChosen: rootTurnId !== undefined };
}

/** As of the moment that is shown, agents alike as one. The same object for lens and panel, as long as nothing in it changes. */
export function useAgentsView(): {
  run: RunAgents | undefined;
  view: AgentsView | undefined;
  /** With all that there are by now: where it gives an agent its place, there the agent is at any moment. */
  newest: AgentsView | undefined;
  fold: Folding;
} {
  const { run: read } = useAgents();
  const turns = useTurns();
  const { ways, isThen } = useYard();
  const { at } = useSyncExternalStore(ways.time.subscribe, ways.time.getState, ways.time.getState);
  const [{ unfold_agents: open }, setParams] = useQueryStates(yardParams);
  const moment = isThen ? at : null;
  const run = useMemo(() => read && agentsThen(read, turns, moment), [read, turns, moment]);
  const newest = useMemo(() => read && foldAgents(read, new Set(open)), [read, open]);
  const view = useMemo(
    () => (run === read ? newest : run && foldAgents(run, new Set(open), read)),
    [run, read, newest, open],
  );
  const fold = useCallback<Folding>(
    (key, isOpen, chosen) =>
      void setParams({
        unfold_agents: [...open.filter((one) => one !== key), ...(isOpen ? [key] : [])],
        of_agent: chosen,
      }),
    [open, setParams],
  );
  return { run, view, newest, fold };
}

/** Shows agents alike one by one, or as one node again, and selects what is drawn then. */
export type Folding = (key: string, isOpen: boolean, chosen: string) => void;

/** The one that was chosen, else that of the selected turn: lenses share what is selected. */
export function useChosenAgent(): { agentId: string | null; choose: (agentId: string | null) => void } {
  const [{ of_agent }, setParams] = useQueryStates(yardParams);
  const { selectedId } = useYard();
  const turn = useTurn(selectedId ?? "");
  return { agentId: of_agent ?? turn?.agent_id ?? null, choose: (next) => void setParams({ of_agent: next }) };
}

export function useTurnsByAgent(): ReadonlyMap<string, readonly TurnFrame[]> {
  const turns = useTurns();
  return useMemo(() => {
    const by = new Map<string, TurnFrame[]>();
    for (const turn of turns) {
      const list = by.get(turn.agent_id);
      if (list) list.push(turn);
      else by.set(turn.agent_id, [turn]);
    }
    return by;
  }, [turns]);
}
