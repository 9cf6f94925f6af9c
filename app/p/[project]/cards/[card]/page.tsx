import type { Metadata } from "next";
import { CardScreen } from "@/components/card/card-screen";
import { alarmNoteQuery } from "@/components/domain/alarm-note-query";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Card" };

export default async function Page({ params }: { params: Promise<{ project: string; card: string }> }) {
  const { project, card } = await params;
  const id = { project_id: decodeURIComponent(project), card_id: card };
  await Promise.all([
    prefetch(trpc.card.get.queryOptions(id)),
    prefetch(trpc.card.sightings.queryOptions(id)),
    prefetch(trpc.alarm.list.queryOptions(alarmNoteQuery(id.project_id, card))),
  ]);
  return (
    <HydrateClient>
      <CardScreen projectId={id.project_id} cardId={card} />
    </HydrateClient>
  );
}
