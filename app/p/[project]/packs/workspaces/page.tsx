import type { Metadata } from "next";
import { WorkspacesScreen } from "@/components/workspace/workspaces-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Workspaces" };

type Props = { params: Promise<{ project: string }> };

export default async function Page({ params }: Props) {
  const projectId = decodeURIComponent((await params).project);
  await prefetch(trpc.workspace.list.queryOptions({ project_id: projectId }));
  return (
    <HydrateClient>
      <WorkspacesScreen projectId={projectId} />
    </HydrateClient>
  );
}
