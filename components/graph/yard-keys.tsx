"use client";

// What the keyboard does in the yard. Each key is registered, so the help sheet lists exactly what works.
import { useShortcut } from "@/components/ui/shortcuts";
import type { TurnFrame } from "@/server/contract/frame";
import { type Step, walk } from "./plan/walk";
import type { YardModel } from "./plan/yard-model";
import { useTour } from "./tour/tour";
import { useBatches, useLiveState, useYard } from "./yard-context";
import { useIsTree } from "./yard-views";

const group = "Yard";

export function YardKeys() {
  const { live, model, matches, selectedId, select, openBox, openTurn, toggleFold } = useYard();
  const { paused_at: pausedAt } = useLiveState(live);
  // A fork may come while its caller is selected.
  useBatches();
  const hasSelection = selectedId !== null;
  const isTouring = useTour().step !== null;
  const isTree = useIsTree();

  const go = (step: Step) => {
    const { places, order, routes, stops } = model.getTopology();
    const next = walk({ places, order, routes, stops, matches }, selectedId, step);
    if (next !== null) select(next);
  };
  const openSelected = () => {
    const turn = live.getPicture().turn.get(selectedId ?? "");
    if (turn) openBox(turn.context_box_id);
  };

  const foldable = foldableOf(model, live.getPicture().turn.get(selectedId ?? ""));

  // The table has its own arrows: its rows stand otherwise than the plan's wagons.
  useShortcut(["j", "down"], "Turn below", () => go("down"), { group, isEnabled: !isTree });
  useShortcut(["k", "up"], "Turn above", () => go("up"), { group, isEnabled: !isTree });
  useShortcut(isTree ? "i" : ["i", "left"], "Caller", () => go("caller"), { group, isEnabled: hasSelection });
  useShortcut(isTree ? "o" : ["o", "right"], "First turn it called", () => go("callee"), {
    group,
    isEnabled: hasSelection,
  });
  useShortcut("]", "Next turn", () => go("next"), { group });
  useShortcut("[", "Previous turn", () => go("previous"), { group });
  useShortcut("enter", "Open the turn", () => selectedId !== null && openTurn(selectedId), {
    group,
    isEnabled: hasSelection,
  });
  useShortcut("b", "Open its context box", openSelected, { group, isEnabled: hasSelection });
  useShortcut("z", "Fold or unfold its batch", () => foldable && toggleFold(foldable), {
    group,
    isEnabled: foldable !== undefined,
  });
  useShortcut("esc", "Clear selection", () => select(null), { group, isEnabled: hasSelection && !isTouring });
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

/** The batch it stands in, else the last one it forked. */
function foldableOf(model: YardModel, turn: TurnFrame | undefined): string | undefined {
  if (!turn) return undefined;
  const { blocks } = model.getTopology();
  const own = turn.batch_id;
  if (own !== undefined && model.getBatches().get(own)?.batch.tool_name === "fork_join") return own;
  return [...blocks.values()].filter((block) => block.parent === turn.agent_turn_id).at(-1)?.id;
}
