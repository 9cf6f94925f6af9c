"use client";

// The yard on a phone: the same tracks turned downwards, one line a turn, and the selected turn in a sheet below.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { personName } from "@/components/domain/agent-names";
import { Aspect } from "@/components/ui/aspect";
import { HumanMark } from "@/components/ui/human-mark";
import { IconButton } from "@/components/ui/icon-button";
import { lazyPart } from "@/components/ui/lazy-part";
import { plainWords } from "@/components/ui/plain-words";
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import { AlarmCounts } from "../alarm-counts";
import { FoldMenu } from "../canvas/fold-menu";
import { FilterBar } from "../filter-bar";
import { LanesPart } from "../lanes/lanes-part";
import { LegendButton } from "../legend/legend";
import { AgentsPart, FlowListPart } from "../lens/lens-parts";
import { LensSwitch } from "../lens/lens-switch";
import { LimitStrip } from "../limit-strip";
import { LivePill } from "../live/live-pill";
import { ALL_RUNS } from "../plan/yard-turns";
import { useStatGroups } from "../run-figures";
import { RunMenu } from "../run-menu";
import { groupStatuses, runStats } from "../run-stats";
import { SelectionSpoken } from "../selection-spoken";
import { Tour, useTour } from "../tour/tour";
import type { TourPlace } from "../tour/tour-panel";
import { TreePart } from "../tree/tree-part";
import { endedWithoutDeliverable, neverReturns } from "../turn-words";
import { useInspected } from "../use-inspected";
import { useTopology, useTurn, useTurns, useYard } from "../yard-context";
import type { InspectorSlot } from "../yard-slots";
import { useOtherView, YardViews } from "../yard-views";
import { PhoneBatchHead, PhoneFolded, PhoneFrameShape, PhoneGhost } from "./phone-batches";
import {
  PHONE_GATE,
  PHONE_HEAD,
  PHONE_ROW,
  type PhoneFrame,
  type PhoneRow,
  phoneBuffer,
  phoneChain,
  phoneDepths,
  phoneFrames,
  phoneRight,
  phoneRows,
  phoneTrack,
  phoneTrackY,
  phoneWagonX,
} from "./phone-plan";
import { PhoneDrawnHead, PhoneStep, PhoneStepSheet } from "./phone-step";
import { PhoneWagon } from "./phone-wagon";

const PhoneTimePart = lazyPart<object>(() => import("./phone-time").then((module) => module.PhoneTime), {
  missing: "Time could not be loaded",
});

export type PhoneYardProps = {
  inspector: (slot: InspectorSlot) => ReactNode;
  inputRef: RefObject<HTMLInputElement | null>;
  totalTurns: number;
};

export function PhoneYard({ inspector, inputRef, totalTurns }: PhoneYardProps) {
  const [isFiltering, setIsFiltering] = useState(false);
  const [isTimed, setIsTimed] = useState(false);
  const inspected = useInspected("sheet");
  const isTouring = useTour().step !== null;
  const view = useOtherView();
  const { lens, isThen } = useYard();
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <LimitStrip isPhone />
      <div className="phone-bar justify-between">
        <YardViews />
        <RunMenu />
        <span className="flex-1" />
        <FoldMenu size="touch" />
        <LegendButton size="touch" />
        <IconButton
          icon="filter"
          label="Filter"
          size="touch"
          iconSize={19}
          aria-pressed={isFiltering}
          onClick={() => setIsFiltering(!isFiltering)}
        />
      </div>
      {isFiltering ? <FilterBar inputRef={inputRef} totalTurns={totalTurns} hasRunMenu={false} /> : null}
      <PhoneFigures isTimed={isTimed} onTimed={setIsTimed} />
      <LensSwitch />
      {view === "tree" ? (
        <TreePart />
      ) : view === "lanes" ? (
        <LanesPart />
      ) : lens === "agents" ? (
        <AgentsPart place="phone" />
      ) : lens === "flow" ? (
        <FlowListPart />
      ) : (
        <Plan />
      )}
      {(isTimed || isThen) && !isTouring ? <PhoneTimePart /> : null}
      {/* Both at once would leave nothing of the plan. */}
      {isTouring ? null : <PhoneStepSheet />}
      {inspected && !isTouring && lens === null ? <Sheet slot={inspected}>{inspector(inspected)}</Sheet> : null}
      <Tour isPhone show={scrollTo} />
      <SelectionSpoken />
    </div>
  );
}

