import type { Metadata } from "next";
import { ProfilesScreen } from "@/components/profile/profiles-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Profiles" };

export default async function Page({ params }: { params: Promise<{ project: string }> }) {
  const projectId = decodeURIComponent((await params).project);
  await Promise.all([
    prefetch(trpc.profile.lines.queryOptions({ project_id: projectId })),
    prefetch(trpc.health.get.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <ProfilesScreen projectId={projectId} />
    </HydrateClient>
  );
}
