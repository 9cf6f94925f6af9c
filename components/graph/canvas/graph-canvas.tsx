"use client";

// The one place that renders React Flow. It keeps pan and zoom; which turns are in the document, where they stand and
// how the tracks run is ours, because React Flow's own culling took a second a frame at 5,000 turns.
import { type Node, type NodeProps, ReactFlow, useReactFlow, useStore } from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { type MouseEvent, memo, type ReactNode, useMemo, useState } from "react";
import { useGroundDots } from "@/components/domain/use-ground-dots";
import { berthBox } from "@/components/ground/geometry";
import type { Place } from "@/components/ground/plan";
import { detailAt, ZOOM_MAX, ZOOM_MIN } from "@/components/ground/viewport";
import { FlowLayerPart } from "../lens/lens-parts";
import type { Topology } from "../plan/yard-model";
import { useTopology, useYard } from "../yard-context";
import { BatchLayer } from "./batch-layer";
import { Overview } from "./overview";
import { StepNode } from "./step-node";
import { TrackLayer } from "./track-layer";
import { TurnNode } from "./turn-node";
import { useDrawnArea } from "./use-drawn-area";
import { useFirstView } from "./use-first-view";
import { useLitInView } from "./use-lit-in-view";
import { useSteadyFold } from "./use-steady-fold";
import { useView } from "./view-provider";

/** `id`: of the turn, or of what will be one. */
type TurnFlowNode = Node<{ id: string; isFirst: boolean; ghost: Ghost | null }, "turn">;
type Ghost = { stopId: string; task: number | undefined };

/** `children` float above the tracks: figures, zoom, minimap. */
export function GraphCanvas({ children }: { children?: ReactNode }) {
  const { live, select, openTurn, lens } = useYard();
  const topology = useTopology();
  const { hold } = useView();
  const { screenToFlowPosition } = useReactFlow();
  const [hoveredId, setHoveredId] = useState<string | null>(null);
  const area = useDrawnArea();
  useSteadyFold();
  useLitInView();
  useFirstView();
  useGroundDots();
  const places = useMemo(() => (area ? topology.wagons.query(area) : []), [topology, area]);
  const routes = useMemo(() => (area ? topology.tracks.query(area) : []), [topology, area]);
  const blocks = useMemo(() => (area ? topology.frames.query(area) : []), [topology, area]);
  const forks = useMemo(() => (area ? topology.drawnForks.query(area) : []), [topology, area]);
  const nodes = useMemo(() => places.map((place) => nodeOf(place, topology)), [places, topology]);

  function pick(event: MouseEvent) {
    const point = screenToFlowPosition({ x: event.clientX, y: event.clientY });
    // Blocks are painted, so no node hears the click.
    const spot = { ...point, w: 0, h: 0 };
    const [hit] = area ? [] : topology.wagons.query(spot);
    const [fold] = area || hit ? [] : topology.frames.query(spot).filter((block) => block.is_folded);
    select(hit?.id ?? fold?.id ?? null);
  }

  return (
    <ReactFlow<TurnFlowNode>
      nodes={nodes}
      nodeTypes={nodeTypes}
      minZoom={ZOOM_MIN}
      maxZoom={ZOOM_MAX}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      elementsSelectable={false}
      edgesFocusable={false}
      disableKeyboardA11y
      panOnScroll
      zoomOnDoubleClick={false}
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      panActivationKeyCode={null}
      attributionPosition="bottom-left"
      onMoveStart={(event) => {
        // Only a person's own movement has an event.
        if (event !== null) hold();
      }}
      onNodeClick={(_, node) => select(node.data.id)}
      onNodeDoubleClick={(_, node) => {
        const turn = live.getPicture().turn.get(node.data.id);
        if (turn) openTurn(turn.agent_turn_id);
      }}
      onNodeMouseEnter={(_, node) => setHoveredId(node.data.id)}
      onNodeMouseLeave={() => setHoveredId(null)}
      onPaneClick={pick}
    >
      {area ? (
        <>
          <TrackLayer places={places} routes={routes} blocks={blocks} forks={forks} hoveredId={hoveredId} />
          <BatchLayer blocks={blocks} forks={forks} />
        </>
      ) : (
        <Overview />
      )}
      {lens === "flow" ? <FlowLayerPart hoveredId={hoveredId} /> : null}
      {children}
    </ReactFlow>
  );
}

const FlowTurn = memo(function FlowTurn({ id, data }: NodeProps<TurnFlowNode>) {
  const detail = useStore((state) => detailAt(state.transform[2]));
  if (data.ghost) return <StepNode {...data.ghost} slot={id} detail={detail} />;
  return <TurnNode id={data.id} detail={detail} isFirst={data.isFirst} />;
});

const nodeTypes = { turn: FlowTurn };

/** The same place returns the same object, so a wagon that comes back into view is not measured again. */
function nodeOf(place: Place, { places, stops }: Topology): TurnFlowNode {
  const spot = `${place.col} ${place.row} ${place.slot ?? ""}`;
  const known = nodesOf.get(place);
  if (known && known.spot === spot) return known.node;
  const box = berthBox(place);
  const caller = places.get(place.parent ?? "");
  const isLane = stops.get(place.stop ?? "")?.kind === "fork";
  const node: TurnFlowNode = {
    // A node of a plan keeps its element when its turn comes.
    id: place.slot ?? place.id,
    type: "turn",
    // A wagon stands on the track, not in it.
    position: { x: box.x, y: place.col === 0 ? box.y : box.y - 1 },
    width: box.w,
    height: box.h,
    measured: { width: box.w, height: box.h },
    data: {
      id: place.id,
      isFirst: place.col === 1 && !place.block && !place.stop && (caller === undefined || caller.col === 0),
      ghost: place.is_ghost && place.stop ? { stopId: place.stop, task: isLane ? taskOf(place) : undefined } : null,
    },
    domAttributes,
  };
  nodesOf.set(place, { spot, node });
  return node;
}

/** The slot of a lane ends with its index. */
const taskOf = ({ slot = "" }: Place): number => Number(slot.slice(slot.lastIndexOf(".") + 1));

const nodesOf = new WeakMap<Place, { spot: string; node: TurnFlowNode }>();
/** Turns name themselves; "node" is not a word a person knows. */
const domAttributes = { "aria-roledescription": undefined };
