"use client";

// What is seen while something is dragged: the track as it would run, the berth it would stand in, the frame around several.
import { ViewportPortal } from "@xyflow/react";
import { type Box, berthBox, CHAMFER, rightOf, trackY } from "@/components/ground/geometry";
import { buffer } from "@/components/ground/signs";
import { track } from "@/components/ui/track";
import type { Berth } from "@/server/contract/plan/plan";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { useComposer, useGround } from "../composer-context";
import type { Drawing } from "../drawing/drawing";
import { usePick } from "../small-store";
import { boxOf, type Drag, movedBy, type XY } from "./drag";

export function DragLayer() {
  const { drag: store } = useComposer();
  const drag = usePick(store, whole);
  const drawing = useGround();
  if (drag === null) return null;
  return (
    <ViewportPortal>
      <svg className="yard-tracks drag-tracks" aria-hidden="true">
        {drag.kind === "couple" ? <Coupling drag={drag} drawing={drawing} /> : null}
        {drag.kind === "link" ? <Linking drag={drag} drawing={drawing} /> : null}
        {drag.kind === "marquee" ? <rect className="drag-marquee" {...rectOf(around(drag.start, drag.at))} /> : null}
        {drag.kind === "move"
          ? shadowsOf(drag, drawing).map((box) => (
              <rect key={`${box.x} ${box.y}`} className="drag-shadow" {...rectOf(box)} rx={6} />
            ))
          : null}
        {drag.kind === "item" && drag.gap !== null && drag.over.kind === "wagon" ? (
          <GapMark box={boxOf(drawing, drag.over.place)} share={drag.gap.share} />
        ) : null}
        {drag.kind === "item" && drag.over.kind === "track" ? (
          <path className="track-route" d={track(drag.over.route.points, CHAMFER)} />
        ) : null}
        {(drag.kind === "item" || drag.kind === "couple") &&
        drag.over.kind === "berth" &&
        !("item" in drag && "load" in drag.item) ? (
          <rect className="drag-shadow" {...rectOf(berthBox(drag.over.berth))} rx={6} />
        ) : null}
      </svg>
      {drag.kind === "item" ? (
        <span
          className="drag-item"
          style={{ transform: `translate(${drag.at.x + 8}px, ${drag.at.y + 8}px) rotate(-1.2deg)` }}
        >
          {drag.item.words}
        </span>
      ) : null}
    </ViewportPortal>
  );
}

function Coupling({ drag, drawing }: { drag: Extract<Drag, { kind: "couple" }>; drawing: Drawing }) {
  const start = exitOf(drawing, drag.from);
  if (!start) return null;
  const target =
    drag.over.kind === "wagon"
      ? boxOf(drawing, drag.over.place)
      : drag.over.kind === "frame"
        ? boxOf(drawing, drag.over.fork)
        : null;
  const end = target ? ([target.x, target.y + target.h] as const) : ([drag.at.x, drag.at.y] as const);
  const middle = Math.max(start[0] + 20, end[0] - 30);
  const points = [start, [middle, start[1]] as const, [middle, end[1]] as const, end];
  return (
    <>
      <path className="track-halo" d={track(points, CHAMFER)} />
      <path className="track-route" d={track(points, CHAMFER)} />
    </>
  );
}

/** Between what stands before it and what comes after. */
function GapMark({ box, share }: { box: Box | null; share: number }) {
  if (!box) return null;
  const x = box.x + Math.min(1, share) * box.w;
  return <path className="drag-gap" d={`M${x} ${box.y + box.h - 18}V${box.y + box.h + 8}`} />;
}

/** From the end that stays to the pointer; on open ground it ends at a buffer stop, since there it is taken away. */
function Linking({ drag, drawing }: { drag: Extract<Drag, { kind: "link" }>; drawing: Drawing }) {
  const { wires } = useComposer();
  const { link, end, at, over } = drag;
  const wire =
    link.kind === "wire" ? wires.get().find(({ crate, to }) => crate === link.crate && to === link.to) : null;
  const fixed =
    link.kind === "wire" ? wire?.points[0] : end === "to" ? exitOf(drawing, link.from) : entryOf(drawing, link.to);
  if (!fixed) return null;
  const middle = (fixed[0] + at.x) / 2;
  const points = [fixed, [middle, fixed[1]] as const, [middle, at.y] as const, [at.x, at.y] as const];
  const isOpen = over.kind === "berth" || over.kind === "track";
  return (
    <>
      <path className="track-route" d={track(points, CHAMFER)} />
      {isOpen ? <path className="track-buffers" d={buffer(at.x, at.y)} /> : null}
    </>
  );
}

function entryOf(drawing: Drawing, to: string): readonly [number, number] | null {
  const place = drawing.places.get(to);
  if (place) return [berthBox(place).x, trackY(place.row)];
  const box = boxOf(drawing, to);
  return box ? [box.x, box.y + box.h / 2] : null;
}

function exitOf(drawing: Drawing, from: string): readonly [number, number] | null {
  const place = drawing.places.get(from);
  if (place) return [rightOf(place), trackY(place.row)];
  const box = boxOf(drawing, from);
  return box ? [box.x + box.w, box.y + box.h / 2] : null;
}

function shadowsOf(drag: Extract<Drag, { kind: "move" }>, drawing: Drawing): Box[] {
  const by = movedBy(drag.start, drag.at);
  return [...new Set(drag.places.map((place) => (drag.places.length === 1 ? place : nodeIdOf(place))))].flatMap(
    (place) => {
      const [box, at] = [boxOf(drawing, place), drawing.stops.get(nodeIdOf(place)) ?? drawing.places.get(place)];
      if (!box || !at) return [];
      const to: Berth = { col: Math.max(1, at.col + by.col), row: at.row + by.row };
      const [from, next] = [berthBox(at), berthBox(to)];
      return [{ ...box, x: box.x + next.x - from.x, y: box.y + next.y - from.y }];
    },
  );
}

const around = (a: XY, b: XY): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  w: Math.abs(a.x - b.x),
  h: Math.abs(a.y - b.y),
});
const rectOf = ({ x, y, w, h }: Box) => ({ x, y, width: w, height: h });
const whole = <T,>(value: T): T => value;
