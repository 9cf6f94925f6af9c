"use client";

// Where the view begins, and how it is restored: a person who opens a box and comes back sees the same part of the yard.
import { useStore, useStoreApi } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";
import type { Box } from "@/components/ground/geometry";
import { firstView, freeBox, growing, holds, type Size, STEADY_FROM, type View } from "@/components/ground/viewport";
import { isEnded } from "@/server/contract/turn";
import { ALL_RUNS, type Scope } from "../plan/yard-turns";
import { useTopology, useYard } from "../yard-context";
import { useView } from "./view-provider";

/** By project and scope, for as long as the page lives. */
const remembered = new Map<string, View>();

export function useFirstView(): void {
  const { projectId, model } = useYard();
  const { jump, glide, getSize, getView, isFollowing, hold, follow } = useView();
  const topology = useTopology();
  const hasSize = useStore((state) => state.width > 0);
  const isEmpty = topology.order.length === 0;
  const key = `${projectId} ${topology.scope}`;
  const begun = useRef<string | null>(null);
  const { bounds, scope } = topology;
  const figuresHeight = useFiguresHeight(hasSize);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a first alarm gives the figures a second line, which hides the first track
  useEffect(() => {
    if (!hasSize || isEmpty) return;
    const isRunning = model.getTurns().some((turn) => !isEnded(turn.status));
    if (begun.current !== key) {
      begun.current = key;
      const known = remembered.get(key);
      if (known) hold();
      else follow();
      jump(known ?? beginning(scope, isRunning, bounds, getSize()));
      return;
    }
    if (!isFollowing() || holds(freeBox(getView(), getSize()), bounds)) return;
    const next = growing(bounds, getSize());
    // A run larger than the screen is no longer followed: it would shrink while the person looks at it.
    if (scope !== ALL_RUNS && next.zoom >= STEADY_FROM) glide(next);
    else hold();
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

function useFiguresHeight(hasSize: boolean): number {
  const store = useStoreApi();
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const figures = hasSize ? store.getState().domNode?.querySelector<HTMLElement>(".yard-stats") : null;
    if (!figures) return;
    const observer = new ResizeObserver(() => setHeight(figures.offsetHeight));
    observer.observe(figures);
    return () => observer.disconnect();
  }, [store, hasSize]);
  return height;
}

function beginning(scope: Scope, isRunning: boolean, bounds: Box, size: Size): View {
  if (scope === ALL_RUNS) return firstView(bounds, size, "newest");
  const whole = firstView(bounds, size, "first");
  return isRunning && whole.zoom >= STEADY_FROM ? growing(bounds, size) : whole;
}
