"use client";

// The selected turn as the inspector gets it.
import { useLiveState, useTopology, useTurn, useYard } from "./yard-context";
import type { InspectorSlot } from "./yard-slots";

export function useInspected(variant: InspectorSlot["variant"]): InspectorSlot | null {
  const { projectId, live, selectedId, select } = useYard();
  const { links } = useTopology();
  const { paused_at: pausedAt } = useLiveState(live);
  const turn = useTurn(selectedId ?? "");
  if (!turn) return null;
  return {
    projectId,
    turn,
    edge: links.get(turn.agent_turn_id)?.edge,
    variant,
    hasTimes: live.getPicture().run.get(turn.root_turn_id)?.metadata.times !== "synthetic",
    pausedAt,
    onSelect: select,
    onClose: () => select(null),
  };
}
