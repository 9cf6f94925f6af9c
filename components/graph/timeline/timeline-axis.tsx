"use client";

// The axis: round times, and the strip above the rows. Pressed, the playhead comes there; drawn across, the timeline is about that part.
import { useQueryStates } from "nuqs";
import { type PointerEvent, useRef, useState } from "react";
import { useYard } from "../yard-context";
import { yardParams } from "../yard-url";
import { RANGE_MS_MIN } from "./timeline-range";
import { BREAK_PX, LABELS, momentAt, positionOf, type TimeScale, ticksOf } from "./timeline-scale";

/** Ticks closer than this cannot be read. */
const TICK_PX = 92;
/** A hand that only pressed has moved less. */
const PRESSED_PX = 4;

export type TimelineAxisProps = {
  scale: TimeScale;
  plot: number;
  playhead: number | null;
  /** Behind it nothing has happened yet. */
  end: number;
  canGoBack: boolean;
};

export function TimelineAxis({ scale, plot, playhead, end, canGoBack }: TimelineAxisProps) {
  const breaks = (scale.breaks ?? []).map((idle) => LABELS + positionOf(idle.from, scale, plot) + BREAK_PX / 2);
  return (
    <>
      <svg className="timeline-axis size-full" aria-hidden="true">
        {ticksOf(scale, Math.max(2, Math.floor(plot / TICK_PX))).map(({ at, label, isMajor }) => {
          const x = Math.round(LABELS + positionOf(at, scale, plot)) + 0.5;
          const isHidden =
            (playhead !== null && Math.abs(x - playhead) < 46) || breaks.some((middle) => Math.abs(x - middle) < 34);
          return (
            <g key={at}>
              <line x1={x} x2={x} y1={58} y2="100%" />
              {isHidden ? null : (
                <text x={x} y={51} fontWeight={isMajor ? 550 : 450}>
                  {label}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      {canGoBack ? <Strip scale={scale} plot={plot} end={end} /> : null}
    </>
  );
}

function Strip({ scale, plot, end }: { scale: TimeScale; plot: number; end: number }) {
  const { ways } = useYard();
  const [, setParams] = useQueryStates(yardParams);
  const [brush, setBrush] = useState<{ from: number; to: number } | null>(null);
  const startRef = useRef<number | null>(null);
  const xOf = (event: PointerEvent) =>
    Math.min(plot, Math.max(0, event.clientX - event.currentTarget.getBoundingClientRect().left));
  const momentOf = (x: number) => Math.round(Math.min(end, momentAt(x, scale, plot)));

  function onPointerUp(event: PointerEvent) {
    const start = startRef.current;
    startRef.current = null;
    setBrush(null);
    if (start === null) return;
    const [left, right] = [Math.min(start, xOf(event)), Math.max(start, xOf(event))];
    const [from, to] = [momentOf(left), momentOf(right)];
    if (right - left < PRESSED_PX || to - from < RANGE_MS_MIN) ways.settle(momentOf(start));
    else void setParams({ from: new Date(from), to: new Date(to) });
  }

  return (
    <>
      <div
        // By keys: the playhead, and the buttons that begin and end the part where it stands.
        aria-hidden
        className="timeline-strip"
        style={{ left: LABELS, width: plot }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          startRef.current = xOf(event);
        }}
        onPointerMove={(event) => {
          const start = startRef.current;
          if (start === null) return;
          const x = xOf(event);
          if (Math.abs(x - start) >= PRESSED_PX) setBrush({ from: Math.min(start, x), to: Math.max(start, x) });
        }}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          startRef.current = null;
          setBrush(null);
        }}
        onDoubleClick={() => void setParams({ from: null, to: null })}
      />
      {brush ? (
        <i aria-hidden className="timeline-brush" style={{ left: LABELS + brush.from, width: brush.to - brush.from }} />
      ) : null}
    </>
  );
}
