"use client";

// The keys that move the view. Apart from the other keys of the yard: these come with the canvas, and so does its library.
import { useShortcut } from "@/components/ui/shortcuts";
import { useYard } from "../yard-context";
import { useView } from "./view-provider";

const group = "Yard";

/** `ofId`: what `f` brings into view, if not the selected turn. */
export function ViewKeys({ ofId }: { ofId?: string | null }) {
  const yard = useYard();
  const selectedId = ofId === undefined ? yard.selectedId : ofId;
  const { fit, focus, zoomBy } = useView();
  useShortcut("f", "Scroll into view", () => selectedId !== null && focus(selectedId), {
    group,
    isEnabled: selectedId !== null,
  });
  useShortcut("0", "Show all", fit, { group });
  useShortcut(["+", "="], "Larger", () => zoomBy(1.25), { group });
  useShortcut("-", "Smaller", () => zoomBy(0.8), { group });
  return null;
}
