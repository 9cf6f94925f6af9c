"use client";

// The yard's model of the scope that is looked at, and its turns as they are now.
import { useMemo, useSyncExternalStore } from "react";
import type { TurnFrame } from "@/server/contract/frame";
import type { LivePicture } from "./live-picture";
import { createYardModel, type YardModel } from "./yard-model";
import type { Scope } from "./yard-turns";

export function useModel(
  live: LivePicture,
  scope: Scope | undefined,
): { model: YardModel; turns: readonly TurnFrame[] } {
  const model = useMemo(() => modelOf(live, scope ?? ""), [live, scope]);
  const turns = useSyncExternalStore(model.subscribe, model.getTurns, model.getTurns);
  return { model, turns };
}

/** Kept while the picture is: whoever looks at another run and comes back finds every turn where it stood. */
function modelOf(live: LivePicture, scope: Scope): YardModel {
  const models = known.get(live) ?? new Map<Scope, YardModel>();
  known.set(live, models);
  const model = models.get(scope) ?? createYardModel(live, scope);
  models.set(scope, model);
  return model;
}

const known = new WeakMap<LivePicture, Map<Scope, YardModel>>();
