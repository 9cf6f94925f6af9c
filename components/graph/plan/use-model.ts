"use client";

// The yard's model of the scope that is looked at, and its turns as they are now.
import { useMemo, useSyncExternalStore } from "react";
import type { TurnFrame } from "@/server/contract/frame";
import type { LivePicture } from "../live/live-picture";
import type { Folds } from "./folds";
import { createYardModel, type YardModel } from "./yard-model";
import type { Scope } from "./yard-turns";

export function useModel(
  live: LivePicture,
  scope: Scope | undefined,
  folds: Folds,
): { model: YardModel; turns: readonly TurnFrame[] } {
  const model = useMemo(() => modelOf(live, scope ?? "", folds), [live, scope, folds]);
  const turns = useSyncExternalStore(model.subscribe, model.getTurns, model.getTurns);
  // Where things stand may change without a turn: a plan is known, or was edited.
  useSyncExternalStore(model.subscribe, model.getTopology, model.getTopology);
  return { model, turns };
}

/**
 * Kept while the picture is: whoever looks at another run and comes back finds every turn where it stood, and whoever
 * unfolds a batch again finds it as it was.
 */
function modelOf(live: LivePicture, scope: Scope, folds: Folds): YardModel {
  const models = known.get(live) ?? new Map<string, YardModel>();
  known.set(live, models);
  const key = [scope, ...[...folds].sort()].join(" ");
  const model = models.get(key) ?? createYardModel(live, scope, folds);
  models.set(key, model);
  return model;
}

const known = new WeakMap<LivePicture, Map<string, YardModel>>();
