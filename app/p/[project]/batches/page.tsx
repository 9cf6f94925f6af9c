import type { Metadata } from "next";
import { batchListQuery } from "@/components/batch/batch-list-query";
import { BatchesScreen } from "@/components/batch/batches-screen";
import { nextPage } from "@/components/trpc/next-page";
import { HydrateClient, prefetchPages, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Batches" };

type Props = {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ status?: string; run?: string }>;
};

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  await prefetchPages(trpc.batch.list.infiniteQueryOptions(batchListQuery(projectId, await searchParams), nextPage));
  return (
    <HydrateClient>
      <BatchesScreen projectId={projectId} />
    </HydrateClient>
  );
}
