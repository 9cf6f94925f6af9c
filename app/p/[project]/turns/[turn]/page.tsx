import type { Metadata } from "next";
import { alarmNoteQuery } from "@/components/domain/alarm-note-query";
import { TurnScreen } from "@/components/turn/turn-screen";
import { HydrateClient, prefetch, trpc } from "@/server/api/rsc";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Turn" };

export default async function Page({ params }: { params: Promise<{ project: string; turn: string }> }) {
  const { project, turn } = await params;
  const id = { project_id: decodeURIComponent(project), agent_turn_id: decodeURIComponent(turn) };
  await Promise.all([
    prefetch(trpc.turn.sheet.queryOptions(id)),
    prefetch(trpc.alarm.list.queryOptions(alarmNoteQuery(id.project_id, id.agent_turn_id))),
  ]);
  return (
    <HydrateClient>
      <TurnScreen key={id.agent_turn_id} projectId={id.project_id} agentTurnId={id.agent_turn_id} />
    </HydrateClient>
  );
}
