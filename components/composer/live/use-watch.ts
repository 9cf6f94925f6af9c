"use client";

// A run that is watched where it was drawn: what is changed in it, what a fork of it would run, and which run it is compared with.
import { useMemo, useState } from "react";
import type { RunDrawing } from "@/server/contract/plan/run-drawing";
import type { DrawingStore } from "../draft/drawing-store";
import { noHistory } from "../draft/history";
import { usePick } from "../small-store";
import { compareRuns } from "./comparison";
import { forkedPlaces, type LivePlace, livePlaces } from "./live-words";
import { useForkCheck } from "./use-fork-check";
import { useRunActions } from "./use-run-actions";
import { useRunDrawing } from "./use-run-drawing";
import { opsOf, type RunMode, refusalOf, useRunStore } from "./use-run-store";

export type WatchInput = {
  projectId: string;
  drawn: DrawingStore;
  /** Root turns: of the run, and of the one it is compared with. */
  root: string | null;
  beside: string | null;
  isFork: boolean;
  /** What the address selected. */
  first: readonly string[];
  onForked: (rootTurnId: string) => void;
};

export type Watch = NonNullable<ReturnType<typeof useWatch>["watch"]>;

export function useWatch({ projectId, drawn, root, beside, isFork, first, onForked }: WatchInput) {
  const { drawing: watched, error } = useRunDrawing(projectId, root);
  const other = useRunDrawing(projectId, root === null ? null : beside);
  const isOver = watched !== null && watched.run.status !== "running";
  const mode: RunMode = isFork || isOver ? "fork" : "edit";
  const store = useRunStore(watched, mode, drawn, first);
  const history = usePick(store ?? drawn, (state) => (store === null ? noHistory : state.history));
  const [force, setForce] = useState<readonly string[]>([]);
  const steps = store ? history.past.length : 0;
  // A run that is over is only looked at until something is changed, or a fork is asked for.
  const asked = useMemo(
    () => (watched && mode === "fork" && (isFork || steps > 0) ? { ops: opsOf({ history }), force } : null),
    [watched, mode, isFork, steps, history, force],
  );
  const check = useForkCheck(projectId, watched?.run.plan_run_id ?? "", asked);
  const actions = useRunActions({ projectId, watched, store, onForked });
  const comparison = useMemo(
    () => (watched && other.drawing && beside !== null ? compareRuns(watched, other.drawing) : null),
    [watched, other.drawing, beside],
  );
  const places = useMemo<ReadonlyMap<string, LivePlace> | null>(() => {
    if (!watched) return null;
    const now = livePlaces(watched);
    for (const { place, verdict } of comparison?.places ?? []) {
      const live = now.get(place);
      if (live) now.set(place, { ...live, compared: verdict });
    }
    return asked ? forkedPlaces(now, check.byPlace, watched.run_number) : now;
  }, [watched, comparison, asked, check.byPlace]);
  const refusal = useMemo(
    () => (watched && store && mode === "edit" && steps > 0 ? refusalOf(watched, mode, opsOf({ history })) : null),
    [watched, store, mode, steps, history],
  );
  const watch =
    watched && store
      ? {
          watched,
          store,
          mode,
          /** Gestures that were not sent. */
          steps,
          /** Why they cannot be sent any more; null = they can. */
          refusal,
          isForking: asked !== null,
          force,
          setForce,
          check,
          actions,
          comparison,
          besideNumber: other.drawing?.run_number ?? 0,
        }
      : null;
  return { watch, places, error: error ?? (beside === null ? null : other.error) };
}

/** What it is compared with when nobody has named one: the run that it is a fork of, or the newest fork of it. */
export const kinOf = ({ source, forks }: RunDrawing): string | null =>
  source?.root_turn_id ?? forks[0]?.root_turn_id ?? null;
