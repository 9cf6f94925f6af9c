// Where things stand, and what is noted beside them. None of it changes what runs.
import type { Applied, OpOf, PlanOp, Refusal } from "./op";
import { beyond, lost, partAt, refuse } from "./parts";
import { NOTES_MAX, type Note, type Plan } from "./plan";
import { berthOf } from "./plan-words";

export function place(plan: Plan, { places }: OpOf<"place">): Applied | Refusal {
  const next = { ...plan.layout.places };
  const was: OpOf<"place">["places"] = {};
  for (const [at, berth] of Object.entries(places)) {
    if (!partAt(plan, at)) return lost(`places.${at}`, at);
    was[at] = berthOf(next, at) ?? null;
    if (berth === null) delete next[at];
    else next[at] = berth;
  }
  return { plan: { ...plan, layout: { ...plan.layout, places: next } }, inverse: [{ op: "place", places: was }] };
}

export function addNote(plan: Plan, { note, at }: OpOf<"add_note">): Applied | Refusal {
  const { notes } = plan.layout;
  if (notes.some(({ id }) => id === note.id))
    return refuse("note.id", `${note.id} is taken by another note; choose another id`);
  if (notes.length >= NOTES_MAX) return refuse("note", `the plan has ${NOTES_MAX} notes; remove one first`);
  return (
    beyond(at, notes.length) ??
    withNotes(plan, notes.toSpliced(at ?? notes.length, 0, note), { op: "remove_note", note: note.id })
  );
}

export function setNote(plan: Plan, { note }: OpOf<"set_note">): Applied | Refusal {
  const { notes } = plan.layout;
  const i = notes.findIndex(({ id }) => id === note.id);
  const was = notes[i];
  if (!was) return noNote("note.id", note.id);
  return withNotes(plan, notes.with(i, note), { op: "set_note", note: was });
}

export function removeNote(plan: Plan, { note: id }: OpOf<"remove_note">): Applied | Refusal {
  const { notes } = plan.layout;
  const i = notes.findIndex((note) => note.id === id);
  const was = notes[i];
  if (!was) return noNote("note", id);
  return withNotes(plan, notes.toSpliced(i, 1), { op: "add_note", note: was, at: i });
}

const withNotes = (plan: Plan, notes: Note[], inverse: PlanOp): Applied => ({
  plan: { ...plan, layout: { ...plan.layout, notes } },
  inverse: [inverse],
});

const noNote = (path: string, id: string): Refusal => refuse(path, `there is no note ${id}; name a note of this plan`);
