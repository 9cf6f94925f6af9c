"use client";

// Connects the yard, the inspector and the banners: no feature knows another.
import { useQuery } from "@tanstack/react-query";
import { YardScreen } from "@/components/graph/yard-screen";
import { YardSkeleton } from "@/components/graph/yard-skeleton";
import type { ConnectionSlot, InspectorSlot } from "@/components/graph/yard-slots";
import { ConnectionBanner } from "@/components/shell/connection-banner";
import { useTRPC } from "@/components/trpc/client";
import { InspectorSkeleton } from "@/components/turn/inspector-skeleton";
import { lazyPart, useFetchAtRest } from "@/components/ui/lazy-part";

const loadInspector = () => import("@/components/turn/turn-inspector").then((module) => module.TurnInspector);
const TurnInspector = lazyPart(loadInspector, {
  missing: "The inspector could not be loaded",
  waiting: () => <InspectorSkeleton />,
});
const FirstRun = lazyPart(() => import("@/components/project/first-run").then((module) => module.FirstRun), {
  missing: "The first steps could not be loaded",
  waiting: () => <YardSkeleton />,
});
const parts = [loadInspector];

export function YardPage({ projectId, person }: { projectId: string; person: string }) {
  useFetchAtRest(parts);
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

/** An unavailable server already has its own banner; a second one would repeat it. */
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
