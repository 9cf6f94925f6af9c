"use client";

// What must be in the document: slightly more than is on the screen.
import { useStore } from "@xyflow/react";
import { useMemo } from "react";
import type { Box } from "@/components/ground/geometry";
import { detailAt, drawnBox } from "@/components/ground/viewport";

/** Null before there is a size, and where blocks are painted instead, which `always` does not. */
export function useDrawnArea(when: "unless_blocks" | "always" = "unless_blocks"): Box | null {
  const key = useStore(({ transform: [x, y, zoom], width, height }) => {
    if (width === 0 || (when === "unless_blocks" && detailAt(zoom) === "block")) return "";
    const box = drawnBox({ x, y, zoom }, { width, height });
    return `${box.x} ${box.y} ${box.w} ${box.h}`;
  });
  return useMemo(() => {
    if (key === "") return null;
    const [x = 0, y = 0, w = 0, h = 0] = key.split(" ").map(Number);
    return { x, y, w, h };
  }, [key]);
}
