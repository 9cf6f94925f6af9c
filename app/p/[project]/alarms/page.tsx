import type { Metadata } from "next";
import { alarmListQuery } from "@/components/alarms/alarm-list-query";
import { AlarmsScreen } from "@/components/alarms/alarms-screen";
import { nextPage } from "@/components/trpc/next-page";
import { HydrateClient, prefetchPages, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Alarms" };

type Props = {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ rule?: string; run?: string; subject?: string; muted?: string }>;
};

export default async function Page({ params, searchParams }: Props) {
  const projectId = decodeURIComponent((await params).project);
  await prefetchPages(trpc.alarm.list.infiniteQueryOptions(alarmListQuery(projectId, await searchParams), nextPage));
  return (
    <HydrateClient>
      <AlarmsScreen projectId={projectId} />
    </HydrateClient>
  );
}
