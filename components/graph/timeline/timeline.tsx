"use client";

// The run as time: an equal way to every turn, for those who read lists better than plans, and the way back to any moment of it.
import { useQueryStates } from "nuqs";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { isEnded } from "@/server/contract/turn";
import { useHistory } from "../as-of/as-of-part";
import { ALL_RUNS } from "../plan/yard-turns";
import { useHasTimes } from "../use-run";
import { useBaseNow, useBaseTurns, useLiveState, useTopology, useYard } from "../yard-context";
import { yardParams } from "../yard-url";
import { agentRows, turnRows } from "./agent-rows";
import { Breaks } from "./breaks";
import { momentsOf } from "./moments";
import { PlayButtons } from "./play-buttons";
import { Playhead } from "./playhead";
import { TimelineAxis } from "./timeline-axis";
import { TimelineRows } from "./timeline-rows";
import { LABELS, positionOf, timeScale, within } from "./timeline-scale";
import { TimelineTools } from "./timeline-tools";
import "./timeline.css";
import { useIdle } from "./use-idle";
import { usePlayback } from "./use-playback";

const RIGHT = 14;

export function Timeline() {
  const frameRef = useRef<HTMLElement>(null);
  const width = useWidth(frameRef);
  const { scope } = useTopology();
  const { projectId, matches, base, ways, isThen } = useYard();
  const [{ from, to, rows: rowsAsked }, setParams] = useQueryStates(yardParams);
  const turns = useBaseTurns();
  const hasTimes = useHasTimes(scope);
  const now = useBaseNow();
  const { paused_at: pausedAt } = useLiveState(base.live);
  const [isUnfolded, setIsUnfolded] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  const isOneRun = scope !== ALL_RUNS;
  const { history } = useHistory(projectId, isOneRun && (isThen || isUsed) ? scope : null, ways.time);

  const shown = turns.filter((turn) => !turn.is_human && (matches === null || matches.has(turn.agent_turn_id)));
  const whole = timeScale(shown, now, hasTimes);
  const idle = useIdle({ turns: shown, scale: whole, now });
  const range = from !== null && to !== null && from < to ? { from: from.getTime(), to: to.getTime() } : null;
  const scale = within(whole, whole.is_timed ? range : null, isUnfolded ? [] : idle);
  const inRange =
    range === null
      ? shown
      : shown.filter(
          ({ created_at, ended_at }) =>
            Date.parse(created_at) <= range.to && (ended_at === undefined ? now : Date.parse(ended_at)) >= range.from,
        );
  const rows = rowsAsked === "agents" ? agentRows(inRange) : turnRows(inRange);
  const plot = Math.max(1, width - LABELS - RIGHT);
  const isLive = scale.is_timed && now > 0 && shown.some((turn) => !isEnded(turn.status));
  const end = isLive ? now : lastEnd(shown, scale.from);
  const moments = useMemo(
    () => momentsOf(history ?? null, turns).filter((at) => at >= whole.from && at <= end),
    [history, turns, whole.from, end],
  );
  const canGoBack = scale.is_timed && isOneRun && shown.length > 0 && now > 0;
  const stretch = { from: scale.from, to: Math.min(scale.to, end) };
  const playback = usePlayback({ moments, idle: scale.breaks ?? [], ...stretch, isWhole: range === null });
  const until = useSyncExternalStore(ways.time.subscribe, () => ways.time.getState().at, nothing) ?? end;
  const playhead = LABELS + Math.min(plot, Math.max(0, positionOf(until, scale, plot)));

  /** Out by one level: the part first, then the moment. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape" || range === null || event.defaultPrevented) return;
    event.preventDefault();
    void setParams({ from: null, to: null });
  }

  return (
    <section
      ref={frameRef}
      className="yard-timeline"
      aria-label="Timeline"
      onKeyDown={onKeyDown}
      onFocus={() => setIsUsed(true)}
      onPointerDown={() => setIsUsed(true)}
    >
      {width === 0 ? null : (
        <>
          <TimelineTools
            isTimed={scale.is_timed}
            cut={(scale.breaks ?? []).length}
            isUnfolded={isUnfolded}
            hasIdle={idle.length > 0}
            onUnfold={setIsUnfolded}
            shown={range === null ? null : { of: shown.length, in: inRange.length }}
            playback={canGoBack ? playback : null}
          />
          <TimelineAxis
            scale={scale}
            plot={plot}
            playhead={scale.is_timed ? playhead : null}
            end={stretch.to}
            canGoBack={canGoBack}
          />
          <TimelineRows
            rows={rows}
            isByAgent={rowsAsked === "agents"}
            scale={scale}
            plot={plot}
            now={now}
            count={inRange.length}
          />
          <Breaks scale={scale} plot={plot} />
          {canGoBack ? (
            <>
              <PlayButtons playback={playback} />
              {isThen ? (
                <i aria-hidden className="timeline-later" style={{ left: playhead, right: 0 }} />
              ) : pausedAt !== null && isLive ? (
                <i aria-hidden className="timeline-unseen" style={{ left: playhead, right: 0 }} />
              ) : null}
              <Playhead
                scale={scale}
                plot={plot}
                at={until}
                left={playhead}
                width={width}
                moments={moments}
                stretch={stretch}
              />
            </>
          ) : null}
        </>
      )}
    </section>
  );
}

const nothing = () => null;

function lastEnd(turns: readonly { created_at: string; ended_at?: string }[], from: number): number {
  let last = from;
  for (const { created_at, ended_at } of turns) last = Math.max(last, Date.parse(ended_at ?? created_at));
  return last;
}

function useWidth(ref: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
