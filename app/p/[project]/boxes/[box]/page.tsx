import type { Metadata } from "next";
import { firstLines } from "@/components/box/line-store";
import { alarmNoteQuery } from "@/components/domain/alarm-note-query";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";
import { boxPlate } from "@/server/contract/box";
import { BoxPage } from "./box-page";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ project: string; box: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Box ${boxPlate((await params).box)}` };
}

export default async function Page({ params }: Props) {
  const { project, box } = await params;
  const id = { project_id: decodeURIComponent(project), box_id: box };
  await Promise.all([
    prefetch(trpc.box.get.queryOptions(id)),
    prefetch(trpc.box.weights.queryOptions({ ...id, from: 0 })),
    prefetch(trpc.box.lines.queryOptions({ ...id, positions: firstLines })),
    prefetch(trpc.alarm.list.queryOptions(alarmNoteQuery(id.project_id, box))),
  ]);
  return (
    <HydrateClient>
      <BoxPage projectId={id.project_id} boxId={box} />
    </HydrateClient>
  );
}
