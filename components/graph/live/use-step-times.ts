"use client";

// Ties the steps of the turns in view to React: one store for the picture, asked for what is drawn.
import { useEffect, useSyncExternalStore } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import type { TurnFrame } from "@/server/contract/frame";
import { useYard } from "../yard-context";
import type { LivePicture } from "./live-picture";
import { createStepTimes, type StepTimes } from "./step-times";

export function useStepTimes(drawn: readonly TurnFrame[]): StepTimes["stepsOf"] {
  // The timeline is of the whole run, whatever moment of it is shown.
  const { base, projectId } = useYard();
  const client = useTRPCClient();
  const times = timesOf(base.live, (agent_turn_ids) =>
    client.graph.steps.query({ project_id: projectId, agent_turn_ids }),
  );
  useSyncExternalStore(times.subscribe, times.getVersion, times.getVersion);
  // Cheap where nothing has changed: a few rows are compared with what is known of them.
  useEffect(() => times.want(drawn));
  return times.stepsOf;
}

function timesOf(live: LivePicture, read: Parameters<typeof createStepTimes>[0]["read"]): StepTimes {
  const times = kept.get(live) ?? createStepTimes({ read, later: (run, ms) => setTimeout(run, ms) });
  kept.set(live, times);
  return times;
}

/** Kept as long as the picture: switching to another run and back requests nothing twice. */
const kept = new WeakMap<LivePicture, StepTimes>();
