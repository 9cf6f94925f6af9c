"use client";

// The run as time, on a desk and on a phone: its axis, when it was idle, its end, and the moments at which something happened.
import { useMemo } from "react";
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import { useHistory } from "../as-of/as-of-part";
import { ALL_RUNS } from "../plan/yard-turns";
import { useHasTimes } from "../use-run";
import { useBaseNow, useBaseTurns, useTopology, useYard } from "../yard-context";
import type { Idle } from "./idle";
import { momentsOf } from "./moments";
import { type TimeScale, timeScale } from "./timeline-scale";
import { useIdle } from "./use-idle";

export type RunTime = {
  /** The turns that the filter lets through, as they are now. */
  shown: readonly TurnFrame[];
  whole: TimeScale;
  idle: readonly Idle[];
  now: number;
  isLive: boolean;
  /** What has happened ends here. */
  end: number;
  moments: readonly number[];
  canGoBack: boolean;
};

/** `isUsed`: somebody is about to go back, and the moments are worth reading. */
export function useRunTime(isUsed: boolean): RunTime {
  const { scope } = useTopology();
  const { projectId, matches, ways, isThen } = useYard();
  const turns = useBaseTurns();
  const hasTimes = useHasTimes(scope);
  const now = useBaseNow();
  const isOneRun = scope !== ALL_RUNS;
  const { history } = useHistory(projectId, isOneRun && (isThen || isUsed) ? scope : null, ways.time);
  const shown = useMemo(
    () => turns.filter((turn) => !turn.is_human && (matches === null || matches.has(turn.agent_turn_id))),
    [turns, matches],
  );
  const whole = useMemo(() => timeScale(shown, now, hasTimes), [shown, now, hasTimes]);
  const idle = useIdle({ turns: shown, scale: whole, now });
  const isLive = whole.is_timed && now > 0 && shown.some((turn) => !isEnded(turn.status));
  const end = isLive ? now : lastEnd(shown, whole.from);
  const moments = useMemo(
    () => momentsOf(history ?? null, turns).filter((at) => at >= whole.from && at <= end),
    [history, turns, whole.from, end],
  );
  const canGoBack = whole.is_timed && isOneRun && shown.length > 0 && now > 0;
  return { shown, whole, idle, now, isLive, end, moments, canGoBack };
}

function lastEnd(turns: readonly TurnFrame[], from: number): number {
  let last = from;
  for (const { created_at, ended_at } of turns) last = Math.max(last, Date.parse(ended_at ?? created_at));
  return last;
}
