"use client";

import { useStore, ViewportPortal } from "@xyflow/react";
import { memo } from "react";
// What is read on the ground beside the wagons: heads of forks, signals, crates, notes, and the coupling of what is selected.
import { gateWords } from "@/components/domain/policy-words";
import { formatSeconds } from "@/components/domain/seconds";
import {
  columnX,
  FRAME_HEAD,
  FRAME_PASS,
  frameBox,
  frameEnd,
  leftOf,
  rightOf,
  trackY,
} from "@/components/ground/geometry";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { buffer } from "@/components/ground/signs";
import { type Detail, detailAt } from "@/components/ground/viewport";
import { HoldSign } from "@/components/ui/hold-sign";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { KindMark } from "@/components/ui/kind-mark";
import { plainWords } from "@/components/ui/plain-words";
import { middleLane } from "@/server/contract/lanes";
import type { Plan, PlanNode } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";
import { useChosen, useComposer, useDrawn, useGround, usePart } from "../composer-context";
import type { DrawnCrate } from "../drawing/wires";
import { AddTask } from "./add-task";
import { Crate } from "./crate";
import { GateCount } from "./gate-count";

export type GroundLayerProps = {
  crates: readonly DrawnCrate[];
  hovered: string | null;
  onEnter: (place: string) => void;
  onLeave: () => void;
};

export function GroundLayer({ crates, hovered, onEnter, onLeave }: GroundLayerProps) {
  const detail = useStore((state) => detailAt(state.transform[2]));
  const { stops } = useGround();
  const notes = useDrawn(notesIn);
  const held = useDrawn(heldIn);
  const chosen = useChosen();
  return (
    <ViewportPortal>
      {[...stops].map(([id, stop]) =>
        stop.kind === "fork" ? <Head key={id} id={id} fork={stop} detail={detail} /> : null,
      )}
      {[...stops].map(([id, stop]) =>
        stop.kind === "fork" ? <GateCount key={id} id={id} fork={stop} detail={detail} /> : null,
      )}
      {["full", "steady"].includes(detail)
        ? [...stops].map(([id, stop]) => (stop.kind === "fork" ? <AddTask key={id} id={id} fork={stop} /> : null))
        : null}
      {held.split(" ").map((id) => {
        const stop = stops.get(id);
        return stop ? <Hold key={id} {...signalAt(stop)} detail={detail} /> : null;
      })}
      {detail === "chip" || detail === "block" ? null : crates.map((crate) => <Crate key={crate.id} crate={crate} />)}
      {stops.size === 0 ? <FirstBerth /> : null}
      {notes.map((note) => (
        <p
          key={note.id}
          data-place={`note:${note.id}`}
          className="drawn-note"
          style={{ transform: `translate(${columnX(note.col)}px, ${trackY(note.row) - 50}px)` }}
        >
          {note.text}
        </p>
      ))}
      {[...new Set([chosen, hovered])].map((place) =>
        place === null ? null : <Coupling key={place} place={place} onEnter={onEnter} onLeave={onLeave} />,
      )}
    </ViewportPortal>
  );
}

/** Where the first wagon will stand. */
function FirstBerth() {
  const { adding } = useComposer();
  return (
    <>
      <svg className="yard-tracks" aria-hidden="true">
        <path className="track" d={`M44 0H${columnX(1) + 226 + 40}`} />
        <path className="track-buffers" d={buffer(columnX(1) + 226 + 42, 0)} />
        <path className="plan-ahead" d={aheadFrom(columnX(1) + 226 + 70)} />
      </svg>
      <button
        type="button"
        className="first-berth nopan nodrag"
        style={{ transform: `translate(${columnX(1)}px, -62px)` }}
        onClick={() => adding.set({ as: "behind", place: null, at: { col: 1, row: 0 } })}
      >
        <Icon name="plus" size={15} />
        <b>First wagon</b>
        <Kbd keys="n" />
        <em>Click, or drop a profile here</em>
      </button>
    </>
  );
}

