import type { Metadata } from "next";
import { yardSnapshot } from "@/components/graph/yard-snapshot";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";
import { YardPage } from "./yard-page";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Yard" };

type Props = {
  params: Promise<{ project: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  const { run, limit } = await searchParams;
  const isOne = typeof run === "string" ? run : null;
  await prefetch(trpc.graph.snapshot.queryOptions(yardSnapshot(projectId, isOne, Number(limit) || null)));
  return (
    <HydrateClient>
      <YardPage projectId={projectId} person="local" />
    </HydrateClient>
  );
}
