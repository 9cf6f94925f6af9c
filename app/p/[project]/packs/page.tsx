import type { Metadata } from "next";
import { packListQuery } from "@/components/context-pack/pack-list-query";
import { PacksScreen } from "@/components/context-pack/packs-screen";
import { nextPage } from "@/components/trpc/next-page";
import { HydrateClient, prefetchPages, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Context packs" };

type Props = { params: Promise<{ project: string }>; searchParams: Promise<{ q?: string }> };

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  const { q } = await searchParams;
  await prefetchPages(trpc.context_pack.list.infiniteQueryOptions(packListQuery(projectId, q), nextPage));
  return (
    <HydrateClient>
      <PacksScreen projectId={projectId} />
    </HydrateClient>
  );
}
