"use client";

// Frames, tracks, gates and wires of a drawn plan, as a handful of paths under its wagons.
import { useStore, ViewportPortal } from "@xyflow/react";
import { memo, useEffect, useMemo, useRef } from "react";
import type { Box } from "@/components/ground/geometry";
import { CHAMFER, gateBox, gateX, trackY } from "@/components/ground/geometry";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { detailAt } from "@/components/ground/viewport";
import { Aspect } from "@/components/ui/aspect";
import { type Point, track } from "@/components/ui/track";
import type { Plan } from "@/server/contract/plan/plan";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import {
  selectedIn,
  useChecked,
  useComposer,
  useDrawn,
  useGround,
  useIsSelected,
  useLivePlace,
  usePart,
  usePlan,
  useProblemsAt,
  useSelection,
} from "../composer-context";
import { carriedWords } from "../drawing/carried";
import type { DrawnRoute } from "../drawing/drawing";
import { drawnFrame } from "../drawing/frame-foot";
import { crateId, trackId, wireId } from "../drawing/links";
import { hasSameLoads } from "../drawing/loads";
import { seatOf } from "../drawing/seat";
import { type DrawnCrate, wiresOf } from "../drawing/wires";
import { aspectOf } from "../live/live-words";
import { usePick } from "../small-store";
import { drawPlanTracks } from "./draw-plan-tracks";
import { useDragLook } from "./use-drag-look";
import { wiresShown } from "./wires-shown";

export function TrackLayer({ area, crates }: { area: Box; crates: readonly DrawnCrate[] }) {
  const ground = useGround();
  const forks = useMemo(() => [...ground.stops].filter(([, { kind }]) => kind === "fork"), [ground]);
  return (
    <ViewportPortal>
      <svg className="yard-tracks" aria-hidden="true">
        {forks.map(([id, fork]) => (
          <Frame key={id} id={id} fork={fork} />
        ))}
        <Tracks area={area} />
        <Wires crates={crates} />
        {forks.map(([id, fork]) => (
          <Gate key={id} id={id} fork={fork} />
        ))}
      </svg>
    </ViewportPortal>
  );
}

const Frame = memo(function Frame({ id, fork }: { id: string; fork: SeatedStop }) {
  const isSelected = useIsSelected(id);
  const look = useDragLook(id);
  const problems = useProblemsAt(id);
  const { x, y, w, h } = drawnFrame(fork);
  return (
    <rect
      className="batch-frame drawn-frame"
      data-fork={id}
      data-status={problems.some(({ severity }) => severity === "error") ? "failed" : undefined}
      data-selected={isSelected ? "" : undefined}
      data-lit={look?.kind === "lit" ? "" : undefined}
      {...{ x, y, width: w, height: h, rx: 9 }}
    />
  );
});

const Gate = memo(function Gate({ id, fork }: { id: string; fork: SeatedStop }) {
  const isSelected = useIsSelected(`gate:${id}`);
  const node = usePart(id);
  const tasks = node && "tasks" in node ? node.tasks : [];
  const { x, y, w, h } = gateBox(fork);
  return (
    <g>
      <rect
        className="batch-gate drawn-gate"
        data-gate={id}
        data-selected={isSelected ? "" : undefined}
        {...{ x, y, width: w, height: h, rx: 5 }}
      >
        <title>Gate: all tasks arrive here, then what follows may start</title>
      </rect>
      {Array.from({ length: fork.rows }, (_, lane) => lane).map((lane) => (
        <g
          key={lane}
          className="gate-lamp pointer-events-none"
          transform={`translate(${gateX(fork) - 8} ${trackY(fork.row + lane) - 8})`}
        >
          <GateLamp place={`${id}.${tasks[lane + (fork.cols - 1) * fork.rows]?.id ?? ""}`} />
        </g>
      ))}
    </g>
  );
});

/** How the task of the lane stands. */
function GateLamp({ place }: { place: string }) {
  const live = useLivePlace(place);
  return <Aspect status={live ? aspectOf(live) : "queued"} size={16} label={null} />;
}

const Tracks = memo(function Tracks({ area }: { area: Box }) {
  const { tracks, wagons, stops } = useGround();
  const selection = useSelection();
  const off = useDrawn(offIn);
  const [routes, places] = useMemo(() => [tracks.query(area), wagons.query(area)], [tracks, wagons, area]);
  const drawn = useMemo(() => {
    const isOff = new Set(off.split(" "));
    return drawPlanTracks(routes, places, stops, (place) => isOff.has(nodeIdOf(place)));
  }, [routes, places, stops, off]);
  const lit = useMemo(() => routes.filter((route) => isOf(route, selectedIn(selection))), [routes, selection]);
  const chosen = useMemo(() => lit.filter((route) => isItself(route, selectedIn(selection))), [lit, selection]);
  return (
    <>
      <path className="track" d={drawn.rails} />
      <path className="track-route" data-look="hover" d={lit.map(({ points }) => track(points, CHAMFER)).join("")} />
      <LiveTracks routes={routes} />
      {chosen.length === 0 ? null : (
        <path className="track-selected" d={chosen.map(({ points }) => track(points, CHAMFER)).join("")} />
      )}
      <path className="track-chevrons" d={drawn.chevrons} />
      <path className="track-buffers" d={drawn.buffers} />
      <AllWayWords routes={routes} />
    </>
  );
});

