"use client";

// The ground of the composer. React Flow keeps pan and zoom; what stands where and what the pointer does is ours, as in the yard.
import { type Node, type NodeProps, ReactFlow, useStore } from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useGroundDots } from "@/components/domain/use-ground-dots";
import { type Box, berthBox } from "@/components/ground/geometry";
import type { Place } from "@/components/ground/plan";
import { detailAt, drawnBox, STEADY_FROM, ZOOM_MAX, ZOOM_MIN } from "@/components/ground/viewport";
import { HumanMark } from "@/components/ui/human-mark";
import { useIsApple } from "@/components/ui/use-is-apple";
import type { Plan } from "@/server/contract/plan/plan";
import { useComposer, useGround, usePlan } from "../composer-context";
import { type Drawing, PERSON } from "../drawing/drawing";
import { hasSameLoads } from "../drawing/loads";
import { cratesAt, type DrawnCrate } from "../drawing/wires";
import { DragLayer } from "./drag-layer";
import { DrawnWagon } from "./drawn-wagon";
import { GroundLayer } from "./ground-layer";
import { TrackLayer } from "./track-layer";
import type { useGestures } from "./use-gestures";
import { useView } from "./use-view";

type WagonNode = Node<{ place: string }, "wagon">;

export function PlanCanvas({ gestures, children }: { gestures: ReturnType<typeof useGestures>; children?: ReactNode }) {
  const { edit } = useComposer();
  const ground = useGround();
  const area = useArea();
  const { hovered, enter, leave } = useHovered();
  const places = useMemo(() => ground.wagons.query(area), [ground, area]);
  const nodes = useMemo(() => places.filter(({ id }) => !id.endsWith(".")).map(nodeOf), [places]);
  // What React Flow is given stays the same object for as long as nothing moves: else it draws every wagon again.
  const onEnter = useCallback((_: unknown, node: WagonNode) => enter(node.data.place), [enter]);
  const onOpen = useCallback(() => edit("instruction"), [edit]);
  // The wheel zooms with Control held without being told. Told, React Flow sets its listeners again at each press of the key, and the
  // whole ground is painted again for each undo.
  const isApple = useIsApple();
  useFirstView();
  useGroundDots();
  return (
    <div className="contents" onPointerDown={gestures.onPointerDown}>
      <ReactFlow<WagonNode>
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
        panOnDrag={panButtons}
        panActivationKeyCode="Space"
        zoomActivationKeyCode={isApple ? "Meta" : null}
        zoomOnDoubleClick={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        attributionPosition="bottom-left"
        onNodeDoubleClick={onOpen}
        onNodeMouseEnter={onEnter}
        onNodeMouseLeave={leave}
      >
        <Layers area={area} hovered={hovered} onEnter={enter} onLeave={leave} />
        <DragLayer />
        {children}
      </ReactFlow>
    </div>
  );
}

type LayersProps = { area: Box; hovered: string | null; onEnter: (place: string) => void; onLeave: () => void };

/** What is drawn under and beside the wagons. */
const Layers = memo(function Layers({ area, hovered, onEnter, onLeave }: LayersProps) {
  const crates = useCrates();
  const seen = useMemo(() => crates.filter(({ box }) => touches(box, area)), [crates, area]);
  return (
    <>
      <TrackLayer area={area} crates={crates} />
      <GroundLayer crates={seen} hovered={hovered} onEnter={onEnter} onLeave={onLeave} />
    </>
  );
});

/**
 * A crate that stands where it stood, for those who read it, is the same object: nothing of it is drawn again. A change that neither
 * moves nor loads anything does not look at them.
 */
function useCrates(): readonly DrawnCrate[] {
  const plan = usePlan();
  const ground = useGround();
  const known = useRef<{ plan: Plan; ground: Drawing; crates: readonly DrawnCrate[] } | null>(null);
  const last = known.current;
  const isSame = last !== null && last.ground === ground && hasSameLoads(last.plan, plan);
  const crates = isSame ? last.crates : cratesAfter(last?.crates ?? [], cratesAt(plan, ground));
  known.current = { plan, ground, crates };
  return crates;
}

function cratesAfter(last: readonly DrawnCrate[], fresh: readonly DrawnCrate[]): readonly DrawnCrate[] {
  const before = new Map(last.map((crate) => [crate.id, crate]));
  const now = fresh.map((crate) => {
    const was = before.get(crate.id);
    return was && isSameCrate(was, crate) ? was : crate;
  });
  return now.length === last.length && now.every((crate, i) => crate === last[i]) ? last : now;
}

const isSameCrate = (a: DrawnCrate, b: DrawnCrate): boolean =>
  a.box.x === b.box.x &&
  a.box.y === b.box.y &&
  a.readers.length === b.readers.length &&
  a.readers.every((reader, i) => reader === b.readers[i]);

const touches = (a: Box, b: Box): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** The coupling of a wagon lies beside it: on the way there the wagon is still meant. */
const LEAVES_MS = 500;

function useHovered() {
  const [hovered, setHovered] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const enter = useCallback((place: string) => {
    clearTimeout(timer.current);
    setHovered(place === PERSON ? null : place);
  }, []);
  const leave = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setHovered(null), LEAVES_MS);
  }, []);
  return { hovered, enter, leave };
}

