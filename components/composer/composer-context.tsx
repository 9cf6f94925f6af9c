"use client";

// What the parts of the composer share. The object itself never changes: each part reads what it needs from the stores, so that
// a typed letter draws one wagon again and not three hundred.
import { createContext, useContext } from "react";
import { type Parts, partsOf } from "@/server/contract/plan/graph";
import type { PlaceCheck } from "@/server/contract/plan/kernel-check";
import type { Plan, PlanNode, PlanTask } from "@/server/contract/plan/plan";
import type { PlanVersion } from "@/server/contract/plan/plan-record";
import type { PlanProblem } from "@/server/contract/plan/problem";
import type { Drag } from "./canvas/drag";
import type { Checked } from "./check/use-check";
import type { DrawingState, DrawingStore } from "./draft/drawing-store";
import type { Drawing } from "./drawing/drawing";
import type { Wire } from "./drawing/wires";
import type { LivePlace } from "./live/live-words";
import { type SmallStore, usePick } from "./small-store";
import type { Saving } from "./use-saving";
import type { Mark } from "./versions/version-diff";

export type QuickAdd = {
  /** Behind or in front of a place, as a task of its fork, to be loaded into it, or where its result goes. */
  as: "behind" | "before" | "task" | "ask" | "load" | "send" | "splice";
  place: string | null;
  /** Of a splice. */
  track?: { from: string | null; to: string };
  /** Where it was asked for on the ground. */
  at?: { col: number; row: number };
};
/** auto = all of them up to sixty, above it those of the selection. */
export type Wiring = "auto" | "all" | "selection" | "none";
export type EditField = "instruction" | "title" | "target" | "name" | "inputs";

export type Composing = {
  projectId: string;
  /** Who launches. */
  person: string;
  store: DrawingStore;
  checks: SmallStore<Checked>;
  ground: SmallStore<Drawing>;
  /** Where everything of a plan stands, from what the last drawing found. */
  draw: (plan: Plan) => Drawing;
  saving: SmallStore<Saving>;
  drag: SmallStore<Drag | null>;
  /** What the wagon under a drag would be given; null = not known, or nothing is dragged. */
  wouldBe: SmallStore<{ place: string; check: PlaceCheck } | null>;
  /** Those that are drawn now. */
  wires: SmallStore<readonly Wire[]>;
  /** The plan run whose results stand in for those that are not there yet; null = they are estimated. */
  lent: SmallStore<string | null>;
  /** Which wires are drawn. */
  wiring: SmallStore<Wiring>;
  /** How the places stand in the run that is watched; null = nothing runs here. */
  live: SmallStore<ReadonlyMap<string, LivePlace> | null>;
  /** What differs from the version that the drawing is compared with; null = none. */
  marks: SmallStore<ReadonlyMap<string, Mark> | null>;
  /** Opens the list of what may be added; null closes it. */
  adding: SmallStore<QuickAdd | null>;
  /** The newest version of a plan by name. */
  readPlan: (name: string) => Promise<Pick<PlanVersion, "body" | "layout">>;
  /** Opens the hand-over of a wagon, an ask or a task. */
  openOrder: (place: string) => void;
  /** Puts the focus into a field of the inspector. */
  edit: (field: EditField) => void;
};

const ComposerContext = createContext<Composing | null>(null);
export const ComposerProvider = ComposerContext.Provider;

export function useComposer(): Composing {
  const composing = useContext(ComposerContext);
  if (composing === null) throw new Error("This part of the composer needs <ComposerProvider> above it.");
  return composing;
}

export const useDrawn = <Part,>(pick: (state: DrawingState) => Part): Part => usePick(useComposer().store, pick);
export const useChecked = <Part,>(pick: (checked: Checked) => Part): Part => usePick(useComposer().checks, pick);
export const useGround = (): Drawing => usePick(useComposer().ground, whole);
export const usePlan = (): Plan => useDrawn(planOf);
export const useSelection = (): readonly string[] => useDrawn(selectionOf);
/** The place chosen last. */
export const useChosen = (): string | null => useDrawn(chosen);
export const usePart = (place: string): PlanNode | PlanTask | undefined =>
  useDrawn(({ plan }) => knownParts(plan).get(place));
export const useIsSelected = (id: string): boolean => useDrawn(({ selection }) => selectedIn(selection).has(id));
export const usePlaceCheck = (place: string): PlaceCheck | undefined => useChecked(({ places }) => places.get(place));
/** While something is dragged over it: what it would be given. */
export const useWouldBeAt = (place: string): PlaceCheck | undefined =>
  usePick(useComposer().wouldBe, (now) => (now?.place === place ? now.check : undefined));
export const useProblemsAt = (place: string): readonly PlanProblem[] =>
  useChecked(({ problemsAt }) => problemsAt.get(place) ?? none);

export const useLivePlace = (place: string): LivePlace | undefined =>
  usePick(useComposer().live, (places) => places?.get(place));

/** A run is watched, and not the drawing. */
export const useIsLive = (): boolean => usePick(useComposer().live, (places) => places !== null);

export const useMark = (place: string): Mark | undefined => usePick(useComposer().marks, (marks) => marks?.get(place));

export const chosen = ({ selection }: Pick<DrawingState, "selection">): string | null => selection.at(-1) ?? null;

export const knownParts = (plan: Plan): Parts => partsOf(plan);

/** Found once for each selection: where all of three hundred are selected, each of them looks whether it is. */
export function selectedIn(selection: readonly string[]): ReadonlySet<string> {
  const known = selected.get(selection) ?? new Set(selection);
  selected.set(selection, known);
  return known;
}

const selected = new WeakMap<readonly string[], ReadonlySet<string>>();

const none: readonly PlanProblem[] = [];
const whole = <T,>(value: T): T => value;
const planOf = ({ plan }: DrawingState): Plan => plan;
const selectionOf = ({ selection }: DrawingState): readonly string[] => selection;
