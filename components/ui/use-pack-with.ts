"use client";

// Starts packing from what is on the page. It lives in the address (`?pack=…`), so a page need not know the dialog that
// reads it.
import { parseAsArrayOf, parseAsString, useQueryStates } from "nuqs";
import { useCallback } from "react";

export type PackStart = { boxes?: readonly string[]; cards?: readonly string[] };

export function usePackWith(): (start: PackStart) => void {
  const [, setPack] = useQueryStates(params, { history: "push" });
  return useCallback(
    ({ boxes = [], cards = [] }: PackStart) => {
      void setPack({
        pack: "1",
        boxes: boxes.length === 0 ? null : [...boxes],
        cards: cards.length === 0 ? null : [...cards],
        load: null,
      });
    },
    [setPack],
  );
}

const params = {
  pack: parseAsString,
  boxes: parseAsArrayOf(parseAsString),
  cards: parseAsArrayOf(parseAsString),
  load: parseAsString,
};
