// The plan as it is drawn now, what is selected in it, and the steps that led here. Everything that changes it is an operation of
// the contract, so undo, saving and the kernel's check all see the same.
import { applyOps } from "@/server/contract/plan/apply-op";
import type { PlanOp, PlanOpInput, Refusal } from "@/server/contract/plan/op";
import type { Plan } from "@/server/contract/plan/plan";
import { idsOf } from "@/server/contract/plan/plan-words";
import { hasLink, linkOf } from "../drawing/links";
import { placesAreKnown } from "../drawing/places-in";
import { type History, noHistory, placesOf, remembered, type Step, stepBack, stepOn } from "./history";
import { movesNothing, pinOp } from "./pin-places";

export type DrawingState = {
  plan: Plan;
  history: History;
  /** Nodes, fork.task, `gate:fork`, `note:id`, tracks, wires and crates (drawing/links.ts); the one chosen last comes last. */
  selection: readonly string[];
  /** Grows with every change of the plan. */
  rev: number;
  /** What happened last, for people who hear the screen; `n` tells two equal ones apart. */
  said: { n: number; text: string };
  /** Grows when a change may move something. */
  ground: number;
  /** What the inputs are filled with, for the check and the launch. Not part of the plan. */
  inputs: Readonly<Record<string, string>>;
  /** Why nothing may be changed; null = it may. */
  locked: string | null;
};

export type Change = { label: string; ops: readonly PlanOpInput[]; select?: readonly string[]; key?: string };

export type DrawingStore = ReturnType<typeof createDrawingStore>;
/** Why a change that fits the plan may not be made all the same: a run has packed what it would change. Null = it may. */
export type Guard = (ops: readonly PlanOp[]) => string | null;

export function createDrawingStore(plan: Plan, history: History = noHistory, guard: Guard = () => null) {
  let state: DrawingState = {
    plan,
    history,
    selection: [],
    rev: 0,
    ground: 0,
    inputs: {},
    said: { n: 0, text: "" },
    locked: null,
  };
  const listeners = new Set<() => void>();

  function set(next: Partial<DrawingState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  const saying = (text: string) => ({ n: state.said.n + 1, text });

  /** What is gone is no longer selected. */
  function still(selection: readonly string[], of: Plan): readonly string[] {
    const there = new Set([
      ...idsOf(of),
      ...of.nodes.map(({ id }) => `gate:${id}`),
      ...of.layout.notes.map(({ id }) => `note:${id}`),
    ]);
    const next = selection.filter((id) => {
      const link = there.has(id) ? null : linkOf(id);
      return link === null ? there.has(id) : hasLink(of, link);
    });
    return next.length === selection.length ? selection : next;
  }

  function go(step: Step, ops: readonly PlanOp[], history: History, word: string): void {
    const done = applyOps(state.plan, ops);
    // Steps that were kept from before may be of another plan than this: then there is nothing to undo.
    if ("refusal" in done) {
      set({ history: noHistory, said: saying(`Not ${word.toLowerCase()}: ${done.refusal.message}`) });
      return;
    }
    const touched = still(step.places, done.plan);
    set({
      plan: done.plan,
      history,
      rev: state.rev + 1,
      ground: ops.every(movesNothing) ? state.ground : state.ground + 1,
      selection: touched.length > 0 && touched.length <= 60 ? touched : still(state.selection, done.plan),
      said: saying(`${word}: ${step.label}`),
    });
  }

  return {
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },

    /** One gesture, all of it or nothing. Answers why it was refused; null = it was done. */
    change({ label, ops, select, key }: Change): Refusal["refusal"] | null {
      if (state.locked !== null) {
        set({ said: saying(state.locked) });
        return { path: "", message: state.locked };
      }
      const done = applyOps(state.plan, ops);
      if ("refusal" in done) {
        set({ said: saying(done.refusal.message) });
        return done.refusal;
      }
      if (done.inverse.length === 0 && done.plan === state.plan) return null;
      const given = ops as readonly PlanOp[];
      const reason = guard(given);
      if (reason !== null) {
        set({ said: saying(reason) });
        return { path: "", message: reason };
      }
      const { op: pin, stand } = pinOp(state.plan, done.plan, given);
      const pinned = pin ? applyOps(done.plan, [pin]) : { plan: done.plan, inverse: [] };
      if ("refusal" in pinned) throw new Error(`places: ${pinned.refusal.message}`);
      placesAreKnown(pinned.plan, stand);
      const step: Step = {
        label,
        ops: pin ? [...given, pin] : [...given],
        inverse: [...pinned.inverse, ...done.inverse],
        places: [...new Set(given.flatMap(placesOf))],
        ...(key !== undefined && { key }),
        at: Date.now(),
      };
      set({
        plan: pinned.plan,
        history: remembered(state.history, step),
        selection: still(select ?? state.selection, pinned.plan),
        rev: state.rev + 1,
        ground: given.every(movesNothing) ? state.ground : state.ground + 1,
        said: key === undefined ? saying(label) : state.said,
      });
      return null;
    },

    undo() {
      const back = state.locked === null ? stepBack(state.history) : null;
      if (back) go(back.step, back.step.inverse, back.history, "Undone");
    },

    redo() {
      const on = state.locked === null ? stepOn(state.history) : null;
      if (on) go(on.step, on.step.ops, on.history, "Done again");
    },

    select(selection: readonly string[]) {
      const next = still(selection, state.plan);
      if (next.length === state.selection.length && next.every((id, i) => id === state.selection[i])) return;
      set({ selection: next });
    },

    /** It is to be saved although nothing was changed here: it came from elsewhere. */
    touch() {
      set({ rev: state.rev + 1 });
    },

    say(text: string) {
      set({ said: saying(text) });
    },

    fill(name: string, value: string) {
      set({ inputs: { ...state.inputs, [name]: value } });
    },

    lock(locked: string | null) {
      if (locked !== state.locked) set({ locked });
    },

    /** Another body in place of this one: it was read from the server, or taken from its text. */
    replace(next: Plan, past: History = noHistory) {
      set({
        plan: next,
        history: past,
        selection: still(state.selection, next),
        rev: state.rev + 1,
        ground: state.ground + 1,
      });
    },
  };
}
