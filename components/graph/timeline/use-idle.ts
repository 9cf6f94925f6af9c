"use client";

// When the run was idle: read from its steps, which are not in the picture, and from what the picture knows.
import { skipToken, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import { ALL_RUNS } from "../plan/yard-turns";
import { useTopology, useYard } from "../yard-context";
import { type Idle, idleSpans } from "./idle";
import type { TimeScale } from "./timeline-scale";

/** Of a run that goes on. */
const AGAIN_MS = 30_000;

type Input = { turns: readonly TurnFrame[]; scale: TimeScale; now: number };

/** None while the steps are not known: what looks idle may be the work of a long turn. */
export function useIdle({ turns, scale, now }: Input): Idle[] {
  const { projectId } = useYard();
  const { scope } = useTopology();
  const trpc = useTRPC();
  const isOver = turns.every(({ status }) => isEnded(status));
  const { data } = useQuery(
    trpc.graph.work.queryOptions(
      scope === ALL_RUNS || !scale.is_timed ? skipToken : { project_id: projectId, root_turn_id: scope },
      { refetchInterval: isOver ? false : AGAIN_MS, staleTime: AGAIN_MS },
    ),
  );
  if (!data?.work || turns.length === 0) return [];
  const readAt = Date.parse(data.read_at);
  const points: number[] = [];
  const work = [...data.work];
  let last = scale.from;
  for (const turn of turns) {
    const { created_at, started_at, ended_at, heartbeat_at, step_count, status } = turn;
    for (const at of [created_at, started_at, ended_at, heartbeat_at]) {
      if (at === undefined) continue;
      points.push(Date.parse(at));
      last = Math.max(last, Date.parse(at));
    }
    // A worker that tells no steps was at work all the time; and what came since the reading is not known to be idle.
    if (started_at === undefined || status === "suspended") continue;
    const until = ended_at === undefined ? now : Date.parse(ended_at);
    if (step_count === 0) work.push([Date.parse(started_at), until]);
    else if (until > readAt) work.push([Math.max(readAt, Date.parse(started_at)), until]);
  }
  return idleSpans(work, points, { from: scale.from, to: isOver ? last : Math.max(last, now) });
}
