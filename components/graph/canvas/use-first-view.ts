"use client";

// Where the view begins, and how it is restored: a person who opens a box and comes back sees the same part of the yard.
import { useStore, useStoreApi } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";
import type { Box } from "@/components/ground/geometry";
import {
  firstView,
  freeBox,
  growing,
  holds,
  lowered,
  type Size,
  STEADY_FROM,
  type View,
} from "@/components/ground/viewport";
import { isEnded } from "@/server/contract/turn";
import { ALL_RUNS, type Scope } from "../plan/yard-turns";
import { useTopology, useYard, type Yard } from "../yard-context";
import { useView } from "./view-provider";

/** By project and scope, for as long as the page lives. */
const remembered = new Map<string, View>();

export function useFirstView(): void {
  const { projectId, model, lens } = useYard();
  const { jump, glide, getSize, getView, isFollowing, hold, follow } = useView();
  const topology = useTopology();
  const hasSize = useStore((state) => state.width > 0);
  const isEmpty = topology.order.length === 0;
  const key = `${projectId} ${topology.scope}`;
  const begun = useRef<string | null>(null);
  const { bounds, scope } = topology;
  const figuresHeight = useFiguresHeight(hasSize, lens);
  const figuresEnd = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a first alarm gives the figures a second line, which hides the first track
  useEffect(() => {
    if (!hasSize || isEmpty) return;
    const end = getSize().top ?? 0;
    const before = figuresEnd.current;
    figuresEnd.current = end;
    const isRunning = model.getTurns().some((turn) => !isEnded(turn.status));
    if (begun.current !== key) {
      begun.current = key;
      const known = remembered.get(key);
      if (known) hold();
      else follow();
      jump(known ?? beginning(scope, isRunning, bounds, getSize()));
      return;
    }
    if (isFollowing()) {
      if (holds(freeBox(getView(), getSize()), bounds)) return;
      const next = growing(bounds, getSize());
      if (scope !== ALL_RUNS && next.zoom >= STEADY_FROM) {
        glide(next);
        return;
      }
      // A run larger than the screen is no longer followed: it would shrink while the person looks at it.
      hold();
    }
    // A line of alarms used to cover the first wagons of such a run, and of one that a person had moved, until it was read anew.
    const view = getView();
    const next = lowered(view, bounds, before, end);
    if (next !== view) jump(next);
  }, [
    hasSize,
    isEmpty,
    key,
    scope,
    bounds,
    figuresHeight,
    model,
    jump,
    glide,
    getSize,
    getView,
    isFollowing,
    hold,
    follow,
  ]);

  useEffect(
    () => () => {
      if (begun.current === key && !isFollowing()) remembered.set(key, getView());
    },
    [key, getView, isFollowing],
  );
}

/** Each lens has figures of its own: those of the lens before told nothing any more. */
function useFiguresHeight(hasSize: boolean, lens: Yard["lens"]): number {
  const store = useStoreApi();
  const [height, setHeight] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const figures = hasSize ? store.getState().domNode?.querySelector<HTMLElement>(".yard-stats") : null;
    if (!figures) return;
    const observer = new ResizeObserver(() => setHeight(figures.offsetHeight));
    observer.observe(figures);
    return () => observer.disconnect();
  }, [store, hasSize, lens]);
  return height;
}

function beginning(scope: Scope, isRunning: boolean, bounds: Box, size: Size): View {
  if (scope === ALL_RUNS) return firstView(bounds, size, "newest");
  const whole = firstView(bounds, size, "first");
  return isRunning && whole.zoom >= STEADY_FROM ? growing(bounds, size) : whole;
}
