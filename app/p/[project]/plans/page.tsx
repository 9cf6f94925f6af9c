import type { Metadata } from "next";
import { PlansScreen } from "@/components/plan/plans-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Plans" };

type Props = { params: Promise<{ project: string }>; searchParams: Promise<{ archived?: string }> };

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  const archived = (await searchParams).archived === "true";
  await Promise.all([
    prefetch(trpc.plan.lines.queryOptions({ project_id: projectId, archived })),
    prefetch(trpc.plan.drafts.queryOptions({ project_id: projectId })),
  ]);
  return (
    <HydrateClient>
      <PlansScreen projectId={projectId} />
    </HydrateClient>
  );
}
