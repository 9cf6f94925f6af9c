import type { Metadata } from "next";
import { BatchScreen } from "@/components/batch/batch-screen";
import { alarmNoteQuery } from "@/components/domain/alarm-note-query";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Batch" };

export default async function Page({ params }: { params: Promise<{ project: string; batch: string }> }) {
  const { project, batch } = await params;
  const id = { project_id: decodeURIComponent(project), batch_id: batch };
  await Promise.all([
    prefetch(trpc.batch.get.queryOptions(id)),
    prefetch(trpc.batch.shared.queryOptions(id)),
    prefetch(trpc.alarm.list.queryOptions(alarmNoteQuery(id.project_id, batch))),
  ]);
  return (
    <HydrateClient>
      <BatchScreen key={batch} projectId={id.project_id} batchId={batch} />
    </HydrateClient>
  );
}
