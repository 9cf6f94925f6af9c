"use client";

// The run as time: an equal way to every turn, for those who read lists better than plans.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Aspect, aspectInk } from "@/components/ui/aspect";
import { formatClock } from "@/components/ui/format";
import { Plate } from "@/components/ui/plate";
import type { TurnFrame } from "@/server/contract/frame";
import type { Span } from "@/server/contract/spans";
import { isEnded } from "@/server/contract/turn";
import { branchWords } from "../batch-words";
import { Fill } from "../fill";
import { useStepTimes } from "../live/use-step-times";
import { spanWords, spokenTurn } from "../turn-words";
import { useHasTimes } from "../use-run";
import { useBatches, useLiveState, useTopology, useTurns, useYard, useYardNow } from "../yard-context";
import { useRowsInView } from "./rows-in-view";
import { barsOf, drawnBars, positionOf, type TimeScale, ticksOf, timeScale } from "./timeline-scale";

const ROW = 13;
const LABELS = 96;
const RIGHT = 14;
/** Ticks closer than this cannot be read. */
const TICK_PX = 92;

export function Timeline() {
  const frameRef = useRef<HTMLElement>(null);
  const width = useWidth(frameRef);
  const turns = useTurns();
  const { scope } = useTopology();
  const { matches, live } = useYard();
  const hasTimes = useHasTimes(scope);
  const now = useYardNow();
  const { paused_at: pausedAt } = useLiveState(live);
  const shown = turns.filter((turn) => !turn.is_human && (matches === null || matches.has(turn.agent_turn_id)));
  const scale = timeScale(shown, now, hasTimes);
  const plot = Math.max(1, width - LABELS - RIGHT);
  const isLive = scale.is_timed && now > 0 && shown.some((turn) => !isEnded(turn.status));
  const playhead = LABELS + positionOf(now, scale, plot);
  return (
    <section ref={frameRef} className="yard-timeline" aria-label="Timeline">
      {width === 0 ? null : (
        <>
          <Axis scale={scale} plot={plot} playhead={isLive ? playhead : null} />
          <Rows turns={shown} scale={scale} plot={plot} now={now} />
          {isLive ? (
            <>
              {pausedAt === null ? null : (
                <i aria-hidden className="timeline-unseen" style={{ left: playhead, right: 0 }} />
              )}
              <i aria-hidden className="timeline-playhead" style={{ left: playhead }} />
              <span aria-hidden className="timeline-flag" style={{ left: Math.min(playhead, width - 34) }}>
                {formatClock(now)}
              </span>
            </>
          ) : null}
          {scale.is_timed ? (
            <Legend />
          ) : (
            <span className="absolute top-[3px] left-3 text-[10.5px] text-ink-3">in order, no times</span>
          )}
        </>
      )}
    </section>
  );
}

/** What the tones of a bar are; its rows say the same in words. */
function Legend() {
  return (
    <span aria-hidden className="timeline-legend">
      {(["model", "tool", "wait"] as const).map((kind) => (
        <span key={kind}>
          <i data-kind={kind} />
          {kind === "wait" ? "waiting" : kind}
        </span>
      ))}
    </span>
  );
}

