"use client";

// Says what is selected, and when it ends. The wagon itself may be out of view and out of the document.
import { spokenTurn } from "./turn-words";
import { useMoreWords, useTurn, useYard } from "./yard-context";

export function SelectionSpoken() {
  const { selectedId } = useYard();
  const turn = useTurn(selectedId ?? "");
  const more = useMoreWords(turn);
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {turn ? spokenTurn(turn, more) : ""}
    </p>
  );
}
