"use client";

// Zoom, fit and tidy, at the lower left.
import { useStore } from "@xyflow/react";
import { IconButton } from "@/components/ui/icon-button";
import { LegendButton } from "../legend/legend-button";
import type { DrawingView } from "./use-view";

const STEP = 1.25;

export function ZoomBar({ view, onTidy }: { view: DrawingView; onTidy: (() => void) | null }) {
  const percent = useStore((state) => Math.round(state.transform[2] * 100));
  return (
    <div className="yard-float zoom-bar" role="toolbar" aria-label="View">
      <IconButton icon="minus" label="Smaller" keys="-" iconSize={15} onClick={() => view.zoomBy(1 / STEP)} />
      <button
        type="button"
        className="zoom-figure"
        title="Life size"
        aria-label={`${percent} percent, set to 100`}
        onClick={() => view.zoomTo(1)}
      >
        {percent}%
      </button>
      <IconButton icon="plus" label="Larger" keys="+" iconSize={15} onClick={() => view.zoomBy(STEP)} />
      <i aria-hidden className="mx-0.5 h-4 w-px bg-line-2" />
      <IconButton icon="fit" label="Show all" keys="0" iconSize={15} onClick={() => view.fit()} />
      {onTidy ? <IconButton icon="layout" label="Tidy" keys="alt+t" iconSize={15} onClick={onTidy} /> : null}
      <LegendButton />
    </div>
  );
}
