"use client";

// Zoom, fit and a fresh arrangement, at the lower left.
import { useStore } from "@xyflow/react";
import type { ReactNode } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { useYard } from "../yard-context";
import { FoldMenu } from "./fold-menu";
import { useView } from "./view-provider";

const STEP = 1.25;

/** `children`: what only one of the pictures has. */
export function ZoomBar({ children }: { children?: ReactNode }) {
  const { zoomBy, zoomTo, fit } = useView();
  const percent = useStore((state) => Math.round(state.transform[2] * 100));
  return (
    <div className="yard-float zoom-bar" role="toolbar" aria-label="View">
      <IconButton icon="minus" label="Smaller" keys="-" iconSize={15} onClick={() => zoomBy(1 / STEP)} />
      <button
        type="button"
        className="zoom-figure"
        title="Life size"
        aria-label={`${percent} percent, set to 100`}
        onClick={() => zoomTo(1)}
      >
        {percent}%
      </button>
      <IconButton icon="plus" label="Larger" keys="+" iconSize={15} onClick={() => zoomBy(STEP)} />
      <i aria-hidden className="mx-0.5 h-4 w-px bg-line-2" />
      <IconButton icon="fit" label="Show all" keys="0" iconSize={15} onClick={fit} />
      {children}
    </div>
  );
}

/** Of the plan. */
export function PlanTools() {
  const { model, selectedId } = useYard();
  return (
    <>
      <FoldMenu />
      <IconButton icon="layout" label="Arrange again" iconSize={15} onClick={() => model.retidy(selectedId)} />
    </>
  );
}