/** Selecting a turn has brought its line into the document; the panel has taken some of the room since. */
function scrollTo({ turns }: TourPlace): void {
  const last = turns.at(-1);
  setTimeout(() => {
    if (last === undefined) document.querySelector(".phone-yard")?.scrollTo({ top: 0 });
    else document.querySelector(`[data-turn="${CSS.escape(last)}"]`)?.scrollIntoView({ block: "center" });
  }, SETTLE_MS);
}

const SETTLE_MS = 100;

/** Half up it shows who and what now; the handle opens it. */
function Sheet({ slot, children }: { slot: InspectorSlot; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className="phone-sheet" data-open={isOpen || undefined} aria-label={`Turn ${slot.turn.headcode}`}>
      <button
        type="button"
        className="grid h-6 w-full flex-none place-items-center"
        aria-expanded={isOpen}
        aria-label={isOpen ? "Show less" : "Show more"}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span aria-hidden className="h-1 w-[34px] rounded-full bg-line-2" />
      </button>
      {children}
    </section>
  );
}

function PhoneFigures({ isTimed, onTimed }: { isTimed: boolean; onTimed: (isTimed: boolean) => void }) {
  const { isThen } = useYard();
  const { scope } = useTopology();
  const stats = runStats(useTurns());
  const { isOn, toggle } = useStatGroups();
  return (
    <div className="phone-bar">
      {(["done", "running", "waiting", "failed"] as const).map((group) => (
        <button
          key={group}
          type="button"
          className="phone-stat"
          aria-pressed={isOn(group)}
          aria-label={`${stats[group]} ${group}, show only these`}
          onClick={() => toggle(group)}
        >
          <Aspect status={groupStatuses[group][0] ?? "queued"} size={15} label={null} />
          {stats[group]}
        </button>
      ))}
      <AlarmCounts isPhone />
      <span className="flex-1" />
      {scope === ALL_RUNS || isThen ? null : (
        <IconButton
          icon="clock"
          label="Time"
          size="touch"
          iconSize={19}
          aria-pressed={isTimed}
          onClick={() => onTimed(!isTimed)}
        />
      )}
      <LivePill />
    </div>
  );
}

