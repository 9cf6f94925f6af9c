"use client";

// The canvas of the far picture, tied to React Flow's viewport without a render a frame.
import { useStoreApi } from "@xyflow/react";
import { useEffect, useRef } from "react";
import type { View } from "@/components/ground/viewport";
import { useBatches, useTopology, useTurns, useYard } from "../yard-context";
import { moveOverview, type OverviewInput, type Painted, paintOverview } from "./paint-overview";
import { usePaint } from "./use-paint";

/** After the last movement the picture is painted sharp again. */
const REST_MS = 120;

export function Overview() {
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const store = useStoreApi();
  const paint = usePaint();
  const topology = useTopology();
  const turns = useTurns();
  const batches = useBatches();
  const { live, model, matches, selectedId } = useYard();

  // biome-ignore lint/correctness/useExhaustiveDependencies: repainted when a turn has changed
  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas || !paint) return;
    const byId = live.getPicture().turn;
    const input: OverviewInput = {
      topology,
      batches,
      folds: model.getFolds(),
      matches,
      selectedId,
      turnOf: (id) => byId.get(id),
    };
    let painted: Painted | null = null;
    let frame = 0;
    let rest: ReturnType<typeof setTimeout> | undefined;

    const repaint = () => {
      frame = 0;
      const { transform, width, height } = store.getState();
      if (width === 0) return;
      painted = paintOverview(canvas, input, viewOf(transform), { width, height }, paint);
    };
    const soon = () => {
      frame ||= requestAnimationFrame(repaint);
    };
    let seen = store.getState().transform;
    let seenWidth = store.getState().width;
    const stop = store.subscribe(({ transform, width }) => {
      if (width !== seenWidth) {
        seenWidth = width;
        soon();
      }
      if (transform === seen) return;
      seen = transform;
      clearTimeout(rest);
      if (painted && moveOverview(canvas, painted, viewOf(transform))) rest = setTimeout(soon, REST_MS);
      else soon();
    });
    repaint();
    return () => {
      stop();
      cancelAnimationFrame(frame);
      clearTimeout(rest);
    };
  }, [store, paint, topology, turns, batches, live, model, matches, selectedId]);

  return (
    <div aria-hidden="true">
      <canvas ref={canvasRef} className="yard-overview" />
    </div>
  );
}

const viewOf = ([x, y, zoom]: readonly [number, number, number]): View => ({ x, y, zoom });
