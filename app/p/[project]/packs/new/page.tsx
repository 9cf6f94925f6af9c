import type { Metadata } from "next";
import { BuildScreen } from "@/components/context-pack/build/build-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Build a context pack" };

type Props = { params: Promise<{ project: string }> };

export default async function Page({ params }: Props) {
  const projectId = decodeURIComponent((await params).project);
  await Promise.all([
    prefetch(trpc.palette.search.queryOptions({ project_id: projectId, query: "", kinds: ["box"], limit: 8 })),
    prefetch(trpc.context_pack.list.queryOptions({ project_id: projectId, limit: 100 })),
  ]);
  return (
    <HydrateClient>
      <BuildScreen projectId={projectId} />
    </HydrateClient>
  );
}
