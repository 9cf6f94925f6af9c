"use client";

// Says what is selected, and when it ends. The wagon itself may be out of view and out of the document.
import { spokenFold } from "./fold-words";
import { spokenTurn } from "./turn-words";
import { spokenStep, useStep } from "./use-step";
import { useFold, useMoreWords, useTopology, useTurn, useYard } from "./yard-context";

export function SelectionSpoken() {
  const { selectedId, matches } = useYard();
  const turn = useTurn(selectedId ?? "");
  const more = useMoreWords(turn);
  const { places } = useTopology();
  const fold = useFold(turn ? undefined : (selectedId ?? undefined));
  const step = useStep(places.get(selectedId ?? "")?.stop ?? "");
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {turn ? spokenTurn(turn, more) : fold ? spokenFold(fold, matches) : step ? spokenStep(step) : ""}
    </p>
  );
}
