"use client";

// Selecting never moves the view, so a selection that lies outside of it says so and offers the way.
import { useStore } from "@xyflow/react";
import { berthBox } from "@/components/ground/geometry";
import { meets } from "@/components/ground/spatial";
import { seenBox } from "@/components/ground/viewport";
import { Kbd } from "@/components/ui/kbd";
import { Plate } from "@/components/ui/plate";
import { useFold, useTopology, useTurn, useYard } from "../yard-context";
import { useView } from "./view-provider";

export function OutOfView() {
  const { selectedId } = useYard();
  const { places, held } = useTopology();
  const { focus } = useView();
  const turn = useTurn(selectedId ?? "");
  const place = places.get(selectedId ?? "");
  const isOut = useStore(
    ({ transform: [x, y, zoom], width, height }) =>
      place !== undefined && width > 0 && !meets(berthBox(place), seenBox({ x, y, zoom }, { width, height })),
  );
  const holder = held.get(selectedId ?? "");
  if (turn && holder !== undefined) return <InFolded code={turn.headcode} holder={holder} />;
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

function InFolded({ code, holder }: { code: string; holder: string }) {
  const { setFold } = useYard();
  const fold = useFold(holder);
  return (
    <button
      type="button"
      className="yard-float bottom-[14px] left-1/2 h-[30px] -translate-x-1/2 gap-2 rounded-2 bg-sheet px-2.5 text-ink-2 shadow-lift-2 hover:text-ink"
      onClick={() => setFold(holder, false)}
    >
      <Plate code={code} tone="ink" /> is in the folded {fold?.name}, unfold
      <Kbd keys="z" />
    </button>
  );
}
