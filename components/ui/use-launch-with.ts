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
  /** The name of a context pack. */
  pack?: string;
  /** The root turn of the run that it is added to; absent = a run of its own. */
  into?: string;
};

export function useLaunchWith(): (start: LaunchStart) => void {
  const [, setLaunch] = useQueryStates(params, { history: "push" });
  return useCallback(
    ({ target, boxes = [], cards = [], pack, into }: LaunchStart) => {
      void setLaunch({
        launch: "1",
        target: target ?? null,
        into: into ?? null,
        context_pack: pack ?? null,
        // Packing, which is open while `pack` is there, is over.
        pack: null,
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
  into: parseAsString,
  context_pack: parseAsString,
  pack: parseAsString,
  boxes: parseAsArrayOf(parseAsString),
  cards: parseAsArrayOf(parseAsString),
  load: parseAsString,
  kind: parseAsString,
};
