import type { Metadata } from "next";
import { AgentScreen } from "@/components/agent/agent-screen";
import { nextPage } from "@/components/trpc/next-page";
import { HydrateClient, prefetch, prefetchPages, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Agent" };

export default async function Page({ params }: { params: Promise<{ project: string; agent: string }> }) {
  const { project, agent } = await params;
  const id = { project_id: decodeURIComponent(project), agent_id: agent };
  await Promise.all([
    prefetch(trpc.agent.get.queryOptions(id)),
    prefetchPages(trpc.agent.turns.infiniteQueryOptions(id, nextPage)),
    prefetch(trpc.health.get.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <AgentScreen projectId={id.project_id} agentId={agent} />
    </HydrateClient>
  );
}
