"use client";

// Folding as a person asks for it: the address takes the wish, and what was selected is still where the keyboard is.
import type { SetValues } from "nuqs";
import { type RefObject, useCallback, useEffect, useMemo } from "react";
import type { LivePicture } from "./live/live-picture";
import { type FoldGround, folding, openedTo } from "./plan/fold-ways";
import { ALL, type Folds, NONE } from "./plan/folds";
import type { YardModel } from "./plan/yard-model";
import type { Yard } from "./yard-context";
import type { yardParams } from "./yard-url";

type SetParams = SetValues<typeof yardParams>;

/** What wishes to fold are about. */
export function foldGround(live: LivePicture, model: YardModel): FoldGround {
  const { turn, batch } = live.getPicture();
  const { links, alike, stretches } = model.getTopology();
  return { turnOf: (id) => turn.get(id), batchOf: (id) => batch.get(id), links, alike, stretches };
}

export function useFolding(
  live: LivePicture,
  model: YardModel,
  setParams: SetParams,
  chosen: RefObject<string | null>,
): Pick<Yard, "setFold" | "foldAll"> {
  const setFold = useCallback(
    (id: string, shall: boolean) =>
      void setParams(({ fold, turn }) => {
        // A wagon that is gone can hold no focus: its first turn takes it.
        const first = turn === id && !shall ? firstOf(model, id) : undefined;
        if (first !== undefined) chosen.current = first;
        return { fold: folding(foldGround(live, model), fold, id, shall), ...(first !== undefined && { turn: first }) };
      }),
    [live, model, setParams, chosen],
  );
  const foldAll = useCallback(
    (what: "all" | "none" | "itself") =>
      void setParams({ fold: what === "all" ? [ALL] : what === "none" ? [NONE] : [] }),
    [setParams],
  );
  return useMemo(() => ({ setFold, foldAll }), [setFold, foldAll]);
}

/** Of a turn that holds what it called nothing is gone. */
function firstOf(model: YardModel, id: string): string | undefined {
  const view = model.getFolds().get(id);
  if (!view || view.kind === "below" || view.kind === "stretch") return undefined;
  const first = view.batch?.lanes.find((lane) => lane.turn)?.turn ?? view.turns[0];
  return first?.agent_turn_id;
}

type Asked = { turn: string | null; folds: Folds; chosen: RefObject<string | null>; setParams: SetParams };

/** A link leads to a turn, and not to a wagon that holds it. What is chosen here, in the timeline say, unfolds nothing. */
export function useWayOpened(live: LivePicture, model: YardModel, { turn, folds, chosen, setParams }: Asked): void {
  const holder = turn === null ? undefined : model.getTopology().held.get(turn);
  // Who sent the link with the wagon folded meant it so.
  const isHeld = holder !== undefined && !folds.includes(holder);
  useEffect(() => {
    if (turn === null || !isHeld || chosen.current === turn) return;
    chosen.current = turn;
    const open = openedTo(foldGround(live, model), folds, turn);
    if (open !== folds) void setParams({ fold: [...open] });
  }, [live, model, turn, isHeld, folds, chosen, setParams]);
}
