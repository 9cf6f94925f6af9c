"use client";

// Starts a launch from what is on the page. A launch lives in the address (`?launch=…`), so a page need not know the
// launch dialog that reads it.
import { parseAsArrayOf, parseAsString, useQueryStates } from "nuqs";
import { useCallback } from "react";

export type LaunchStart = {
  /** "new:Profile", "reuse:agent" or "clone:agent". */
  target?: string;
  boxes?: readonly string[];
  cards?: readonly string[];
};

export function useLaunchWith(): (start: LaunchStart) => void {
  const [, setLaunch] = useQueryStates(params, { history: "push" });
  return useCallback(
    ({ target, boxes = [], cards = [] }: LaunchStart) => {
      void setLaunch({
        launch: "1",
        target: target ?? null,
        boxes: boxes.length === 0 ? null : [...boxes],
        cards: cards.length === 0 ? null : [...cards],
        // An order or a kind of an earlier launch is not meant.
        load: null,
        kind: null,
      });
    },
    [setLaunch],
  );
}

const params = {
  launch: parseAsString,
  target: parseAsString,
  boxes: parseAsArrayOf(parseAsString),
  cards: parseAsArrayOf(parseAsString),
  load: parseAsString,
  kind: parseAsString,
};
