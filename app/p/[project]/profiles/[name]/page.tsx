import type { Metadata } from "next";
import { ProfileScreen } from "@/components/profile/profile-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ project: string; name: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).name };
}

export default async function Page({ params }: Props) {
  const { project, name } = await params;
  const id = { project_id: project, name };
  await Promise.all([prefetch(trpc.profile.sheet.queryOptions(id)), prefetch(trpc.health.get.queryOptions())]);
  return (
    <HydrateClient>
      <ProfileScreen key={id.name} projectId={id.project_id} name={id.name} />
    </HydrateClient>
  );
}
