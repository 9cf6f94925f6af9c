"use client";

// The cards that fit, by pages: the newest, or what a query finds. Only the list of the newest tells of deletions, so it is read
// beside a search too.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { faultOf, type QueryFault } from "@/components/domain/query-fault";
import { useDeletions } from "@/components/domain/use-deletions";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import type { CardLine } from "@/server/contract/line";
import { type CardFilter, cardListQuery, cardSearchQuery } from "./card-list-query";
import { nextHits } from "./next-hits";

export function useCardList(projectId: string, filter: CardFilter) {
  const trpc = useTRPC();
  const before = <Data>(data: Data): Data => data;
  const newest = useInfiniteQuery(
    trpc.card.list.infiniteQueryOptions(cardListQuery(projectId, filter), {
      ...patient,
      ...nextPage,
      placeholderData: before,
    }),
  );
  const asked = cardSearchQuery(projectId, filter);
  const isSearch = asked !== null;
  const found = useInfiniteQuery({
    ...trpc.search.query.infiniteQueryOptions(asked ?? { project_id: projectId }, { ...patient, ...nextHits }),
    enabled: isSearch,
    placeholderData: before,
  });
  const list = isSearch ? found : newest;
  useDeletions({
    projectId,
    cursor: newest.data?.pages[0]?.live_cursor,
    read: async () => {
      const [{ data }] = await Promise.all([newest.refetch(), isSearch ? found.refetch() : null]);
      return data?.pages[0]?.live_cursor;
    },
  });
  const cards = useMemo<CardLine[] | undefined>(
    () =>
      isSearch
        ? found.data?.pages.flatMap(({ groups }) =>
            groups.flatMap((group) => (group.kind === "card" ? group.items : [])),
          )
        : newest.data?.pages.flatMap((page) => page.items),
    [isSearch, newest.data, found.data],
  );
  /** Of the query as it was asked, with what is chosen beside the words. */
  const fault: { query: string; fault: QueryFault } | null = faultAt(asked?.q, found.error?.message);
  const lastPage = found.data?.pages.at(-1)?.groups[0];
  const lookedAt = isSearch && lastPage?.is_partial ? lastPage.looked_at : undefined;
  return { cards, list, asked: asked?.q ?? null, fault, lookedAt };
}

function faultAt(query: string | undefined, message: string | undefined) {
  const fault = query === undefined || message === undefined ? null : faultOf(message);
  return fault === null || query === undefined ? null : { query, fault };
}
