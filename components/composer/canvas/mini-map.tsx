"use client";

// All of the plan in little, with the part that is in view. A click goes there.
import { useReactFlow, useStore } from "@xyflow/react";
import { memo, useMemo } from "react";
import { type Box, berthBox } from "@/components/ground/geometry";
import { useComposer, useGround } from "../composer-context";
import { type Drawing, PERSON } from "../drawing/drawing";
import { drawnFrame } from "../drawing/frame-foot";
import { aspectOf, type LivePlace } from "../live/live-words";
import { usePick } from "../small-store";

const W = 144;
const H = 92;
/** A plan that is in view as a whole needs no map. */
const WAGONS_MIN = 8;

export function MiniMap() {
  const { places, bounds } = useGround();
  const flow = useReactFlow();
  if (places.size < WAGONS_MIN) return null;
  const box = { x: bounds.x - 60, y: bounds.y - 60, w: bounds.w + 120, h: bounds.h + 120 };
  const scale = Math.min(W / box.w, H / box.h);
  return (
    <button
      type="button"
      className="yard-float mini-map"
      tabIndex={-1}
      aria-label="Map of the plan: click to go there"
      onClick={(event) => {
        const { left, top } = event.currentTarget.getBoundingClientRect();
        const [x, y] = [box.x + (event.clientX - left) / scale, box.y + (event.clientY - top) / scale];
        void flow.setCenter(x, y, { zoom: flow.getZoom(), duration: 200, interpolate: "linear" });
      }}
    >
      <svg width={W} height={H} viewBox={`${box.x} ${box.y} ${W / scale} ${H / scale}`} aria-hidden="true">
        <Wagons />
        <InView box={box} />
      </svg>
    </button>
  );
}

const Wagons = memo(function Wagons() {
  const { places, stops } = useGround();
  const { live } = useComposer();
  const now = usePick(live, whole);
  const wagons = useMemo(() => wagonsOf(places, now), [places, now]);
  const person = places.get(PERSON);
  return (
    <>
      {[...stops].map(([id, stop]) =>
        stop.kind === "fork" ? <rect key={id} className="mini-frame" {...rectOf(drawnFrame(stop))} rx={20} /> : null,
      )}
      {[...wagons].map(([status, d]) => (
        <path key={status} className="mini-wagon" data-status={status || undefined} d={d} />
      ))}
      {person ? <rect className="mini-person" {...rectOf(berthBox(person))} /> : null}
    </>
  );
});

/** One path for all that stand alike: three hundred elements would be compared at each change. */
function wagonsOf(places: Drawing["places"], now: ReadonlyMap<string, LivePlace> | null): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const place of places.values()) {
    if (place.id === PERSON) continue;
    const at = now?.get(place.id);
    const status = at ? aspectOf(at) : "";
    const { x, y, w, h } = berthBox(place);
    paths.set(status, `${paths.get(status) ?? ""}M${x} ${y}h${w}v${h}h${-w}z`);
  }
  return paths;
}

function InView({ box }: { box: Box }) {
  const key = useStore(({ transform: [x, y, zoom], width, height }) =>
    [-x / zoom, -y / zoom, width / zoom, height / zoom].map((value) => Math.round(value)).join(" "),
  );
  const [left = 0, top = 0, w = 0, h = 0] = key.split(" ").map(Number);
  // What is in view beside the plan is not on the map.
  const [x, y] = [Math.max(box.x + 4, left), Math.max(box.y + 4, top)];
  const width = Math.min(box.x + box.w - 4, left + w) - x;
  const height = Math.min(box.y + box.h - 4, top + h) - y;
  if (width <= 0 || height <= 0) return null;
  return <rect className="mini-view" rx={14} {...{ x, y, width, height }} />;
}

const rectOf = ({ x, y, w, h }: Box) => ({ x, y, width: w, height: h });
const whole = <T,>(value: T): T => value;
