"use client";

// What the keyboard does in the yard. Each key is registered, so the help sheet lists exactly what works.
import { useShortcut } from "@/components/ui/shortcuts";
import { useView } from "./view-provider";
import { type Step, walk } from "./walk";
import { useLiveState, useYard } from "./yard-context";

const group = "Yard";

export function YardKeys() {
  const { live, model, matches, selectedId, select, openBox } = useYard();
  const { paused_at: pausedAt } = useLiveState(live);
  const hasSelection = selectedId !== null;

  const go = (step: Step) => {
    const { places, order } = model.getTopology();
    const next = walk({ places, order, matches }, selectedId, step);
    if (next !== null) select(next);
  };
  const openSelected = () => {
    const turn = live.getPicture().turn.get(selectedId ?? "");
    if (turn) openBox(turn.context_box_id);
  };

  useShortcut(["j", "down"], "Turn below", () => go("down"), { group });
  useShortcut(["k", "up"], "Turn above", () => go("up"), { group });
  useShortcut(["i", "left"], "Caller", () => go("caller"), { group, isEnabled: hasSelection });
  useShortcut(["o", "right"], "First that it called", () => go("callee"), { group, isEnabled: hasSelection });
  useShortcut("]", "Next turn", () => go("next"), { group });
  useShortcut("[", "Previous turn", () => go("previous"), { group });
  useShortcut(["b", "enter"], "Open its context box", openSelected, { group, isEnabled: hasSelection });
  useShortcut("esc", "Select nothing", () => select(null), { group, isEnabled: hasSelection });
  useShortcut(
    "space",
    pausedAt === null ? "Pause the picture" : "Resume the picture",
    () => {
      if (pausedAt === null) live.pause();
      else live.resume();
    },
    { group },
  );
  return null;
}

/** Only where there is a canvas to look at. */
export function ViewKeys() {
  const { selectedId } = useYard();
  const { fit, focus, zoomBy } = useView();
  useShortcut("f", "Bring it into view", () => selectedId !== null && focus(selectedId), {
    group,
    isEnabled: selectedId !== null,
  });
  useShortcut("0", "Show all", fit, { group });
  useShortcut(["+", "="], "Larger", () => zoomBy(1.25), { group });
  useShortcut("-", "Smaller", () => zoomBy(0.8), { group });
  return null;
}
