import type { Metadata } from "next";
import { boxListQuery } from "@/components/box/box-list-query";
import { BoxesScreen } from "@/components/box/boxes-screen";
import { nextPage } from "@/components/trpc/next-page";
import { HydrateClient, prefetchPages, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Boxes" };

type Props = {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ kind?: string; agent?: string }>;
};

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  await prefetchPages(trpc.box.list.infiniteQueryOptions(boxListQuery(projectId, await searchParams), nextPage));
  return (
    <HydrateClient>
      <BoxesScreen projectId={projectId} />
    </HydrateClient>
  );
}
