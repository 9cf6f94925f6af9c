import type { Metadata } from "next";
import { ComposerScreen } from "@/components/composer/composer-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ project: string; plan: string }>; searchParams: Promise<{ v?: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).plan };
}

export default async function Page({ params, searchParams }: Props) {
  const { project: project_id, plan: name } = await params;
  const { v = "" } = await searchParams;
  const version = /^[1-9]\d{0,5}$/.test(v) ? { version: Number(v) } : {};
  await prefetch(trpc.plan.drawing.queryOptions({ project_id, plan: name, ...version }));
  return (
    <HydrateClient>
      <ComposerScreen key={`${project_id} ${name}`} projectId={project_id} person="local" plan={name} />
    </HydrateClient>
  );
}
