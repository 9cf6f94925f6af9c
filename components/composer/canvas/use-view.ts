"use client";

// The commands that move the view of a drawing. Nothing else moves it: neither a selection nor a change.
import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useMemo } from "react";
import { fitted, focused, revealed, type View, zoomed } from "@/components/ground/viewport";
import { useComposer } from "../composer-context";
import { cratesAt } from "../drawing/wires";
import { boxOf } from "./drag";

const MOVE_MS = 260;

export type DrawingView = ReturnType<typeof useView>;

export function useView() {
  const flow = useReactFlow();
  const rf = useStoreApi();
  const { ground, store } = useComposer();
  return useMemo(() => {
    const size = () => ({ width: rf.getState().width, height: rf.getState().height });
    const go = (view: View, isSeen = true) => {
      const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      // The other way zooms out and in again while it moves, and lays out all words at each step.
      void flow.setViewport(view, { duration: isStill || !isSeen ? 0 : MOVE_MS, interpolate: "linear" });
    };
    const all = () => {
      const drawing = ground.get();
      const { bounds } = drawing;
      const crates = cratesAt(store.get().plan, drawing);
      const right = Math.max(bounds.x + bounds.w + 60, ...crates.map(({ box }) => box.x + box.w));
      const bottom = Math.max(bounds.y + bounds.h + 50, ...crates.map(({ box }) => box.y + box.h));
      return { x: bounds.x, y: bounds.y, w: right - bounds.x, h: bottom - bounds.y };
    };
    return {
      fit(isSeen = true) {
        // Nothing is drawn yet: the line begins at the left, under the words that say so.
        if (store.get().plan.nodes.length === 0)
          return go({ zoom: 1, x: 18, y: Math.max(330, size().height * 0.62) }, isSeen);
        go(fitted(all(), size()), isSeen);
      },
      zoomBy: (factor: number) => go(zoomed(flow.getViewport(), size(), flow.getViewport().zoom * factor)),
      zoomTo: (zoom: number) => go(zoomed(flow.getViewport(), size(), zoom)),
      focus(place: string) {
        const box = boxOf(ground.get(), place);
        if (box) go(focused(box, size(), flow.getViewport().zoom));
      },
      /** Only if it is not in view, and no further than it has to: what comes into view has to be drawn. */
      reveal(place: string) {
        const box = boxOf(ground.get(), place);
        const view = flow.getViewport();
        const next = box ? revealed(box, size(), view) : view;
        if (next !== view) go(next);
      },
    };
  }, [flow, rf, ground, store]);
}
