"use client";

// The turns that a card came to: written, handed over, or sent to a model. While it is asked for, they alone are lit.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";

/** A run goes on, and more turns may be given the card. */
const AGAIN_MS = 5_000;

/** null = nothing is asked for, or the answer is on its way: then nothing is dimmed. */
export function useSaw(projectId: string, cardId: string | null): ReadonlySet<string> | null {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.card.sightings.queryOptions(
      { project_id: projectId, card_id: cardId ?? "" },
      { enabled: cardId !== null, refetchInterval: AGAIN_MS, retry: false },
    ),
  );
  return useMemo(
    () => (cardId === null || data === undefined ? null : new Set(data.turns.map((turn) => turn.agent_turn_id))),
    [cardId, data],
  );
}

/** The turns of a run that had a card with these words. null as above. */
export function useSawText(
  projectId: string,
  rootTurnId: string | null,
  text: string | null,
): ReadonlySet<string> | null {
  const trpc = useTRPC();
  const isAsked = text !== null && rootTurnId !== null && rootTurnId !== "all";
  const { data } = useQuery(
    trpc.card.saw_text.queryOptions(
      { project_id: projectId, root_turn_id: rootTurnId ?? "", text: text ?? "" },
      { enabled: isAsked, refetchInterval: AGAIN_MS, retry: false },
    ),
  );
  return useMemo(
    () => (!isAsked || data === undefined ? null : new Set(data.turns.map((turn) => turn.agent_turn_id))),
    [isAsked, data],
  );
}

/** What both let through. */
export function bothOf(one: ReadonlySet<string> | null, other: ReadonlySet<string> | null): ReadonlySet<string> | null {
  if (one === null || other === null) return one ?? other;
  return new Set([...one].filter((id) => other.has(id)));
}
