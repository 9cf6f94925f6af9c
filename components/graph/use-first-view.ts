"use client";

// Where the view begins, and that it is found again: a person who opens a box and comes back stands where they stood.
import { useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { useView } from "./view-provider";
import { detailAt, firstView, type View } from "./viewport";
import { useTopology, useYard } from "./yard-context";
import { ALL_RUNS } from "./yard-turns";

/** By project and scope, for as long as the page lives. */
const remembered = new Map<string, View>();

export function useFirstView(): void {
  const { projectId } = useYard();
  const { jump, getSize, getView, isFollowing, hold } = useView();
  const topology = useTopology();
  const hasSize = useStore((state) => state.width > 0);
  const isEmpty = topology.order.length === 0;
  const key = `${projectId} ${topology.scope}`;
  const begun = useRef<string | null>(null);
  const { bounds } = topology;

  useEffect(() => {
    if (!hasSize || isEmpty) return;
    if (begun.current !== key) {
      begun.current = key;
      const known = remembered.get(key);
      if (known) hold();
      jump(known ?? firstView(bounds, getSize(), topology.scope === ALL_RUNS ? "newest" : "first"));
      return;
    }
    if (!isFollowing()) return;
    const next = firstView(bounds, getSize(), "first");
    // A run that has outgrown the screen is no longer followed: it would shrink under the person's eyes.
    if (detailAt(next.zoom) === detailAt(getView().zoom) || next.zoom >= 0.7) jump(next);
    else hold();
  }, [hasSize, isEmpty, key, bounds, topology.scope, jump, getSize, getView, isFollowing, hold]);

  useEffect(
    () => () => {
      if (begun.current === key && !isFollowing()) remembered.set(key, getView());
    },
    [key, getView, isFollowing],
  );
}
