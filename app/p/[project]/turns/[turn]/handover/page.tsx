import type { Metadata } from "next";
import { handoverAsked, handoverQuery } from "@/components/handover/handover-query";
import { HandoverScreen } from "@/components/handover/handover-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Hand-over" };

type Props = {
  params: Promise<{ project: string; turn: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function Page({ params, searchParams }: Props) {
  const { project, turn } = await params;
  const [projectId, agentTurnId] = [decodeURIComponent(project), decodeURIComponent(turn)];
  const asked = handoverAsked(await searchParams);
  await prefetch(trpc.debugger.handover.queryOptions(handoverQuery(projectId, agentTurnId, asked)));
  return (
    <HydrateClient>
      <HandoverScreen key={agentTurnId} projectId={projectId} agentTurnId={agentTurnId} />
    </HydrateClient>
  );
}
