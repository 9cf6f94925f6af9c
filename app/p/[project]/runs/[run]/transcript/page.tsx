import type { Metadata } from "next";
import { transcriptQuery } from "@/components/transcript/transcript-query";
import { TranscriptScreen } from "@/components/transcript/transcript-screen";
import { nextPage } from "@/components/trpc/next-page";
import { HydrateClient, prefetch, prefetchPages, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Transcript" };

type Props = {
  params: Promise<{ project: string; run: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function Page({ params, searchParams }: Props) {
  const { project, run } = await params;
  const [projectId, rootTurnId] = [decodeURIComponent(project), decodeURIComponent(run)];
  const { agent, q } = await searchParams;
  const asked = transcriptQuery(projectId, rootTurnId, {
    agent: typeof agent === "string" ? agent : null,
    ...(typeof q === "string" && { q }),
  });
  await Promise.all([
    prefetchPages(trpc.run.transcript.infiniteQueryOptions(asked, nextPage)),
    prefetch(trpc.run.transcript_head.queryOptions({ project_id: projectId, root_turn_id: rootTurnId })),
  ]);
  return (
    <HydrateClient>
      <TranscriptScreen key={rootTurnId} projectId={projectId} rootTurnId={rootTurnId} />
    </HydrateClient>
  );
}
