import type { Metadata } from "next";
import { ComposerScreen } from "@/components/composer/composer-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "New plan" };

type Props = { params: Promise<{ project: string }>; searchParams: Promise<{ draft?: string }> };

export default async function Page({ params, searchParams }: Props) {
  const project_id = decodeURIComponent((await params).project);
  const { draft } = await searchParams;
  if (draft) await prefetch(trpc.plan.drawing.queryOptions({ project_id, draft_id: draft }));
  return (
    <HydrateClient>
      <ComposerScreen key={project_id} projectId={project_id} person="local" plan={null} />
    </HydrateClient>
  );
}
