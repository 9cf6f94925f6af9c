"use client";

// All tracks in view as a handful of SVG paths below the wagons, on the frames of the batches. They move with the viewport,
// so panning draws nothing.
import { ViewportPortal } from "@xyflow/react";
import { memo, useMemo } from "react";
import type { Block } from "@/components/ground/block";
import { CHAMFER } from "@/components/ground/geometry";
import type { Place } from "@/components/ground/plan";
import { chainEntries, chainPoints, type Route } from "@/components/ground/route-tracks";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { chevronAt, wayWords, wayWordsAt } from "@/components/ground/signs";
import { KindMark } from "@/components/ui/kind-mark";
import { type TrackLook, trackWords } from "@/components/ui/sign-words";
import { track } from "@/components/ui/track";
import { askMarkAt, drawTracks } from "../plan/draw-tracks";
import type { Topology } from "../plan/yard-model";
import { useBatches, usePlanNodes, useTopology, useTurns, useYard } from "../yard-context";
import { Frames, Gates } from "./batch-shapes";
import { DrawnFrames, DrawnGates } from "./drawn-forks";
import { Handovers } from "./handovers";

export type TrackLayerProps = {
  places: readonly Place[];
  routes: readonly Route[];
  blocks: readonly Block[];
  forks: readonly SeatedStop[];
  hoveredId: string | null;
};

/** Above this no halo, no dash and nothing that moves: a thousand of them slow the screen and say nothing. */
export const FINE_TRACKS_MAX = 150;

export function TrackLayer({ places, routes, blocks, forks, hoveredId }: TrackLayerProps) {
  const topology = useTopology();
  const { selectedId } = useYard();
  const isFine = topology.routes.size <= FINE_TRACKS_MAX;
  return (
    <ViewportPortal>
      <svg className="yard-tracks" aria-hidden="true">
        <Frames blocks={blocks} />
        <DrawnFrames forks={forks} />
        <Tracks places={places} routes={routes} blocks={blocks} forks={forks} isFine={isFine} />
        {hoveredId !== null && hoveredId !== selectedId ? (
          <Chain topology={topology} id={hoveredId} look="hover" />
        ) : null}
        {selectedId === null ? null : <Chain topology={topology} id={selectedId} look="selected" isFine={isFine} />}
        <Gates blocks={blocks} />
        <DrawnGates forks={forks} />
        <Handovers routes={topology.routes} isFine={isFine} />
      </svg>
    </ViewportPortal>
  );
}

const Tracks = memo(function Tracks({
  places,
  routes,
  blocks,
  forks,
  isFine,
}: Omit<TrackLayerProps, "hoveredId"> & { isFine: boolean }) {
  const { live } = useYard();
  const { links, places: all, stops } = useTopology();
  const nodes = usePlanNodes();
  const batches = useBatches();
  // The turns change when one of them does; what is drawn of a turn depends on its status alone.
  const turns = useTurns();
  const drawing = useMemo(() => {
    const byId = turns.length === 0 ? new Map() : live.getPicture().turn;
    return drawTracks({
      places,
      routes,
      blocks,
      turnOf: (id) => byId.get(id),
      edgeOf: (target) => links.get(target)?.edge,
      batchOf: (id) => batches.get(id),
      rowOf: (id) => all.get(id)?.row,
      stops,
      nodeOf: (id) => nodes.get(id),
      drawnForks: forks,
    });
  }, [live, links, all, stops, nodes, turns, batches, places, routes, blocks, forks]);
  return (
    <>
      <Path look="reserved" className="track track-reserved" d={drawing.reserved} />
      <Path look="travelled" className="track" d={drawing.travelled} />
      <Path look="inferred" className={isFine ? "track track-inferred" : "track"} d={drawing.inferred} />
      <Path look="occupied" className="track track-occupied" d={drawing.occupied} />
      <path className="track-chevrons" d={drawing.chevrons} />
      <Path look="buffer" className="track-buffers" data-look="reserved" d={drawing.reservedBuffers} />
      <Path look="buffer" className="track-buffers" d={drawing.buffers} />
      <Path look="red buffer" className="track-buffers" data-look="red" d={drawing.redBuffers} />
      <AskMarks routes={routes} />
      <WayWords routes={routes} />
    </>
  );
});

/** A path with its meaning under the pointer: one title for each look, whatever the number of turns. */
function Path({ look, ...path }: { look: TrackLook; className: string; d: string; "data-look"?: string }) {
  return (
    <path {...path}>
      <title>{trackWords[look]}</title>
    </path>
  );
}

function AskMarks({ routes }: { routes: readonly Route[] }) {
  const { live } = useYard();
  const { turn: byId } = live.getPicture();
  return routes
    .filter(({ target }) => byId.get(target)?.primitive === "ask_expert")
    .map(({ target, points }) => {
      const [x, y] = askMarkAt(points);
      return (
        <g key={target} className="ask-mark" transform={`translate(${x} ${y})`}>
          <g className="ask-words">
            <KindMark kind="ask" size={13} label={null} />
            <text x={15} y={10.5}>
              ask
            </text>
          </g>
        </g>
      );
    });
}

/** On which end of its source a track may be taken, where it is not the usual one. */
function WayWords({ routes }: { routes: readonly Route[] }) {
  return routes.map(({ target, points, on }) => {
    const spot = on === undefined || on === "delivered" ? null : wayWordsAt(points);
    return spot === null ? null : (
      <text key={target} className="way-words" x={spot.x} y={spot.y} textAnchor={spot.anchor}>
        {wayWords[on ?? "delivered"]}
      </text>
    );
  });
}

function Chain({
  topology,
  id,
  look,
  isFine = false,
}: {
  topology: Topology;
  id: string;
  look: "hover" | "selected";
  isFine?: boolean;
}) {
  const path = useMemo(() => track(chainPoints(topology.places, topology.routes, id), CHAMFER), [topology, id]);
  const chevrons = useMemo(() => chainEntries(topology.places, id).map(chevronAt).join(""), [topology, id]);
  return (
    <>
      {isFine ? <path className="track-halo" d={path} /> : null}
      <path className="track-route" data-look={look} d={path} />
      {look === "selected" ? <path className="track-chevrons track-chevrons-lit" d={chevrons} /> : null}
    </>
  );
}