/** What a plan may become, in faint lines: two tasks of a fork, their gate, and what follows it. */
function aheadFrom(x: number): string {
  const wagon = (left: number, y: number) => `M${left} ${y}v-50q0 -6 6 -6h142l9 9v47`;
  const gate = `M${x + 236} 20v-118q0 -5 5 -5h14q5 0 5 5v118q0 5 -5 5h-14q-5 0 -5 -5z`;
  const lane = `M${x + 14} 0l20 -18v-44l20 -20h196l20 20v44l20 18`;
  return [`M${x} 0h530`, lane, wagon(x + 62, 0), wagon(x + 62, -82), gate, wagon(x + 322, 0)].join("");
}

type HeadProps = { id: string; fork: SeatedStop; detail: Detail };

const Head = memo(function Head({ id, fork, detail }: HeadProps) {
  const node = usePart(id) as PlanNode | undefined;
  if (node?.kind !== "fork") return null;
  const box = frameBox(fork);
  const { gate } = node;
  return (
    <div
      className="batch-head"
      data-fork={id}
      data-far={detail === "chip" ? "" : undefined}
      data-detail={detail}
      style={{ transform: `translate(${box.x}px, ${box.y}px)`, width: box.w, height: FRAME_HEAD }}
    >
      <span className="batch-head-line">
        <KindMark kind="fork" size={15} label={null} />
        <b dir="auto" className="truncate">
          {plainWords(nameOf(node))}
        </b>
        <span className="flex-1" />
        <span className="truncate text-ink-2">{gateWords(gate, node.tasks.length)}</span>
        {gate.deadline_seconds === undefined ? null : (
          <span className="flex flex-none items-center gap-1 text-ink-2">
            <Icon name="clock" size={13} />
            {formatSeconds(gate.deadline_seconds)}
          </span>
        )}
      </span>
    </div>
  );
});

/** In front of a wagon, or of the frame of a fork. */
function signalAt(stop: SeatedStop): { x: number; y: number } {
  const isFork = stop.kind === "fork";
  const x = isFork ? columnX(stop.col) - FRAME_PASS : leftOf(stop);
  const y = trackY(isFork ? stop.row + middleLane(stop.rows) : stop.row);
  return { x: x - 30, y: y - 44 };
}

/** Nodes that a person must let start: a text, which stays the same while they do. */
const heldIn = ({ plan }: { plan: Plan }): string => plan.nodes.flatMap(({ id, hold }) => (hold ? id : [])).join(" ");
const notesIn = ({ plan }: { plan: Plan }) => plan.layout.notes;

type HoldProps = { x: number; y: number; detail: Detail };

/** The signal in front of what a person must let start. */
const Hold = memo(function Hold({ x, y, detail }: HoldProps) {
  return (
    <span
      className="hold-signal"
      data-detail={detail}
      title="A person lets this step start"
      style={{ transform: `translate(${x}px, ${y}px) scale(var(--keep, 1))` }}
    >
      <span>hold</span>
      <HoldSign />
    </span>
  );
});

/** Where a track to the next wagon is drawn from. */
function Coupling({ place, onEnter, onLeave }: { place: string } & Pick<GroundLayerProps, "onEnter" | "onLeave">) {
  const { places, stops } = useGround();
  const { adding } = useComposer();
  const name = useDrawn(({ plan }) => {
    const id = place.replace(/^gate:/, "");
    const node = plan.nodes.find((one) => one.id === id.split(".")[0]);
    return node ? nameOf(node) : null;
  });
  const from = place.replace(/^gate:/, "");
  const at = places.get(from);
  const fork = stops.get(from);
  if (name === null || (!at && fork?.kind !== "fork")) return null;
  const [x, y] = at
    ? [rightOf(at), trackY(at.row)]
    : [frameEnd(fork as SeatedStop), trackY((fork as SeatedStop).row + middleLane((fork as SeatedStop).rows))];
  return (
    <button
      type="button"
      tabIndex={-1}
      data-coupling={from}
      className="coupling nopan nodrag"
      aria-label={`Add behind ${name}, or drag to what is to follow`}
      style={{ transform: `translate(${x - 4}px, ${y - 12}px)` }}
      onMouseEnter={() => onEnter(place)}
      onMouseLeave={onLeave}
      onKeyDown={(event) => {
        if (event.key === "Enter") adding.set({ as: "behind", place: from });
      }}
    >
      <Icon name="plus" size={14} />
    </button>
  );
}
