"use client";

// Selecting never moves the view, so a selection that lies outside of it says so and offers the way.
import { useStore } from "@xyflow/react";
import { Kbd } from "@/components/ui/kbd";
import { Plate } from "@/components/ui/plate";
import { berthBox } from "./geometry";
import { meets } from "./spatial";
import { useView } from "./view-provider";
import { seenBox } from "./viewport";
import { useTopology, useTurn, useYard } from "./yard-context";

export function OutOfView() {
  const { selectedId } = useYard();
  const { places } = useTopology();
  const { focus } = useView();
  const turn = useTurn(selectedId ?? "");
  const place = places.get(selectedId ?? "");
  const isOut = useStore(
    ({ transform: [x, y, zoom], width, height }) =>
      place !== undefined && width > 0 && !meets(berthBox(place), seenBox({ x, y, zoom }, { width, height })),
  );
  if (!turn || !isOut) return null;
  return (
    <button
      type="button"
      className="yard-float bottom-[14px] left-1/2 h-[30px] -translate-x-1/2 gap-2 rounded-2 bg-sheet px-2.5 text-ink-2 shadow-lift-2 hover:text-ink"
      onClick={() => focus(turn.agent_turn_id)}
    >
      <Plate code={turn.headcode} tone="ink" /> is out of view
      <Kbd keys="f" />
    </button>
  );
}