function Plan() {
  const { selectedId } = useYard();
  const { places, blocks, stops, plans } = useTopology();
  const scrollRef = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => phoneRows(places, blocks, { stops, plans }), [places, blocks, stops, plans]);
  const frames = useMemo(() => phoneFrames(rows), [rows]);
  const depths = useMemo(() => phoneDepths(rows, frames), [rows, frames]);
  const width = useWidth(scrollRef);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => PHONE_ROW,
    paddingStart: PHONE_HEAD - PHONE_ROW + 14,
    paddingEnd: 24,
    overscan: 8,
  });
  const selected = rows.findIndex((row) => row.id === selectedId);
  useEffect(() => {
    if (selected >= 0) list.scrollToIndex(selected, { align: "auto" });
  }, [list, selected]);
  const drawn = list.getVirtualItems().map((item) => item.index);
  return (
    <div ref={scrollRef} className="phone-yard dotted-ground">
      <div style={{ height: list.getTotalSize(), position: "relative" }}>
        {width === 0 ? null : (
          <Tracks rows={rows} frames={frames} depths={depths} drawn={drawn} width={width} selected={selected} />
        )}
        <ul>
          {drawn.map((index) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <li key={row.kind === "lane" ? `${row.id} ${row.lane?.task_index}` : row.id}>
                <Line row={row} index={index} right={phoneRight(depths[index] ?? 0)} />
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

type LineProps = { row: PhoneRow; index: number; right: number };

function Line({ row, index, right }: LineProps) {
  if (row.kind === "head") return <PhoneBatchHead row={row} index={index} />;
  if (row.kind === "drawn") return <PhoneDrawnHead row={row} index={index} />;
  if (row.kind === "ghost") return <PhoneStep row={row} index={index} right={right} />;
  if (row.kind === "lane") return <PhoneGhost row={row} index={index} right={right} />;
  if (row.kind === "folded") return <PhoneFolded row={row} index={index} right={right} />;
  return row.level === 0 ? <Person row={row} index={index} /> : <PhoneWagon row={row} index={index} right={right} />;
}

const RIGHT = 14;

function Tracks({
  rows,
  frames,
  depths,
  drawn,
  width,
  selected,
}: {
  rows: readonly PhoneRow[];
  frames: readonly PhoneFrame[];
  depths: readonly number[];
  drawn: readonly number[];
  width: number;
  selected: number;
}) {
  const { live } = useYard();
  // What stands at the end of a track depends on how its turn ended.
  useTurns();
  const { turn: byId } = live.getPicture();
  const [first = 0, last = 0] = [drawn[0], drawn.at(-1)];
  /** To the end of the wagon, and in a lane on into its gate. */
  const endOfWagon = (index: number) => width - phoneRight(depths[index] ?? 0);
  const endOfTrack = (index: number) => (rows[index]?.lane ? gateAt(width, depths[index] ?? 1) : endOfWagon(index));
  const paths = { declared: "", reserved: "", inferred: "", buffers: "", red: "" };
  for (const [index, row] of rows.entries()) {
    // A trunk may pass by although both of its ends are out of sight.
    if (index < first || row.above > last) continue;
    const turn = byId.get(row.id);
    const end = row.kind === "turn" ? endOf(turn) : null;
    const isOut = row.lane !== null && end === null && (row.kind === "lane" || (turn && !isEnded(turn.status)));
    if (row.kind === "lane" || row.kind === "ghost") paths.reserved += phoneTrack(rows, index, endOfTrack(index));
    else {
      const reach = isOut || end !== null ? endOfWagon(index) : endOfTrack(index);
      paths[row.is_inferred ? "inferred" : "declared"] += phoneTrack(rows, index, reach);
      if (isOut) paths.reserved += `M${reach} ${phoneTrackY(index)}H${endOfTrack(index)}`;
    }
    if (end !== null) paths[end] += phoneBuffer(index, endOfWagon(index));
  }
  return (
    <svg className="pointer-events-none absolute inset-0 size-full overflow-visible" fill="none" aria-hidden="true">
      {frames
        .filter(({ head, last: end }) => end >= first && head <= last)
        .map((frame) => (
          <PhoneFrameShape
            key={frame.batch_id}
            frame={frame}
            rows={rows}
            depth={depths[frame.head] ?? 1}
            width={width}
          />
        ))}
      <path className="track track-reserved" d={paths.reserved} />
      <path className="track" d={paths.declared} />
      <path className="track track-inferred" d={paths.inferred} />
      {selected < 0 ? null : (
        <>
          <path className="track-halo" d={phoneChain(rows, selected, endOfWagon(selected))} />
          <path className="track-route" d={phoneChain(rows, selected, endOfWagon(selected))} />
        </>
      )}
      <path className="track-buffers" d={paths.buffers} />
      <path className="track-buffers" data-look="red" d={paths.red} />
    </svg>
  );
}

/** The left side of the gate. */
const gateAt = (width: number, depth: number): number =>
  width - PHONE_GATE.right - PHONE_GATE.w - (depth - 1) * PHONE_GATE.step;

function endOf(turn: TurnFrame | undefined): "buffers" | "red" | null {
  if (!turn || turn.is_human) return null;
  if (endedWithoutDeliverable(turn)) return "red";
  return neverReturns(turn) && isEnded(turn.status) ? "buffers" : null;
}

function Person({ row, index }: { row: PhoneRow; index: number }) {
  const turn = useTurn(row.id);
  const { select } = useYard();
  if (!turn) return null;
  return (
    <button
      type="button"
      className="absolute left-2 flex h-8 items-center gap-3 text-left"
      style={{ top: phoneTrackY(index) - 40, right: RIGHT }}
      onClick={() => select(turn.agent_turn_id)}
    >
      <HumanMark name={personName(turn.agent_id)} size={32} />
      <span
        dir="auto"
        className="min-w-0 flex-1 truncate bg-yard text-ink-2"
        style={{ marginLeft: phoneWagonX(0) - 54 }}
      >
        {plainWords(turn.title)}
      </span>
    </button>
  );
}

function useWidth(ref: RefObject<HTMLElement | null>): number {
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
