import type { Metadata } from "next";
import { PlanScreen } from "@/components/plan/plan-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ project: string; name: string }>; searchParams: Promise<{ v?: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).name };
}

export default async function Page({ params, searchParams }: Props) {
  const { project, name } = await params;
  const { v = "" } = await searchParams;
  const version = /^[1-9]\d{0,5}$/.test(v) ? Number(v) : undefined;
  const id = { project_id: project, name };
  await prefetch(trpc.plan.sheet.queryOptions({ ...id, version }));
  return (
    <HydrateClient>
      <PlanScreen key={id.name} projectId={id.project_id} name={id.name} />
    </HydrateClient>
  );
}
