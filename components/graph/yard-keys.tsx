"use client";

// What the keyboard does in the yard. Each key is registered, so the help sheet lists exactly what works.
import { useShortcut } from "@/components/ui/shortcuts";
import { foldableAt } from "./plan/fold-ways";
import { isShut } from "./plan/folds";
import { type Step, walk } from "./plan/walk";
import { useTour } from "./tour/tour";
import { foldGround } from "./use-folding";
import { useHandOverKey } from "./use-hand-over-key";
import { useBatches, useLiveState, useYard } from "./yard-context";
import { useOtherView } from "./yard-views";

const group = "Yard";

export function YardKeys() {
  const yard = useYard();
  const { live, model, lens, edge, setEdge, matches, selectedId, select, openBox, openTurn } = yard;
  const { folds, setFold, foldAll, isThen, ways } = yard;
  useYard();
  const { paused_at: pausedAt } = useLiveState(live);
  // A fork may come while its caller is selected.
  useBatches();
  const hasSelection = selectedId !== null;
  const isTouring = useTour().step !== null;
  // Table, lanes and agents have arrows of their own: their rows stand otherwise than the plan's wagons.
  const isPlan = useOtherView() === null && lens !== "agents";

  const go = (step: Step) => {
    const next = walk({ ...model.getTopology(), matches }, selectedId, step);
    if (next !== null) select(next);
  };
  const openSelected = () => {
    const turn = live.getPicture().turn.get(selectedId ?? "");
    if (turn) openBox(turn.context_box_id);
  };

  const topology = model.getTopology();
  const foldable = foldableAt({ ...topology, ...foldGround(live, model) }, selectedId);
  const isFolded = topology.blocks.get(selectedId ?? "")?.is_folded === true;
  const isCaller = selectedId !== null && (topology.places.get(selectedId)?.entries.length ?? 0) > 0;
  const isShutNow = selectedId !== null && isShut(folds, selectedId);

  useShortcut(["j", "down"], "Turn below", () => go("down"), { group, isEnabled: isPlan });
  useShortcut(["k", "up"], "Turn above", () => go("up"), { group, isEnabled: isPlan });
  useShortcut(isPlan ? ["i", "left"] : "i", "Caller", () => go("caller"), { group });
  useShortcut(isPlan ? ["o", "right"] : "o", "First turn it called", () => go("callee"), { group });
  useShortcut("]", "Next turn", () => go("next"), { group });
  useShortcut("[", "Previous turn", () => go("previous"), { group });
  const enter = () => {
    if (selectedId === null) return;
    if (isFolded) setFold(selectedId, false);
    else openTurn(selectedId);
  };
  useShortcut("enter", isFolded ? "Unfold the wagon" : "Open the turn", enter, { group, isEnabled: hasSelection });
  useShortcut("b", "Open its context box", openSelected, { group, isEnabled: hasSelection });
  useHandOverKey({
    label: isFolded ? "Open the first hand-over of the wagon" : "Open its hand-over",
    isEnabled: hasSelection && edge === null,
    getTurns() {
      const fold = model.getFolds().get(selectedId ?? "");
      const turn = live.getPicture().turn.get(selectedId ?? "");
      return isFolded ? (fold?.turns ?? []) : turn ? [turn] : [];
    },
  });
  useShortcut(
    "z",
    "Fold or unfold its batch, or calls alike",
    () => foldable && setFold(foldable, !model.getFolds().has(foldable)),
    {
      group,
      isEnabled: foldable !== undefined,
    },
  );
  useShortcut("shift+z", "Fold or unfold all it called", () => selectedId !== null && setFold(selectedId, !isShutNow), {
    group,
    isEnabled: isCaller || isShutNow,
  });
  useShortcut("<", "Fold all", () => foldAll("all"), { group });
  useShortcut(">", "Unfold all", () => foldAll("none"), { group });
  // Out by one level: the edge first, then the moment, then what is selected in it.
  const out = () => (edge !== null ? setEdge(null) : isThen ? ways.settle(null) : select(null));
  useShortcut("esc", edge === null && isThen ? "Back to live" : "Clear selection", out, {
    group,
    isEnabled: (edge !== null || isThen || hasSelection) && !isTouring,
  });
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
