import type { Metadata } from "next";
import { compareAsked, compareQuery } from "@/components/run-compare/compare-query";
import { CompareScreen } from "@/components/run-compare/compare-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Compare runs" };

type Props = {
  params: Promise<{ project: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  const { a, b, shown } = compareAsked(await searchParams);
  if (a !== null && b !== null)
    await prefetch(trpc.debugger.compare.queryOptions(compareQuery(projectId, { a, b }, shown)));
  return (
    <HydrateClient>
      <CompareScreen projectId={projectId} />
    </HydrateClient>
  );
}
