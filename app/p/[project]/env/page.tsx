import type { Metadata } from "next";
import { EnvScreen } from "@/components/env-data/env-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Environment data" };

type Props = { params: Promise<{ project: string }>; searchParams: Promise<{ run?: string; key?: string }> };

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  const { run, key } = await searchParams;
  await Promise.all([
    prefetch(trpc.env_data.sheet.queryOptions({ project_id: projectId, root_turn_id: run })),
    run !== undefined && key !== undefined
      ? prefetch(trpc.env_data.get.queryOptions({ project_id: projectId, root_turn_id: run, key }))
      : undefined,
  ]);
  return (
    <HydrateClient>
      <EnvScreen projectId={projectId} />
    </HydrateClient>
  );
}
