"use client";

// The turns that a query in the search language finds. Words alone are looked up in what is drawn, and nothing is asked for them.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { faultOf, type QueryFault } from "@/components/domain/query-fault";
import { useTRPC } from "@/components/trpc/client";
import { useRested } from "@/components/ui/use-rested";
import { isPlainWords } from "@/server/contract/search-query/is-plain";

/** A run goes on, and more turns may fit. */
const AGAIN_MS = 5_000;
/** In the place of a run: all of them. */
const ALL = "all";

export type AskedTurns = {
  /** The words that are looked up here; "" = the server is asked, or nothing is. */
  words: string;
  /** null = nothing is asked of the server, or its answer is on its way: then nothing is dimmed. */
  found: ReadonlySet<string> | null;
  fault: QueryFault | null;
};

export function useAsked(projectId: string, rootTurnId: string | undefined, q: string): AskedTurns {
  const trpc = useTRPC();
  const asked = useRested(q.trim());
  const isPlain = isPlainWords(asked);
  const { data, error } = useQuery(
    trpc.search.turn_ids.queryOptions(
      { project_id: projectId, q: asked, ...(rootTurnId && rootTurnId !== ALL && { root_turn_id: rootTurnId }) },
      { enabled: !isPlain && rootTurnId !== undefined, refetchInterval: AGAIN_MS, retry: false },
    ),
  );
  return useMemo(() => {
    if (isPlainWords(q.trim())) return { words: q, found: null, fault: null };
    if (isPlain || error) return { words: "", found: null, fault: error && !isPlain ? faultIn(error.message) : null };
    return { words: "", found: data ? new Set(data.ids) : null, fault: null };
  }, [q, isPlain, data, error]);
}

/** What is not about the query is said without a column. */
const faultIn = (message: string): QueryFault => faultOf(message) ?? { column: 0, message };
