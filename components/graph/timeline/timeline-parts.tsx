"use client";

// What the timeline shows: its tools, the axis, a row for each turn or agent, and the playhead.
import { useQueryStates } from "nuqs";
import { useState, useSyncExternalStore } from "react";
import { useLiveState, useYard } from "../yard-context";
import { yardParams } from "../yard-url";
import { agentRows, turnRows } from "./agent-rows";
import { Breaks } from "./breaks";
import { PlayButtons } from "./play-buttons";
import { Playhead } from "./playhead";
import { TimelineAxis } from "./timeline-axis";
import { TimelineOverview } from "./timeline-overview";
import { partOf, rangeOf } from "./timeline-range";
import { TimelineRows } from "./timeline-rows";
import { LABELS, positionOf, within } from "./timeline-scale";
import { TimelineTools } from "./timeline-tools";
import { usePlayback } from "./use-playback";
import { useRunTime } from "./use-run-time";

const RIGHT = 14;

/** `isUsed`: somebody is about to go back in time. */
export function TimelineParts({ width, isUsed }: { width: number; isUsed: boolean }) {
  const { base, ways, isThen } = useYard();
  const [{ from, to, rows: rowsAsked }] = useQueryStates(yardParams);
  const { paused_at: pausedAt } = useLiveState(base.live);
  const [isUnfolded, setIsUnfolded] = useState(false);
  const { shown, whole, idle, now, isLive, end, moments, canGoBack } = useRunTime(isUsed);
  const run = { from: whole.from, to: isLive ? whole.to : end };
  const range = whole.is_timed ? partOf(rangeOf(from, to), run) : null;
  const breaks = isUnfolded ? [] : idle;
  const scale = within(whole, range, breaks);
  const inRange =
    range === null
      ? shown
      : shown.filter(
          ({ created_at, ended_at }) =>
            Date.parse(created_at) <= range.to && (ended_at === undefined ? now : Date.parse(ended_at)) >= range.from,
        );
  const rows = rowsAsked === "agents" ? agentRows(inRange) : turnRows(inRange);
  const plot = Math.max(1, width - LABELS - RIGHT);
  const stretch = { from: scale.from, to: Math.min(scale.to, end) };
  const playback = usePlayback({ moments, idle: scale.breaks ?? [], ...stretch, isWhole: range === null });
  const until = useSyncExternalStore(ways.time.subscribe, () => ways.time.getState().at, nothing) ?? end;
  const playhead = LABELS + Math.min(plot, Math.max(0, positionOf(until, scale, plot)));

  return (
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
      {range === null ? null : (
        <TimelineOverview scale={within(whole, null, breaks)} plot={plot} part={range} run={run} moments={moments} />
      )}
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
  );
}

const nothing = () => null;
