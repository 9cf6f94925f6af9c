"use client";

// How a place looks while something is dragged: lit where it may be dropped, dim with the reason where it may not.
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { useComposer } from "../composer-context";
import { usePick } from "../small-store";
import type { Drag } from "./drag";

export type DragLook = { kind: "refused"; words: string } | { kind: "lit" } | null;

export function useDragLook(place: string): DragLook {
  const { drag } = useComposer();
  const key = usePick(drag, (now) => lookKey(now, place));
  return key === null ? null : key === "" ? { kind: "lit" } : { kind: "refused", words: key };
}

/** A text that stays the same for as long as the look does. */
function lookKey(drag: Drag | null, place: string): string | null {
  if (drag === null) return null;
  if (drag.kind === "couple") {
    if (drag.from === place) return null;
    const refusal = drag.refusals.get(place) ?? drag.refusals.get(nodeIdOf(place));
    return refusal ?? "";
  }
  if (drag.kind === "link") return drag.refusals.get(place) ?? drag.refusals.get(nodeIdOf(place)) ?? "";
  if (drag.kind !== "item") return null;
  const isOver =
    (drag.over.kind === "wagon" && drag.over.place === place) ||
    (drag.over.kind === "frame" && drag.over.fork === place);
  return isOver ? "" : null;
}
