"use client";

// Where the chosen part lies in the whole run, above the axis that shows the part: its two ends are dragged here, or moved by keys
// from event to event. On the axis of the part an end could only ever be moved inwards.
import { useQueryStates } from "nuqs";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { momentWords } from "../as-of/moment-words";
import { yardParams } from "../yard-url";
import type { Idle } from "./idle";
import { stepped } from "./moments";
import { movedEnd, type RangeEnd } from "./timeline-range";
import { LABELS, momentAt, positionOf, type TimeScale } from "./timeline-scale";

/** So much of a handle stays inside of the timeline. */
const OVER_EDGE = 10;
/** Events that one goes by with Shift. */
const MANY = 10;

export type TimelineOverviewProps = {
  /** Of the whole run. */
  scale: TimeScale;
  plot: number;
  part: Idle;
  /** Nothing has happened outside of it. */
  run: Idle;
  moments: readonly number[];
};

export function TimelineOverview({ scale, plot, part, run, moments }: TimelineOverviewProps) {
  const [, setParams] = useQueryStates(yardParams);
  // The axis follows when the hand lets go: under a hand that drags it would run away.
  const [dragged, setDragged] = useState<{ end: RangeEnd; part: Idle; grip: number } | null>(null);
  const shown = dragged?.part ?? part;
  const x = (at: number) => positionOf(at, scale, plot);
  const put = ({ from, to }: Idle) => void setParams({ from: new Date(from), to: new Date(to) });

  function onKeyDown(event: KeyboardEvent, end: RangeEnd) {
    const by = keys[event.key];
    const at = part[end];
    const many = event.shiftKey ? MANY : 1;
    if (by !== undefined) put(movedEnd(part, end, stepTo(moments, at, by * many, run), run));
    else if (event.key === "Home") put(movedEnd(part, end, run.from, run));
    else if (event.key === "End") put(movedEnd(part, end, run.to, run));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  const underHand = ({ clientX }: PointerEvent, end: RangeEnd, grip: number): Idle => {
    const at = momentAt(Math.min(plot, Math.max(0, clientX - grip)), scale, plot);
    return movedEnd(part, end, at, run);
  };

  return (
    <fieldset className="timeline-overview" aria-label="The part that is shown" style={{ left: LABELS, width: plot }}>
      <i aria-hidden className="timeline-run" style={{ width: Math.min(plot, x(run.to)) }} />
      <i aria-hidden className="timeline-part" style={{ left: x(shown.from), width: x(shown.to) - x(shown.from) }} />
      {(["from", "to"] as const).map((end) => (
        <div
          key={end}
          role="slider"
          tabIndex={0}
          aria-label={endNames[end]}
          aria-valuemin={end === "from" ? run.from : shown.from}
          aria-valuemax={end === "from" ? shown.to : run.to}
          aria-valuenow={shown[end]}
          aria-valuetext={momentWords(shown[end])}
          className="timeline-end"
          data-end={end}
          title={`${endNames[end]}: ${momentWords(shown[end])}`}
          style={{ left: Math.min(x(shown[end]), plot - OVER_EDGE) }}
          onKeyDown={(event) => onKeyDown(event, end)}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            setDragged({ end, part, grip: event.clientX - x(part[end]) });
          }}
          onPointerMove={(event) => {
            if (dragged?.end === end) setDragged({ ...dragged, part: underHand(event, end, dragged.grip) });
          }}
          onPointerUp={(event) => {
            if (dragged?.end !== end) return;
            setDragged(null);
            // A hand that only pressed has moved nothing.
            const moved = underHand(event, end, dragged.grip);
            if (Math.abs(moved[end] - part[end]) >= 1) put(moved);
          }}
          onPointerCancel={() => setDragged(null)}
        />
      ))}
    </fieldset>
  );
}

/** Beyond the last event, and before the first, the ends of the run. */
function stepTo(moments: readonly number[], at: number, by: number, run: Idle): number {
  const next = stepped(moments, at, by);
  if (by > 0) return next > at ? next : run.to;
  return next < at ? next : run.from;
}

const endNames = { from: "Beginning of the part", to: "End of the part" };
const keys: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -MANY,
  PageUp: MANY,
};