/** The middle button; with the space bar also the first. */
const panButtons = [1];

const FlowWagon = memo(function FlowWagon({ data }: NodeProps<WagonNode>) {
  const detail = useStore((state) => detailAt(state.transform[2]));
  const { person } = useComposer();
  if (data.place === PERSON)
    return (
      <div className="human-turn relative size-full">
        <HumanMark name={person} size={44} />
        <span className="human-name">
          <span>{person}</span>
        </span>
      </div>
    );
  return <DrawnWagon place={data.place} detail={detail} />;
});

const nodeTypes = { wagon: FlowWagon };

/**
 * Half of the yard's, where wagons are drawn in full: where the view jumps to what was added, all of it is drawn in one frame. From
 * further away wagons are light, and a zoom would bring some in and out at each step.
 */
const STEP = 128;

/** What must be in the document. */
function useArea() {
  const key = useStore(({ transform: [x, y, zoom], width, height }) => {
    if (width === 0) return "0 0 0 0";
    const box = drawnBox({ x, y, zoom }, { width, height }, zoom < STEADY_FROM ? undefined : STEP);
    return `${box.x} ${box.y} ${box.w} ${box.h}`;
  });
  return useMemo(() => {
    const [x = 0, y = 0, w = 0, h = 0] = key.split(" ").map(Number);
    return { x, y, w, h };
  }, [key]);
}

/** All of the plan, once the canvas has its size. */
function useFirstView(): void {
  const view = useView();
  const hasSize = useStore((state) => state.width > 0);
  const wasSeen = useRef(false);
  useEffect(() => {
    if (!hasSize || wasSeen.current) return;
    wasSeen.current = true;
    view.fit(false);
  }, [hasSize, view]);
}

/** The same place answers the same object, so that only what moved is laid out again. */
function nodeOf(place: Place): WagonNode {
  const box = berthBox(place);
  const key = `${place.id} ${box.x} ${box.y} ${box.w}`;
  const known = nodesOf.get(key);
  if (known) return known;
  // A wagon stands on the track, not in it.
  const [x, y] = [box.x, place.col === 0 ? box.y : box.y - 1];
  const node: WagonNode = {
    id: place.id,
    type: "wagon",
    position: { x, y },
    width: box.w,
    height: box.h,
    measured: { width: box.w, height: box.h },
    data: { place: place.id },
    // A transform of its own would make each wagon a part of the picture that is put together at every step of a pan.
    style: { transform: "none", left: x, top: y },
    domAttributes,
  };
  if (nodesOf.size > 5_000) nodesOf.clear();
  nodesOf.set(key, node);
  return node;
}

const nodesOf = new Map<string, WagonNode>();
/** Wagons name themselves; "node" is not a word a person knows. */
const domAttributes = { "aria-roledescription": undefined };
