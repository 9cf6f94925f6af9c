"use client";

// What follows from the drawing: where everything stands, what is wrong with it, and what the address says is selected. It draws
// nothing itself, so that of a change only those are drawn again who read what it changed.
import { parseAsString, useQueryState } from "nuqs";
import { useEffect, useLayoutEffect, useMemo } from "react";
import { useCheck } from "./check/use-check";
import { useWouldBe } from "./check/use-would-be";
import type { Composing } from "./composer-context";
import type { Watch } from "./live/use-watch";
import { usePick } from "./small-store";

/** `composing` with the store of the draft; `run`: the one that the address names, whether it is known yet or not. */
export function FollowDrawing({
  composing,
  run,
  watch,
}: {
  composing: Composing;
  run: string | null;
  watch: Watch | null;
}) {
  const drawn = usePick(composing.store, whole);
  const shown = watch?.store ?? composing.store;
  const state = usePick(shown, whole);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again only when something may have moved
  const drawing = useMemo(() => composing.draw(state.plan), [composing, shown, state.ground]);
  useLayoutEffect(() => composing.ground.set(drawing), [composing, drawing]);

  // What was drawn is what is estimated, until something of the run is changed: then that is, with the results it has.
  const isChanged = watch !== null && (watch.steps > 0 || watch.isForking);
  const lent = usePick(composing.lent, whole);
  const checked = useCheck(composing.projectId, {
    plan: isChanged ? state.plan : drawn.plan,
    inputs: drawn.inputs,
    resultsOf: isChanged ? watch.watched.run.plan_run_id : lent,
  });
  useLayoutEffect(() => composing.checks.set(checked), [composing, checked]);
  useWouldBe(composing);

  const [sel, setSel] = useQueryState("sel", parseAsString);
  // The run's own selection is not known before the run is.
  const isKnown = run === null || watch !== null;
  useEffect(() => {
    if (!isKnown) return;
    const text = state.selection.length === 0 ? null : state.selection.slice(0, 20).join(",");
    if (text === sel) return;
    // A new address draws the page around the plan again: not in the frame in which something is selected.
    const timer = setTimeout(() => void setSel(text), ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [state.selection, sel, setSel, isKnown]);
  return null;
}

/** How long a selection rests before the address names it. */
const ADDRESS_MS = 150;

const whole = <T,>(value: T): T => value;
