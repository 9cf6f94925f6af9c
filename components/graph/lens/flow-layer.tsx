"use client";

// The lanes of the context flow below the wagons of the plan, and at their left the sources that are no turns.
import { ViewportPortal } from "@xyflow/react";
import { memo, useEffect, useMemo, useState } from "react";
import { type Box, berthBox, union } from "@/components/ground/geometry";
import { freeBox, holds, withAll } from "@/components/ground/viewport";
import { formatCompact, formatCount } from "@/components/ui/format";
import { track } from "@/components/ui/track";
import type { FlowSource } from "@/server/contract/answers/run-flow";
import { useView } from "../canvas/view-provider";
import type { Topology } from "../plan/yard-model";
import { useTopology, useYard } from "../yard-context";
import { laneRoutes } from "./flow-lanes";
import { type FlowStand, isEdge, lanesToDraw, laneWidth } from "./flow-view";
import { sourceKinds } from "./flow-words";
import { useAgainAfterFrames, useFlow, useFlowView } from "./use-flow";
import "./lens.css";

const CHAMFER = 14;
const SOURCE = { w: 150, h: 34, gap: 12, away: 56 };

export function FlowLayer({ hoveredId }: { hoveredId: string | null }) {
  const { selectedId, edge, matches, setEdge } = useYard();
  const topology = useTopology();
  const { flow, refetch } = useFlow();
  useAgainAfterFrames(refetch);
  const view = useFlowView(flow);
  const [pointed, setPointed] = useState<string | null>(null);
  const selected = topology.places.has(selectedId ?? "")
    ? selectedId
    : (topology.held.get(selectedId ?? "") ?? selectedId);
  const lanes = useMemo(() => lanesToDraw(view, selected), [view, selected]);
  const spots = useMemo(() => sourceSpots(view.sources, topology), [view.sources, topology]);
  const routes = useMemo(
    () =>
      laneRoutes(lanes, (id) => spots.get(id) ?? boxOf(topology, id)).map(({ points, label }) => ({
        d: track(points, CHAMFER),
        label,
      })),
    [lanes, spots, topology],
  );
  useSourcesInView(spots);
  const lit = matches && new Set([...matches].map((id) => topology.held.get(id) ?? id));
  const shown = lanes.findIndex((lane) => keyOf(lane) === pointed);
  const chosen = lanes.findIndex((lane) => isEdge(lane, edge));
  return (
    <ViewportPortal>
      <svg className="flow-lanes" aria-hidden="true">
        {lanes.map((lane, at) => (
          <Lane
            key={keyOf(lane)}
            lane={lane}
            d={routes[at]?.d ?? ""}
            look={lookOf(lane, {
              selected: selected ?? hoveredId,
              isChosen: at === chosen,
              hasChosen: chosen >= 0,
              lit,
            })}
            onPoint={setPointed}
            onChoose={setEdge}
          />
        ))}
      </svg>
      {view.sources.map((source) => (
        <Source key={source.source_id} source={source} box={spots.get(source.source_id)} />
      ))}
      {[shown, chosen].map((at, i) => {
        const [lane, spot] = [lanes[at], routes[at]?.label];
        if (!lane || !spot || (i === 0 && shown === chosen)) return null;
        return (
          <span
            key={keyOf(lane)}
            className="flow-label"
            data-chosen={at === chosen || undefined}
            style={{ left: spot[0], top: spot[1] }}
          >
            {formatCount(lane.cards, "card")} <b>{formatCompact(lane.tokens)}</b>
          </span>
        );
      })}
    </ViewportPortal>
  );
}

const keyOf = ({ from, to }: { from: string; to: string }): string => `${from} ${to}`;

function boxOf({ places, blocks }: Topology, id: string): Box | undefined {
  const place = places.get(id) ?? blocks.get(id);
  return place && berthBox(place);
}

/** Below each other at the left of the plan, most tokens first. */
function sourceSpots(sources: readonly FlowSource[], { bounds }: Topology): ReadonlyMap<string, Box> {
  const { w, h, gap, away } = SOURCE;
  return new Map(
    sources.map(({ source_id }, i) => [source_id, { x: bounds.x - away - w, y: bounds.y + i * (h + gap), w, h }]),
  );
}

/** Who looks at the whole plan sees its sources too; who looks at a part of it stays there. */
function useSourcesInView(spots: ReadonlyMap<string, Box>): void {
  const { bounds } = useTopology();
  const view = useView();
  const hasSources = spots.size > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the sources are there; what comes later must not move the view
  useEffect(() => {
    if (!hasSources) return;
    const [now, size] = [view.getView(), view.getSize()];
    if (!holds(freeBox(now, size), bounds)) return;
    const whole = withAll([...spots.values()].reduce(union, bounds), size, now);
    if (whole === now) return;
    view.hold();
    view.glide(whole);
  }, [hasSources]);
}

type Look = "plain" | "lit" | "chosen" | "dim";
type Looking = { selected: string | null; isChosen: boolean; hasChosen: boolean; lit: ReadonlySet<string> | null };

function lookOf({ from, to }: FlowStand, { selected, isChosen, hasChosen, lit }: Looking): Look {
  if (isChosen) return "chosen";
  if (lit && !lit.has(from) && !lit.has(to)) return "dim";
  if (hasChosen) return "plain";
  if (selected === null) return "plain";
  return from === selected || to === selected ? "lit" : "dim";
}

type LaneProps = {
  lane: FlowStand;
  d: string;
  look: Look;
  onPoint: (key: string | null) => void;
  onChoose: (edge: { from: string; to: string }) => void;
};

/** The panel lists the same lanes as buttons, for the keyboard and for a screen reader. */
const Lane = memo(function Lane({ lane, d, look, onPoint, onChoose }: LaneProps) {
  const width = laneWidth(lane.tokens);
  return (
    <g data-look={look}>
      <path className="flow-lane" d={d} style={{ strokeWidth: width }} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the panel has the same as a button */}
      <path
        className="flow-touch"
        d={d}
        style={{ strokeWidth: width + 8 }}
        onPointerEnter={() => onPoint(keyOf(lane))}
        onPointerLeave={() => onPoint(null)}
        onClick={(event) => {
          event.stopPropagation();
          onChoose({ from: lane.from, to: lane.to });
        }}
      />
    </g>
  );
});

function Source({ source, box }: { source: FlowSource; box: Box | undefined }) {
  if (!box) return null;
  return (
    <span className="flow-source" style={{ left: box.x, top: box.y, width: box.w, height: box.h }}>
      <span className="text-ink-3">{sourceKinds[source.kind]}</span>
      <b dir="auto" title={source.name}>
        {source.name}
      </b>
      <span className="text-ink-3">{formatCompact(source.tokens)}</span>
    </span>
  );
}
