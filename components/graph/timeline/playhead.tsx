"use client";

// The moment that is shown, on the axis: dragged, or moved by keys from event to event.
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { formatClock, two } from "@/components/ui/format";
import { useShortcut } from "@/components/ui/shortcuts";
import { momentWords } from "../as-of/moment-words";
import { useYard } from "../yard-context";
import { countUntil, stepped } from "./moments";
import { LABELS, momentAt, positionOf, type TimeScale } from "./timeline-scale";

/** Events that one goes by with Shift. */
const MANY = 10;
/** So near to the end of what has happened, a hand means the end: now. */
const END_PX = 3;
/** Left of it are the buttons of playback, right of it is the edge: the flag stops there, its line does not. */
const FLAG_LEFT_MIN = 113;
/** On an axis as brief as this, seconds do not tell two moments apart. */
const FINE_MS = 20_000;

export type PlayheadProps = {
  scale: TimeScale;
  plot: number;
  at: number;
  left: number;
  width: number;
  moments: readonly number[];
  stretch: { from: number; to: number };
};

export function Playhead({ scale, plot, at, left, width, moments, stretch }: PlayheadProps) {
  const { ways, isThen } = useYard();
  const { time, settle } = ways;
  const dragRef = useRef(false);
  const step = (by: number) => {
    const next = stepped(moments, at, by);
    settle(next >= stretch.to && by > 0 && isThen && moments.at(-1) === next ? next : Math.max(stretch.from, next));
  };
  useShortcut(",", "Previous event", () => step(-1), { group: "Time" });
  useShortcut(".", "Next event", () => step(1), { group: "Time" });

  function onKeyDown(event: KeyboardEvent) {
    const by = keys[event.key];
    if (by !== undefined) step(event.shiftKey && Math.abs(by) === 1 ? by * MANY : by);
    else if (event.key === "Home") settle(stretch.from);
    else if (event.key === "End") settle(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const momentOf = (event: PointerEvent) => {
    const strip = event.currentTarget.parentElement?.getBoundingClientRect();
    const x = event.clientX - (strip?.left ?? 0) - LABELS;
    const isEnd = x >= positionOf(stretch.to, scale, plot) - END_PX;
    const moment = Math.round(momentAt(Math.min(plot, Math.max(0, x)), scale, plot));
    return { moment: Math.min(stretch.to, Math.max(stretch.from, moment)), isEnd };
  };

  const count = countUntil(moments, at);
  // A line at the edge would say that this is when the chosen part ends.
  const isOutside = at < scale.from || at > scale.to;
  return (
    <>
      {isOutside ? null : <i aria-hidden className="timeline-playhead" style={{ left }} />}
      <div
        role="slider"
        tabIndex={0}
        aria-label="Moment shown"
        aria-valuemin={stretch.from}
        aria-valuemax={stretch.to}
        aria-valuenow={Math.round(at)}
        aria-valuetext={`${isThen ? "" : "now, "}${momentWords(at)}, after ${count} of ${moments.length} events`}
        aria-keyshortcuts=", ."
        className="timeline-flag"
        data-outside={isOutside || undefined}
        style={{ left: Math.max(FLAG_LEFT_MIN, Math.min(left, width - 34)) }}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          dragRef.current = true;
        }}
        onPointerMove={(event) => {
          if (dragRef.current) time.scrub(momentOf(event).moment);
        }}
        onPointerUp={(event) => {
          if (!dragRef.current) return;
          dragRef.current = false;
          const { moment, isEnd } = momentOf(event);
          settle(isEnd ? null : moment);
        }}
        onPointerCancel={() => {
          dragRef.current = false;
        }}
      >
        {scale.to - scale.from <= FINE_MS ? fineClock(at) : formatClock(at)}
      </div>
    </>
  );
}

/** "07:29.250": the hour is that of the run. */
function fineClock(at: number): string {
  const date = new Date(at);
  return `${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

const keys: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowUp: 1,
  ",": -1,
  ".": 1,
  // What Shift makes of the two on most keyboards.
  "<": -MANY,
  ">": MANY,
  ";": -MANY,
  ":": MANY,
  PageDown: -MANY,
  PageUp: MANY,
};
