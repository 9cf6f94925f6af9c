// Pasting as operations: new ids, everything inside the fragment kept, what came from outside dropped or found again.
import type { Fragment } from "./fragment";
import { nextId } from "./fragment";
import type { PlanOp, Refusal } from "./op";
import { opsBetween } from "./ops-between";
import { parsePlan } from "./parse-plan";
import type { Berth, Plan } from "./plan";
import { idsOf, nodeIdOf } from "./plan-words";
import { type Renaming, withReferences } from "./references";

export type PasteOptions = {
  /** Of the fragment's upper left corner. Absent = nothing is placed. */
  at?: Berth;
  /** Keeps tracks, loads and targets from nodes that this plan has too. */
  keepOutside?: boolean;
};
/** `nodes`, `notes`: the new ids, to be selected. */
export type Paste = { ops: PlanOp[]; nodes: string[]; notes: string[] };

/** Boxes, cards and inputs that are loaded travel with their wagon. */
export function pasteOps(
  plan: Plan,
  fragment: Fragment,
  { at, keepOutside = false }: PasteOptions = {},
): Paste | Refusal {
  const renamed = freshIds(fragment.nodes, plan.nodes);
  const notes = freshIds(fragment.notes, plan.layout.notes);
  const inside = new Set(idsOf(fragment));
  const there = new Set(keepOutside ? idsOf(plan) : []);
  const to: Renaming = (place) => {
    if (inside.has(place)) return `${renamed.get(nodeIdOf(place))}${place.slice(nodeIdOf(place).length)}`;
    return there.has(place) ? place : null;
  };
  const pasted = withReferences(
    { ...plan, result: undefined, nodes: fragment.nodes, layout: { places: fragment.places, notes: fragment.notes } },
    to,
  );
  const shift = (berth: Berth) => at && { col: berth.col + at.col, row: berth.row + at.row };
  const places = Object.entries(pasted.layout.places).flatMap(([place, berth]) => {
    const own = shift(berth);
    return own ? [[place, own]] : [];
  });
  const target = parsePlan({
    ...plan,
    nodes: [...plan.nodes, ...pasted.nodes.map((node) => ({ ...node, id: renamed.get(node.id) }))],
    layout: {
      places: { ...plan.layout.places, ...Object.fromEntries(places) },
      notes: [
        ...plan.layout.notes,
        ...pasted.layout.notes.map((note) => ({ ...note, ...shift(note), id: notes.get(note.id) })),
      ],
    },
  });
  if ("fault" in target) return { refusal: target.fault };
  return { ops: opsBetween(plan, target.plan), nodes: [...renamed.values()], notes: [...notes.values()] };
}

function freshIds(given: readonly { id: string }[], there: readonly { id: string }[]): Map<string, string> {
  const taken = new Set(there.map(({ id }) => id));
  return new Map(
    given.map(({ id }) => {
      const fresh = nextId(id, taken);
      taken.add(fresh);
      return [id, fresh];
    }),
  );
}
