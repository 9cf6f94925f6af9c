"use client";

// What is being put together, read from the URL and written back to it.
import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { type LaunchTarget, launchParams } from "./launch-url";

export type Launch = {
  isOpen: boolean;
  target: LaunchTarget | null;
  boxes: readonly string[];
  cards: readonly string[];
  open: () => void;
  close: () => void;
  setTarget: (target: LaunchTarget | null) => void;
  setBoxes: (boxes: readonly string[]) => void;
  setCards: (cards: readonly string[]) => void;
};

export function useLaunch(): Launch {
  const [state, setState] = useQueryStates(launchParams);
  return useMemo(
    () => ({
      isOpen: state.launch !== null,
      target: state.target,
      boxes: state.boxes,
      cards: state.cards,
      // Pushed, so that Back closes it; what is chosen meanwhile replaces that one entry.
      open: () => void setState({ launch: "1" }, { history: "push" }),
      close: () => void setState({ launch: null, target: null, boxes: null, cards: null }),
      setTarget: (target) => void setState({ target }),
      setBoxes: (boxes) => void setState({ boxes: boxes.length === 0 ? null : [...boxes] }),
      setCards: (cards) => void setState({ cards: cards.length === 0 ? null : [...cards] }),
    }),
    [state, setState],
  );
}
