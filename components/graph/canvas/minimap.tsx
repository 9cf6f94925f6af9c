"use client";

// The whole yard in 152 by 98, and which part of it is on the screen.
import { useStore } from "@xyflow/react";
import { type PointerEvent, useEffect, useRef } from "react";
import { type Box, berthBox, frameBox } from "@/components/ground/geometry";
import { seenBox } from "@/components/ground/viewport";
import { useBatches, useTopology, useTurns, useYard } from "../yard-context";
import { usePaint } from "./use-paint";
import { useView } from "./view-provider";

const SIZE = { width: 152, height: 98 };
const MARGIN = 8;

export function Minimap() {
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const paint = usePaint();
  const { live, model, selectedId } = useYard();
  const batches = useBatches();
  const { centre } = useView();
  const topology = useTopology();
  const turns = useTurns();
  const scale = scaleOf(topology.bounds);

  // biome-ignore lint/correctness/useExhaustiveDependencies: repainted when a turn has changed
  useEffect(() => {
    const canvas = canvasRef.current;
    const context = canvas?.getContext("2d");
    if (!canvas || !context || !paint) return;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    canvas.width = SIZE.width * ratio;
    canvas.height = SIZE.height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { turn: byId } = live.getPicture();
    const folds = model.getFolds();
    for (const block of topology.blocks.values()) {
      const box = block.is_folded ? berthBox(block) : frameBox(block);
      const holds = block.is_folded && (block.id === selectedId || topology.held.get(selectedId ?? "") === block.id);
      const [x, y] = [scale.x + box.x * scale.ratio, scale.y + box.y * scale.ratio];
      const [w, h] = [Math.max(2, box.w * scale.ratio), Math.max(2, box.h * scale.ratio)];
      context.lineWidth = 1;
      context.strokeStyle = paint.rail;
      context.fillStyle = holds ? paint.lamp : paint.status[folds.get(block.id)?.worst ?? "running"];
      if (block.is_folded) context.fillRect(x, y, w, h);
      else context.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, w, h);
    }
    context.strokeStyle = paint.rail;
    for (const fork of topology.stops.values()) {
      if (fork.kind !== "fork" || fork.holder !== null) continue;
      const box = frameBox(fork);
      const [x, y] = [scale.x + box.x * scale.ratio, scale.y + box.y * scale.ratio];
      context.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, box.w * scale.ratio, box.h * scale.ratio);
    }
    for (const place of topology.places.values()) {
      const turn = byId.get(place.id);
      const box = berthBox(place);
      if (place.is_ghost) {
        // What is still to come is hollow.
        const height = Math.max(2, Math.min(5, box.h * scale.ratio * 0.55));
        const [x, y] = [scale.x + box.x * scale.ratio, scale.y + (box.y + box.h) * scale.ratio];
        context.strokeStyle = place.id === selectedId ? paint.lamp : paint.rail;
        context.strokeRect(x + 0.5, y - height + 0.5, Math.max(2, box.w * scale.ratio) - 1, height - 1);
        continue;
      }
      if (!turn) continue;
      const [x, y] = [scale.x + box.x * scale.ratio, scale.y + (box.y + box.h) * scale.ratio];
      const height = Math.max(1, Math.min(5, box.h * scale.ratio * 0.55));
      context.fillStyle =
        turn.agent_turn_id === selectedId ? paint.lamp : turn.is_human ? paint.ink : paint.status[turn.status];
      if (turn.is_human) {
        context.beginPath();
        context.arc(
          x + (box.w * scale.ratio) / 2,
          y - (box.h * scale.ratio) / 2,
          Math.max(1, Math.min(3, box.h * scale.ratio * 0.5)),
          0,
          2 * Math.PI,
        );
        context.fill();
      } else context.fillRect(x, y - height, Math.max(1.5, box.w * scale.ratio), height);
    }
  }, [paint, topology, turns, batches, live, model, selectedId, scale.x, scale.y, scale.ratio]);

  function go(event: PointerEvent<HTMLElement>) {
    const frame = event.currentTarget.getBoundingClientRect();
    centre((event.clientX - frame.left - scale.x) / scale.ratio, (event.clientY - frame.top - scale.y) / scale.ratio);
  }

  return (
    <div
      className="yard-float yard-minimap nopan nowheel"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons > 0) go(event);
      }}
    >
      <canvas ref={canvasRef} style={SIZE} />
      <Seen scale={scale} />
    </div>
  );
}

type Scale = { x: number; y: number; ratio: number };

function scaleOf({ x, y, w, h }: Box): Scale {
  const ratio = Math.min((SIZE.width - 2 * MARGIN) / Math.max(1, w), (SIZE.height - 2 * MARGIN) / Math.max(1, h), 0.15);
  return { ratio, x: SIZE.width / 2 - (x + w / 2) * ratio, y: SIZE.height / 2 - (y + h / 2) * ratio };
}

function Seen({ scale }: { scale: Scale }) {
  const seen = useStore(
    ({ transform: [x, y, zoom], width, height }) => seenBox({ x, y, zoom }, { width, height }),
    (a, b) => a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h,
  );
  // Kept inside, or a screen larger than the yard would show no frame at all.
  const left = Math.max(2, scale.x + seen.x * scale.ratio);
  const top = Math.max(2, scale.y + seen.y * scale.ratio);
  const right = Math.min(SIZE.width - 2, scale.x + (seen.x + seen.w) * scale.ratio);
  const bottom = Math.min(SIZE.height - 2, scale.y + (seen.y + seen.h) * scale.ratio);
  return (
    <i
      style={{
        transform: `translate(${left}px, ${top}px)`,
        width: Math.max(4, right - left),
        height: Math.max(4, bottom - top),
        borderRadius: 3,
      }}
    />
  );
}
