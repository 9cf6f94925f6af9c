"use client";

// The selected turn as the inspector gets it.
import { useCallback, useMemo } from "react";
import { awaitedWords, batchTitle, progressWords } from "./batch-words";
import { belowOf } from "./plan/below";
import {
  useAlarms,
  useBatches,
  useLateWrites,
  useLiveState,
  useRequests,
  useTopology,
  useTurn,
  useYard,
} from "./yard-context";
import type { InspectorSlot } from "./yard-slots";

export function useInspected(variant: InspectorSlot["variant"]): InspectorSlot | null {
  const { projectId, live, model, selectedId, select, isThen } = useYard();
  const { links } = useTopology();
  const { paused_at: pausedAt } = useLiveState(live);
  const turn = useTurn(selectedId ?? "");
  const batches = useBatches();
  const requests = useRequests(selectedId ?? "");
  const alarmsThere = useAlarms(selectedId ?? "");
  // Those of its boxes, cards and batch lead here too, and stand on their own pages.
  const alarms = useMemo(
    () => alarmsThere.filter(({ subject_id }) => subject_id === selectedId),
    [alarmsThere, selectedId],
  );
  const lateCount = useLateWrites(selectedId ?? "").length;
  const getBelow = useCallback(() => {
    const picture = live.getPicture();
    const now = picture.turn.get(selectedId ?? "");
    return now ? belowOf(picture, model.getBatches(), now) : { below: [], running: new Map(), branchOf: null };
  }, [live, model, selectedId]);
  const awaited = useMemo(
    () =>
      [...batches.values()]
        .filter(({ batch }) => batch.status === "running" && batch.parent_agent_turn_id === selectedId)
        .map((view) => ({
          batch_id: view.batch.batch_id,
          name: view.name,
          title: batchTitle(view.batch),
          progress: progressWords(view),
          awaited: awaitedWords(view),
          deadline_at: view.batch.deadline_at,
        })),
    [batches, selectedId],
  );
  if (!turn) return null;
  const batch = batches.get(turn.batch_id ?? "");
  return {
    projectId,
    turn,
    edge: links.get(turn.agent_turn_id)?.edge,
    variant,
    hasTimes: live.getPicture().run.get(turn.root_turn_id)?.metadata.times !== "synthetic",
    pausedAt,
    asOf: isThen ? pausedAt : null,
    awaited,
    branch:
      batch && turn.task_index !== undefined
        ? { batch_id: batch.batch.batch_id, name: batch.name, task: turn.task_index + 1 }
        : null,
    alarms,
    lateCount,
    requestRevs: requests.reduce((sum, request) => sum + request.rev, 0),
    getBelow,
    onSelect: select,
    onClose: () => select(null),
  };
}
