"use client";

// Looks things up while one types; an answer to an older question is dropped.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { useRested } from "@/components/ui/use-rested";
import type { SearchHits, SearchKind } from "@/server/contract/search";

export type Search = {
  /** While one types on, those of the words before; undefined where those had none, which says nothing of these. */
  hits: SearchHits | undefined;
  isSearching: boolean;
  error: string | null;
};

export function useSearch(input: {
  projectId: string;
  query: string;
  kinds: SearchKind[];
  limit: number;
  isEnabled?: boolean;
}): Search {
  const trpc = useTRPC();
  const query = useRested(input.query.trim());
  const { data, isFetching, isPlaceholderData, error } = useQuery(
    trpc.palette.search.queryOptions(
      { project_id: input.projectId, query, kinds: input.kinds, limit: input.limit },
      {
        enabled: input.isEnabled ?? true,
        placeholderData: keepPreviousData,
        staleTime: 2_000,
        trpc: { abortOnUnmount: true },
      },
    ),
  );
  const isOfBefore = isPlaceholderData || query !== input.query.trim();
  return {
    hits: isOfBefore && data !== undefined && isNone(data) ? undefined : data,
    isSearching: isFetching || isOfBefore,
    error: error === null ? null : error.message,
  };
}

const isNone = ({ turns, runs, boxes, cards, agents, profiles }: SearchHits): boolean =>
  [turns, runs, boxes, cards, agents, profiles].every((hits) => hits.length === 0);
