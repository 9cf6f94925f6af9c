import type { Metadata } from "next";
import { runListQuery } from "@/components/runs/run-params";
import { RunsScreen } from "@/components/runs/runs-screen";
import { nextPage } from "@/components/trpc/next-page";
import { HydrateClient, prefetchPages, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Runs" };

type Props = {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ q?: string; status?: string; sort?: string }>;
};

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  await prefetchPages(trpc.run.list.infiniteQueryOptions(runListQuery(projectId, await searchParams), nextPage));
  return (
    <HydrateClient>
      <RunsScreen projectId={projectId} />
    </HydrateClient>
  );
}
