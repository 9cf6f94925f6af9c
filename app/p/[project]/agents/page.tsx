import type { Metadata } from "next";
import { agentListQuery } from "@/components/agent/agent-list-query";
import { AgentsScreen } from "@/components/agent/agents-screen";
import { nextPage } from "@/components/trpc/next-page";
import { HydrateClient, prefetch, prefetchPages, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Agents" };

type Props = {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ q?: string; profile?: string }>;
};

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  await Promise.all([
    prefetchPages(trpc.agent.list.infiniteQueryOptions(agentListQuery(projectId, await searchParams), nextPage)),
    prefetch(trpc.health.get.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <AgentsScreen projectId={projectId} />
    </HydrateClient>
  );
}
