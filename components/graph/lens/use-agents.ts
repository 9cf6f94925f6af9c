"use client";

// The agents of the run that the yard shows, read again while it goes on; which of them is selected; and the turns of each.
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import type { TurnFrame } from "@/server/contract/frame";
import { useTurn, useTurns, useYard } from "../yard-context";
import { yardParams } from "../yard-url";
import { agentsThen } from "./agents-then";
import { useRootTurn } from "./use-flow";

const FRESH_MS = 3_000;

export function useAgents() {
  const trpc = useTRPC();
  const { projectId, isThen } = useYard();
  const turns = useTurns();
  const rootTurnId = useRootTurn();
  const { data, error, refetch } = useQuery(
    trpc.run.agents.queryOptions(
      { project_id: projectId, root_turn_id: rootTurnId ?? "" },
      { enabled: rootTurnId !== undefined, retry: false, staleTime: FRESH_MS },
    ),
  );
  const run = useMemo(() => (data && isThen ? agentsThen(data, turns) : data), [data, isThen, turns]);
  /** `all`: as it is now, whose places stay while one goes back and forth. */
  return { run, all: data, error: error?.message ?? null, refetch, isChosen: rootTurnId !== undefined };
}

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
