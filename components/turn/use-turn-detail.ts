"use client";

// One turn, whole. The live picture says when it changed: its rev, and what was refused, is part of the question, so nothing is invalidated.
import { useQuery } from "@tanstack/react-query";
import { useTRPCClient } from "@/components/trpc/client";
import type { TurnFrame } from "@/server/contract/frame";
import type { TurnDetail } from "@/server/contract/turn-detail";

export function useTurnDetail(
  projectId: string,
  turn: TurnFrame,
  /** Refused writes that were heard of: they change nothing of the turn, so its rev does not tell. */
  lateCount: number,
): { detail: TurnDetail | undefined; error: string | null } {
  const client = useTRPCClient();
  const { data, error } = useQuery({
    queryKey: ["turn detail", projectId, turn.agent_turn_id, turn.rev, lateCount],
    queryFn: ({ signal }) =>
      client.turn.detail.query({ project_id: projectId, agent_turn_id: turn.agent_turn_id }, { signal }),
    // The last state of the same turn stays while the next is on its way; another turn's must not.
    placeholderData: (before) => (before?.agent_turn_id === turn.agent_turn_id ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  return { detail: data, error: error?.message ?? null };
}