function Axis({ scale, plot, playhead }: { scale: TimeScale; plot: number; playhead: number | null }) {
  return (
    <svg className="timeline-axis size-full" aria-hidden="true">
      {ticksOf(scale, Math.max(2, Math.floor(plot / TICK_PX))).map(({ at, label, isMajor }) => {
        const x = Math.round(LABELS + positionOf(at, scale, plot)) + 0.5;
        const isHidden = playhead !== null && Math.abs(x - playhead) < 46;
        return (
          <g key={at}>
            <line x1={x} x2={x} y1={34} y2="100%" />
            {isHidden ? null : (
              <text x={x} y={27} fontWeight={isMajor ? 550 : 450}>
                {label}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

type RowsProps = { turns: readonly TurnFrame[]; scale: TimeScale; plot: number; now: number };

function Rows({ turns, scale, plot, now }: RowsProps) {
  const { selectedId, select, openTurn } = useYard();
  const batches = useBatches();
  const scrollRef = useRef<HTMLDivElement>(null);
  const id = useId();
  const selectedIndex = turns.findIndex((turn) => turn.agent_turn_id === selectedId);
  const { from, to, reveal } = useRowsInView(scrollRef, turns.length, ROW);
  useEffect(() => {
    if (selectedIndex >= 0) reveal(selectedIndex);
  }, [reveal, selectedIndex]);

  function onKeyDown(event: KeyboardEvent) {
    const turn = turns[selectedIndex];
    if (event.key === "Enter" && turn) openTurn(turn.agent_turn_id);
    const next = nextIndex(event.key, selectedIndex, turns.length);
    if (next === null && event.key !== "Enter") return;
    event.preventDefault();
    if (next !== null) select(turns[next]?.agent_turn_id ?? null);
  }

  const drawn = turns.slice(from, to);
  const stepsOf = useStepTimes(drawn);
  const isSelectedDrawn = selectedIndex >= from && selectedIndex < to;
  return (
    <div
      ref={scrollRef}
      className="timeline-rows"
      role="listbox"
      tabIndex={0}
      aria-label={`${turns.length} turns in the order they were made`}
      aria-activedescendant={isSelectedDrawn ? `${id}-${selectedIndex}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: turns.length * ROW + 6, position: "relative" }}>
        {drawn.map((turn, at) => {
          const index = from + at;
          const isSelected = index === selectedIndex;
          const batch = batches.get(turn.batch_id ?? "");
          const bars = barsOf({ turn, index, steps: stepsOf(turn.agent_turn_id), scale, now });
          const deadline = batch?.batch.status === "running" ? batch.batch.deadline_at : undefined;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself takes the keys
            <div
              key={turn.agent_turn_id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={isSelected}
              aria-setsize={turns.length}
              aria-posinset={index + 1}
              aria-label={spokenTurn(turn, [
                branchWords(batch, turn.task_index),
                scale.is_timed ? spanWords(bars) : null,
              ])}
              className="timeline-row"
              data-branch={batch?.batch.tool_name === "fork_join" ? "" : undefined}
              style={{ transform: `translateY(${index * ROW}px)` }}
              onClick={() => select(turn.agent_turn_id)}
            >
              <Plate code={turn.headcode} tone="bare" />
              <Fill turn={turn} className="timeline-fill" />
              <Bars turn={turn} bars={bars} scale={scale} plot={plot} />
              {deadline !== undefined && scale.is_timed && Date.parse(deadline) < scale.to ? (
                <i
                  aria-hidden
                  className="timeline-deadline"
                  title={`Deadline of ${batch?.name}`}
                  style={{ left: LABELS + positionOf(Date.parse(deadline), scale, plot) }}
                />
              ) : null}
            </div>
          );
        })}
      </div>
    </div>
  );
}

type BarsProps = { turn: TurnFrame; bars: readonly Span[] } & Pick<RowsProps, "scale" | "plot">;

function Bars({ turn, bars, scale, plot }: BarsProps) {
  const x = (at: number) => LABELS + positionOf(at, scale, plot);
  // A turn that ended as it was made has no bar at all.
  const end = bars.at(-1)?.to ?? Date.parse(turn.created_at);
  return (
    <span aria-hidden className={aspectInk[turn.status]}>
      {drawnBars(bars, scale, plot).map(({ from, to, kind }) => (
        <i
          key={`${kind} ${from}`}
          className="timeline-bar"
          data-kind={kind}
          style={{ left: x(from) + 0.5, width: Math.max(1.5, x(to) - x(from) - 1) }}
        />
      ))}
      {isEnded(turn.status) ? (
        <span className="absolute top-[1.5px]" style={{ left: x(end) + 4 }}>
          <Aspect status={turn.status} size={10} label={null} />
        </span>
      ) : null}
    </span>
  );
}

function nextIndex(key: string, index: number, count: number): number | null {
  if (count === 0) return null;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = steps[key];
  if (step === undefined) return null;
  return Math.min(count - 1, Math.max(0, index < 0 ? 0 : index + step));
}

const steps: Record<string, number> = {
  ArrowDown: 1,
  j: 1,
  "]": 1,
  ArrowUp: -1,
  k: -1,
  "[": -1,
  PageDown: 8,
  PageUp: -8,
};

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