/** Of nodes that are switched off: a text, which stays the same while they do. */
const offIn = ({ plan }: { plan: Plan }): string =>
  plan.nodes.flatMap(({ id, disabled }) => (disabled ? id : [])).join(" ");

/** Into what runs now. */
function LiveTracks({ routes }: { routes: readonly DrawnRoute[] }) {
  const { live } = useComposer();
  const places = usePick(live, whole);
  if (!places) return null;
  const running = routes.filter(({ target }) => places.get(target)?.turn?.status === "running");
  return <path className="track-live" d={running.map(({ points }) => track(points, CHAMFER)).join("")} />;
}

const isOf = (route: DrawnRoute, selected: ReadonlySet<string>): boolean =>
  selected.has(route.to) ||
  selected.has(route.target) ||
  (route.from !== null && selected.has(route.from)) ||
  isItself(route, selected);

const isItself = ({ from, to }: DrawnRoute, selected: ReadonlySet<string>): boolean =>
  from !== null && selected.size > 0 && selected.has(trackId(from, to));

/** A fork is led to by one track for each lane; what it carries is said once. */
function oncePerWay(routes: readonly DrawnRoute[]): DrawnRoute[] {
  const seen = new Set<string>();
  return routes.filter(({ from, to, on }) => {
    const key = `${from} ${to} ${on}`;
    if (from === null || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** From further away they could not be read. */
function AllWayWords({ routes }: { routes: readonly DrawnRoute[] }) {
  const isNear = useStore(({ transform }) => ["full", "steady"].includes(detailAt(transform[2])));
  return isNear ? <NearWayWords routes={routes} /> : null;
}

function NearWayWords({ routes }: { routes: readonly DrawnRoute[] }) {
  const plan = usePlan();
  const ways = useMemo(() => oncePerWay(routes).map((route) => ({ route, spot: underTrack(route.points) })), [routes]);
  return ways.map(({ route, spot }) => {
    const words = spot === null ? "" : carriedWords(plan, route);
    return spot === null || words === "" ? null : (
      <WayWords key={`${route.from} ${route.to} ${route.on}`} x={spot[0]} y={spot[1]} words={words} />
    );
  });
}

/** Under a level part of the track, as near to its end as one is long enough. */
const WayWords = memo(function WayWords({ x, y, words }: { x: number; y: number; words: string }) {
  return (
    <text className="way-words" x={x} y={y} textAnchor="middle">
      {words}
    </text>
  );
});

/** Shorter than this no words fit. */
const LEVEL_MIN = 40;

function underTrack(points: DrawnRoute["points"]): Point | null {
  let [longest, spot]: [number, Point | null] = [LEVEL_MIN, null];
  for (const [i, [x, y]] of points.entries()) {
    const [fromX, fromY] = points[i - 1] ?? [x, y];
    if (fromY !== y || x - fromX < longest) continue;
    longest = x - fromX;
    spot = [fromX + longest / 2, y + 17];
  }
  return spot;
}

const Wires = memo(function Wires({ crates }: { crates: readonly DrawnCrate[] }) {
  const ground = useGround();
  const { wires: store, wiring } = useComposer();
  const selection = useSelection();
  const asked = usePick(wiring, whole);
  const shown = wiresShown(asked, crates);
  const chosen = shown === "selection" ? selection.join(" ") : "";
  const checks = useChecked(({ places }) => places);
  const plan = useLoading();
  const wires = useMemo(() => {
    if (shown === "none") return [];
    const picked = new Set(chosen.split(" "));
    const isShown = ({ id }: DrawnCrate, reader: string) =>
      shown === "all" ||
      [reader, reader.split(".")[0] ?? "", crateId(id), wireId(id, reader)].some((one) => picked.has(one));
    return wiresOf(ground, crates, isShown, (crate, reader) => seatOf(plan, checks, crate.id, reader));
  }, [ground, crates, shown, chosen, plan, checks]);
  useEffect(() => store.set(wires), [store, wires]);
  const selected = selectedIn(selection);
  return wires.map(({ crate, to, points, width }) => {
    const [x, y] = points.at(-1) ?? [0, 0];
    const isLit = selected.has(to) || selected.has(crateId(crate)) || selected.has(wireId(crate, to));
    return (
      <g key={`${crate} ${to}`} className="drawn-wire" data-lit={isLit ? "" : undefined}>
        <path d={track(points, 10)} />
        <path className="drawn-bracket" d={`M${x - width / 2} ${y}H${x + width / 2}`} />
      </g>
    );
  });
});

/** The plan in which what each place loads was last changed: nothing else of it says where a wire runs. */
function useLoading(): Plan {
  const plan = usePlan();
  const last = useRef(plan);
  if (!hasSameLoads(last.current, plan)) last.current = plan;
  return last.current;
}

const whole = <T,>(value: T): T => value;
