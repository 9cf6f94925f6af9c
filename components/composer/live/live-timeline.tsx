"use client";

// The run as time, in the shelf's place: each place of the drawing a row, from its start to its end; what has not started is a dotted line.
import type { CSSProperties } from "react";
import { aspectInk } from "@/components/ui/aspect";
import { formatClock, formatDuration } from "@/components/ui/format";
import { Plate } from "@/components/ui/plate";
import { useNow } from "@/components/ui/use-now";
import { graphOf, placesInOrder } from "@/server/contract/plan/graph";
import { nameOf } from "@/server/contract/plan/plan-words";
import type { PlaceTurn, RunDrawing } from "@/server/contract/plan/run-drawing";
import { isEnded } from "@/server/contract/turn";
import { knownParts, useComposer, usePlan, useSelection } from "../composer-context";

/** A run that has just begun is not drawn over the whole width. */
const SPAN_MIN_MS = 20_000;
const TICKS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400];

export type LiveTimelineProps = { watched: RunDrawing };

export function LiveTimeline({ watched }: LiveTimelineProps) {
  const plan = usePlan();
  const { store } = useComposer();
  const selection = useSelection();
  const { run, turns } = watched;
  const isOver = run.status !== "running";
  const ticking = useNow();
  const begun = new Date(run.created_at).getTime();
  const now = isOver ? new Date(run.ended_at ?? run.created_at).getTime() : Math.max(ticking, begun);
  const span = Math.max(SPAN_MIN_MS, now - begun) * 1.05;
  const share = (at: number): string => `${(Math.min(1, Math.max(0, (at - begun) / span)) * 100).toFixed(2)}%`;
  const byPlace = new Map(turns.map((turn) => [turn.place, turn]));
  const parts = knownParts(plan);
  return (
    <section aria-label="Timeline" className="live-timeline">
      <div className="live-axis" aria-hidden>
        {ticksOf(span, isOver ? null : now - begun).map((seconds) => (
          <span key={seconds} style={{ left: share(begun + seconds * 1_000) }}>
            {clock(seconds)}
          </span>
        ))}
      </div>
      <ul>
        {placesInOrder(graphOf(plan)).map((place) => {
          const turn = byPlace.get(place);
          const part = parts.get(place);
          return (
            <li key={place}>
              <button
                type="button"
                className="live-row"
                aria-pressed={selection.includes(place)}
                aria-label={spoken(part ? nameOf(part) : place, turn)}
                onClick={() => store.select([place])}
              >
                <span className="w-24 flex-none">
                  {turn ? <Plate code={turn.headcode} /> : <i className="live-none" />}
                </span>
                <span className="live-plot">
                  {turn?.started_at && turn.as_in_run === undefined ? (
                    <i
                      className={`live-bar-of ${aspectInk[turn.status]}`}
                      style={{
                        left: share(new Date(turn.started_at).getTime()),
                        width: `calc(${share(begun + (endOf(turn, now) - new Date(turn.started_at).getTime()))} + 2px)`,
                        background: aspectInk[turn.status],
                      }}
                    />
                  ) : (
                    <i className="live-dots" />
                  )}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {isOver ? null : (
        <i className="live-head" aria-hidden style={{ "--share": Math.min(1, (now - begun) / span) } as CSSProperties}>
          <span>{formatClock(now)}</span>
        </i>
      )}
    </section>
  );
}

const endOf = ({ ended_at }: PlaceTurn, now: number): number => (ended_at ? new Date(ended_at).getTime() : now);

/** `head`: where the clock of now stands, in milliseconds from the start. A tick under it could not be read. */
function ticksOf(span: number, head: number | null): number[] {
  const step = TICKS.find((seconds) => span / 1_000 / seconds <= 9) ?? 86_400;
  return Array.from({ length: Math.floor(span / 1_000 / step) + 1 }, (_, i) => i * step).filter(
    (seconds) => head === null || Math.abs(seconds * 1_000 - head) > span * 0.06,
  );
}

const clock = (seconds: number): string => {
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const pair = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${pair(minutes)}:${pair(rest)}` : `${minutes}:${pair(rest)}`;
};

function spoken(name: string, turn: PlaceTurn | undefined): string {
  if (!turn) return `${name}, not started`;
  if (turn.as_in_run !== undefined) return `${name}, as in run ${turn.as_in_run}`;
  const begun = turn.started_at ? new Date(turn.started_at).getTime() : null;
  const took = begun === null || !turn.ended_at ? "" : `, ${formatDuration(new Date(turn.ended_at).getTime() - begun)}`;
  return `${name}, ${turn.status}${isEnded(turn.status) ? took : ""}`;
}
