"use client";

// The tour on a desk: what a step points at is brought into the part of the canvas that its panel leaves free.
import { useStore } from "@xyflow/react";
import { useCallback } from "react";
import { berthBox, frameBox, union } from "@/components/ground/geometry";
import { fitted } from "@/components/ground/viewport";
import { useView } from "../canvas/view-provider";
import { useYard } from "../yard-context";
import { Tour } from "./tour";
import type { TourPlace } from "./tour-panel";

const PANEL_H = 170;

export function DeskTour() {
  const { model } = useYard();
  const { glide, hold, getSize } = useView();
  const hasSize = useStore((state) => state.width > 0);
  const show = useCallback(
    ({ turns, batch }: TourPlace) => {
      const { places, blocks, bounds } = model.getTopology();
      const block = blocks.get(batch ?? "");
      const boxes = turns.flatMap((id) => places.get(id) ?? []).map(berthBox);
      if (block) boxes.push(block.is_folded ? berthBox(block) : frameBox(block));
      const [first = bounds, ...others] = boxes;
      const { width, height } = getSize();
      hold();
      glide(fitted(others.reduce(union, first), { width, height: Math.max(height - PANEL_H, height / 2) }));
    },
    [model, glide, hold, getSize],
  );
  return hasSize ? <Tour isPhone={false} show={show} /> : null;
}
