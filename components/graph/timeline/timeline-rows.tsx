"use client";

// The rows of the timeline: a list, whose selection is the yard's. Only those in sight are in the document.
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef } from "react";
import { AgentMark } from "@/components/ui/agent-mark";
import { formatCount } from "@/components/ui/format";
import { Plate } from "@/components/ui/plate";
import type { TurnFrame } from "@/server/contract/frame";
import type { StepTime } from "@/server/contract/spans";
import { branchWords } from "../batch-words";
import { Fill } from "../fill";
import { useStepTimes } from "../live/use-step-times";
import { spanWords, spokenTurn, turnLabel } from "../turn-words";
import { useBatches, useTurns, useYard } from "../yard-context";
import { type TimelineRow, turnBeside, turnNear } from "./agent-rows";
import { useRowsInView } from "./rows-in-view";
import { barsOf, LABELS, positionOf, type TimeScale } from "./timeline-scale";
import { TurnBars } from "./turn-bars";

const ROW = 13;

export type TimelineRowsProps = {
  rows: readonly TimelineRow[];
  isByAgent: boolean;
  scale: TimeScale;
  plot: number;
  now: number;
  /** Turns in all rows. */
  count: number;
};

export function TimelineRows({ rows, isByAgent, scale, plot, now, count }: TimelineRowsProps) {
  const { selectedId, select, openTurn } = useYard();
  const scrollRef = useRef<HTMLDivElement>(null);
  const id = useId();
  const selectedIndex = rows.findIndex(({ turns }) => turns.some((turn) => turn.agent_turn_id === selectedId));
  const selected = rows[selectedIndex]?.turns.find((turn) => turn.agent_turn_id === selectedId);
  const { from, to, reveal } = useRowsInView(scrollRef, rows.length, ROW);
  useEffect(() => {
    if (selectedIndex >= 0) reveal(selectedIndex);
  }, [reveal, selectedIndex]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter") {
      event.preventDefault();
      if (selected) openTurn(selected.agent_turn_id);
      return;
    }
    const along = isByAgent ? alongKeys[event.key] : undefined;
    const index = nextIndex(event.key, selectedIndex, rows.length);
    if (along === undefined && index === null) return;
    event.preventDefault();
    // Along its own lane, or to the turn beside it in another.
    const lane = rows[selectedIndex]?.turns ?? [];
    const next =
      along === undefined
        ? turnBeside(rows[index ?? 0] ?? { id: "", turns: [], orders: [] }, selected)
        : lane[selected ? lane.indexOf(selected) + along : 0];
    if (next) select(next.agent_turn_id);
  }

  const drawn = rows.slice(from, to);
  const stoodThen = useStoodThen();
  const stepsOf = useStepTimes(drawn.flatMap(({ turns }) => turns));
  const isSelectedDrawn = selectedIndex >= from && selectedIndex < to;
  return (
    <div
      ref={scrollRef}
      className="timeline-rows"
      role="listbox"
      tabIndex={0}
      aria-label={
        isByAgent
          ? `${formatCount(rows.length, "agent")} with ${formatCount(count, "turn")}, in the order of their first turns`
          : `${rows.length} turns in the order they were made`
      }
      aria-activedescendant={isSelectedDrawn ? `${id}-${selectedIndex}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: rows.length * ROW + 6, position: "relative" }}>
        {drawn.map((row, at) => (
          <Row
            key={row.id}
            id={`${id}-${from + at}`}
            row={row}
            index={from + at}
            of={rows.length}
            isByAgent={isByAgent}
            selected={from + at === selectedIndex ? selected : undefined}
            filled={stoodThen === null ? row.turns[0] : stoodThen.get(row.turns[0]?.agent_turn_id ?? "")}
            stepsOf={stepsOf}
            scale={scale}
            plot={plot}
            now={now}
          />
        ))}
      </div>
    </div>
  );
}

/** Bars are those of the whole run, how full a window is, of the moment. null = now. */
function useStoodThen(): ReadonlyMap<string, TurnFrame> | null {
  const { isThen } = useYard();
  const turns = useTurns();
  return useMemo(() => (isThen ? new Map(turns.map((turn) => [turn.agent_turn_id, turn])) : null), [isThen, turns]);
}

type RowProps = {
  id: string;
  row: TimelineRow;
  index: number;
  of: number;
  isByAgent: boolean;
  selected: TurnFrame | undefined;
  /** Its turn at the moment that is shown; absent: it was not there yet. */
  filled: TurnFrame | undefined;
  stepsOf: (agentTurnId: string) => readonly StepTime[];
} & Pick<TimelineRowsProps, "scale" | "plot" | "now">;

function Row({ id, row, index, of, isByAgent, selected, filled, stepsOf, scale, plot, now }: RowProps) {
  const { select } = useYard();
  const batches = useBatches();
  const [first] = row.turns;
  if (!first) return null;
  const batch = isByAgent ? undefined : batches.get(first.batch_id ?? "");
  const deadline = batch?.batch.status === "running" ? batch.batch.deadline_at : undefined;
  const barsOfTurn = (turn: TurnFrame, order: number) =>
    barsOf({ turn, index: order, steps: stepsOf(turn.agent_turn_id), scale, now });
  const spoken = (turn: TurnFrame) =>
    spokenTurn(turn, [branchWords(batch, turn.task_index), scale.is_timed ? spanWords(barsOfTurn(turn, 0)) : null]);
  const label = isByAgent
    ? [
        turnLabel(first),
        formatCount(row.turns.length, "turn"),
        selected
          ? `selected ${spoken(selected)}`
          : row.turns
              .slice(0, NAMED)
              .map(({ headcode }) => headcode)
              .join(", "),
      ].join(", ")
    : spoken(first);

  function onClick(event: MouseEvent<HTMLElement>) {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LABELS;
    const turn = isByAgent ? turnNear(row, x, scale, plot, now) : first;
    if (turn) select(turn.agent_turn_id);
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself takes the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={selected !== undefined}
      aria-setsize={of}
      aria-posinset={index + 1}
      aria-label={label}
      className="timeline-row"
      data-branch={batch?.batch.tool_name === "fork_join" ? "" : undefined}
      style={{ transform: `translateY(${index * ROW}px)` }}
      onClick={onClick}
    >
      {isByAgent ? (
        <span className="timeline-who">
          <AgentMark agentId={first.agent_id} profile={first.profile_name} size={10} />
          <span className="truncate" title={turnLabel(first)}>
            {turnLabel(first)}
          </span>
        </span>
      ) : (
        <>
          <Plate code={first.headcode} tone="bare" />
          {filled && <Fill turn={filled} className="timeline-fill" />}
        </>
      )}
      <TurnBars
        row={row}
        barsOfTurn={barsOfTurn}
        selectedId={isByAgent ? selected?.agent_turn_id : undefined}
        scale={scale}
        plot={plot}
        now={now}
      />
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
}

/** Headcodes of an agent that are said, while none of them is selected. */
const NAMED = 5;

function nextIndex(key: string, index: number, count: number): number | null {
  if (count === 0) return null;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = steps[key];
  if (step === undefined) return null;
  return Math.min(count - 1, Math.max(0, index < 0 ? 0 : index + step));
}

const alongKeys: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
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
