"use client";

// Who handed over to whom, as lanes: one for each agent, time downwards. A list for those who hear it: each row says its hand-over whole.
// Only what is in sight is in the document, of rows and of columns.
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { AgentMark } from "@/components/ui/agent-mark";
import { aspectInk } from "@/components/ui/aspect";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount } from "@/components/ui/format";
import { HumanMark } from "@/components/ui/human-mark";
import { ALL_RUNS } from "../plan/yard-turns";
import { useRowsInView } from "../timeline/rows-in-view";
import { useTopology, useTurns, useYard } from "../yard-context";
import { type LaneBar, type LaneEvent, lanePlan, roomOf } from "./lane-plan";
import { eventWords, laneName, spokenEvent } from "./lane-words";
import "./lanes.css";

const ROW = 34;
const HEAD = 36;
const COLUMN = 184;
/** The pill that says whether the picture moves stands over the lower edge; the last row scrolls above it. */
const FOOT = 56;
const LEFT = 14;
/** Where the line of a row runs. */
const LINE = 24;
const middleOf = (column: number) => LEFT + column * COLUMN + COLUMN / 2;

export function SwimLanes() {
  const { matches, selectedId, select, openTurn } = useYard();
  const { scope } = useTopology();
  const turns = useTurns();
  const plan = useMemo(() => lanePlan(turns), [turns]);
  const { events } = plan;
  const scrollRef = useRef<HTMLDivElement>(null);
  const id = useId();
  const [chosen, setChosen] = useState(-1);
  // Two rows are about a turn: the one that was walked to, or else where it was called.
  const active =
    events[chosen]?.turn.agent_turn_id === selectedId
      ? chosen
      : events.findIndex(({ turn }) => turn.agent_turn_id === selectedId);
  const { from, to, reveal } = useRowsInView(scrollRef, events.length, ROW, HEAD);
  const columns = useColumns(scrollRef, plan.agents.length);
  useEffect(() => {
    if (active >= 0) reveal(active);
  }, [active, reveal]);

  function go(index: number) {
    const event = events[Math.min(events.length - 1, Math.max(0, index))];
    if (!event) return;
    setChosen(events.indexOf(event));
    select(event.turn.agent_turn_id);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = steps[event.key];
    const own = events[active]?.turn.agent_turn_id;
    if (event.key === "Enter" && own !== undefined) openTurn(own);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(events.length - 1);
    else if (step !== undefined) go(active < 0 ? 0 : active + step);
    // To where the same turn was called, and to where it returned.
    else if (event.key === "ArrowRight") go(events.findLastIndex(({ turn }) => turn.agent_turn_id === own));
    else if (event.key === "ArrowLeft") go(events.findIndex(({ turn }) => turn.agent_turn_id === own));
    else return;
    event.preventDefault();
  }

  if (scope === ALL_RUNS)
    return (
      <div className="min-h-0 flex-1">
        <EmptyState
          title="Choose one run"
          cause="Lanes show the hand-overs of one run. Choose a run, or a turn of it."
        />
      </div>
    );
  if (events.length === 0)
    return (
      <div className="min-h-0 flex-1">
        <EmptyState title="No hand-overs" cause="The run had no turns at this moment." remedy={null} />
      </div>
    );
  const width = LEFT * 2 + plan.agents.length * COLUMN;
  const bars = plan.bars.filter(({ top, bottom }) => top < to && bottom >= from);
  return (
    <div
      ref={scrollRef}
      className="swim-lanes"
      role="listbox"
      tabIndex={0}
      aria-label={`Lanes of ${formatCount(plan.agents.length, "agent")}: ${formatCount(events.length, "hand-over and return", "hand-overs and returns")} in the order of time`}
      aria-activedescendant={active >= from && active < to ? `${id}-${active}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className="lane-heads" style={{ width }}>
        {plan.agents.slice(columns.from, columns.to).map((turn, at) => (
          <span
            key={turn.agent_id}
            aria-hidden
            className="lane-head"
            style={{ left: middleOf(columns.from + at) - COLUMN / 2 + 6, width: COLUMN - 12 }}
          >
            {turn.is_human ? (
              <HumanMark name={laneName(turn)} size={16} />
            ) : (
              <AgentMark agentId={turn.agent_id} profile={turn.profile_name} size={16} />
            )}
            <span className="truncate">{laneName(turn)}</span>
          </span>
        ))}
      </div>
      <div role="presentation" className="lane-ground" style={{ width, height: events.length * ROW + FOOT }}>
        {plan.agents.slice(columns.from, columns.to).map((turn, at) => (
          <i key={turn.agent_id} aria-hidden className="lane-line" style={{ left: middleOf(columns.from + at) }} />
        ))}
        {bars
          .filter(({ column }) => column >= columns.from && column < columns.to)
          .map((bar) => (
            <Bar key={bar.turn.agent_turn_id} bar={bar} isSelected={bar.turn.agent_turn_id === selectedId} />
          ))}
        {events.slice(from, to).map((event, at) => (
          <Row
            key={`${event.kind} ${event.turn.agent_turn_id}`}
            id={`${id}-${from + at}`}
            event={event}
            index={from + at}
            of={events.length}
            room={roomOf(from + at, Math.min(event.from, event.to), bars, plan.agents.length)}
            isActive={from + at === active}
            isDim={matches !== null && !matches.has(event.turn.agent_turn_id)}
            onChoose={() => go(from + at)}
          />
        ))}
      </div>
    </div>
  );
}

function Bar({ bar, isSelected }: { bar: LaneBar; isSelected: boolean }) {
  const { turn, column, top, bottom } = bar;
  return (
    <i
      aria-hidden
      className={`lane-bar ${aspectInk[turn.status]}`}
      data-selected={isSelected || undefined}
      style={{ left: middleOf(column) - 4, top: top * ROW + LINE, height: Math.max(4, (bottom - top) * ROW) }}
    />
  );
}

type RowProps = {
  id: string;
  event: LaneEvent;
  index: number;
  of: number;
  /** Columns that its words may take. */
  room: number;
  isActive: boolean;
  isDim: boolean;
  onChoose: () => void;
};

function Row({ id, event, index, of, room, isActive, isDim, onChoose }: RowProps) {
  const [start, end] = [middleOf(event.from), middleOf(event.to)];
  const isOver = start !== end;
  const [left, right] = [Math.min(start, end), Math.max(start, end)];
  const words = eventWords(event);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself takes the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-setsize={of}
      aria-posinset={index + 1}
      aria-label={spokenEvent(event)}
      className="lane-row"
      data-dim={isDim || undefined}
      style={{ transform: `translateY(${index * ROW}px)` }}
      onClick={onChoose}
    >
      {isOver ? (
        <i
          aria-hidden
          className="lane-arrow"
          data-kind={event.kind}
          data-to={end > start ? "right" : "left"}
          style={{ left: left + 6, width: right - left - 12 }}
        />
      ) : null}
      <span aria-hidden className="lane-words" title={words} style={{ left: left + 10, maxWidth: room * COLUMN - 20 }}>
        {words}
      </span>
    </div>
  );
}

const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 12, PageUp: -12 };

/** From `from` up to and without `to`. */
function useColumns(ref: { current: HTMLElement | null }, count: number): { from: number; to: number } {
  const [seen, setSeen] = useState({ from: 0, to: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: with the first agent the list comes into the document
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const look = () => {
      const from = Math.max(0, Math.floor((element.scrollLeft - LEFT) / COLUMN) - 1);
      const to = from + Math.ceil(element.clientWidth / COLUMN) + 3;
      setSeen((known) => (known.from === from && known.to === to ? known : { from, to }));
    };
    look();
    const size = new ResizeObserver(look);
    size.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      size.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [ref, count === 0]);
  return { from: seen.from, to: Math.min(count, seen.to) };
}
