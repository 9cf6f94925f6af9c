"use client";

// Where the yard, the inspector and the banners meet: no feature knows another.
import { useQuery } from "@tanstack/react-query";
import { YardScreen } from "@/components/graph/yard-screen";
import type { ConnectionSlot, InspectorSlot } from "@/components/graph/yard-slots";
import { FirstRun } from "@/components/project/first-run";
import { ConnectionBanner } from "@/components/shell/connection-banner";
import { useTRPC } from "@/components/trpc/client";
import { TurnInspector } from "@/components/turn/turn-inspector";

export function YardPage({ projectId, person }: { projectId: string; person: string }) {
  return (
    <YardScreen
      key={projectId}
      projectId={projectId}
      inspector={inspectorOf}
      connection={connectionOf}
      empty={<FirstRun projectId={projectId} person={person} />}
    />
  );
}

const inspectorOf = (slot: InspectorSlot) => <TurnInspector key={slot.turn.agent_turn_id} {...slot} />;
const connectionOf = (slot: ConnectionSlot) => <StreamBanner {...slot} />;

/** A server that is away has a banner of its own; two of them would say one thing twice. */
function StreamBanner({ status, since }: ConnectionSlot) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.health.get.queryOptions());
  const isStreamOnly = status === "cut" && error === null && data?.status !== "down";
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-4 z-30 grid justify-items-center px-3">
      <ConnectionBanner state={isStreamOnly ? "stream_cut" : "live"} freshAt={new Date(since).toISOString()} />
    </div>
  );
}
