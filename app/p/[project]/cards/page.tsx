import type { Metadata } from "next";
import { cardListQuery, cardSearchQuery } from "@/components/card/card-list-query";
import { CardsScreen } from "@/components/card/cards-screen";
import { nextHits } from "@/components/card/next-hits";
import { nextPage } from "@/components/trpc/next-page";
import { HydrateClient, prefetch, prefetchPages, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Cards" };

type Props = {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ q?: string; type?: string; role?: string; author?: string }>;
};

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  const filter = await searchParams;
  const asked = cardSearchQuery(projectId, filter);
  await Promise.all([
    prefetchPages(trpc.card.list.infiniteQueryOptions(cardListQuery(projectId, filter), nextPage)),
    asked && prefetchPages(trpc.search.query.infiniteQueryOptions(asked, nextHits)),
    prefetch(trpc.card.facets.queryOptions({ project_id: projectId })),
  ]);
  return (
    <HydrateClient>
      <CardsScreen projectId={projectId} />
    </HydrateClient>
  );
}
