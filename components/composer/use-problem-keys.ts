"use client";

// The keys for problems: F8 leads to the field where the next one is mended, and Ctrl and the full stop apply the first remedy.
import { useCallback, useRef } from "react";
import { placeOfProblem } from "@/server/contract/plan/problem";
import { useComposer } from "./composer-context";
import { fieldsOf, nextProblem as nextOf, type ProblemStop } from "./drawing/next-problem";
import { remedyWords } from "./drawing/remedy-words";

/** `showInspector`: on a narrow screen it is closed. */
export function useProblemKeys(view: { reveal: (place: string) => void }, showInspector: (isOpen: boolean) => void) {
  const { store, checks } = useComposer();
  const last = useRef<ProblemStop | null>(null);
  const nextProblem = useCallback(
    (by: 1 | -1) => {
      const [selected = ""] = store.get().selection.slice(-1);
      const next = nextOf(checks.get().problems, by, { selected, last: last.current });
      last.current = next;
      if (next === null) return store.say("No problems.");
      const { place, path } = next;
      store.select(place === "" ? [] : [place]);
      showInspector(true);
      if (place !== "") view.reveal(place);
      const inputs = store.get().plan.inputs.map(({ name }) => name);
      // The inspector shows the place a frame later.
      requestAnimationFrame(() => requestAnimationFrame(() => focusFirst(fieldsOf(path, inputs))));
    },
    [checks, store, view, showInspector],
  );
  const firstRemedy = useCallback(() => {
    const [at = ""] = store.get().selection.slice(-1);
    const fix = checks.get().problems.find((problem) => placeOfProblem(problem.at) === at && problem.fixes?.length)
      ?.fixes?.[0];
    if (fix) store.change({ label: remedyWords(store.get().plan, fix), ops: [fix] });
  }, [checks, store]);
  return { nextProblem, firstRemedy };
}

/** The first of these fields that is on the screen. */
function focusFirst(fields: readonly string[]): void {
  for (const field of fields) {
    const found = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
    found?.focus();
    if (found !== null && found === document.activeElement) return;
  }
}
