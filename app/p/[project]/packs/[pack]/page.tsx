import type { Metadata } from "next";
import { PackScreen } from "@/components/context-pack/pack-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Context pack" };

type Props = { params: Promise<{ project: string; pack: string }> };

export default async function Page({ params }: Props) {
  const { project, pack } = await params;
  const id = { project_id: decodeURIComponent(project), pack: decodeURIComponent(pack) };
  await prefetch(trpc.context_pack.get.queryOptions(id));
  return (
    <HydrateClient>
      <PackScreen key={id.pack} projectId={id.project_id} pack={id.pack} />
    </HydrateClient>
  );
}
