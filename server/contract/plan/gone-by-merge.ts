// What one side removed is gone, unless the other changed it or lets something new refer to it: that is a conflict.
import { canonicalJson } from "../canonical-json";
import { sameJson } from "../same-json";
import type { Decide } from "./merge-fields";
import { partAt } from "./parts";
import type { Plan } from "./plan";
import { idsOf, nodeIdOf } from "./plan-words";
import { droppedReferences, type Renaming, withReferences } from "./references";

/** Null for a place that the merged plan does not have any more. */
export function goneByMerge(base: Plan, mine: Plan, theirs: Plan, decide: Decide): Renaming {
  const [byMine, byTheirs] = [removed(base, mine), removed(base, theirs)];
  const all = dropping(new Set([...byMine, ...byTheirs]));
  const gone = new Set<string>();
  for (const place of new Set([...byMine, ...byTheirs])) {
    const [my, their] = [part(mine, place), part(theirs, place)];
    const left = byMine.has(place) ? theirs : mine;
    const isContested =
      !(byMine.has(place) && byTheirs.has(place)) &&
      !gone.has(nodeIdOf(place)) &&
      (!isSame(base, left, place, all) || hasNewReader(base, left, place));
    if (!isContested) gone.add(place);
    else if (!decide({ node: place, field: "", mine: my, theirs: their, base: part(base, place) })) gone.add(place);
  }
  return dropping(gone);
}

const dropping =
  (gone: ReadonlySet<string>): Renaming =>
  (place) =>
    gone.has(place) || gone.has(nodeIdOf(place)) ? null : place;

function removed(base: Plan, side: Plan): Set<string> {
  const there = new Set(idsOf(side));
  return new Set(idsOf(base).filter((place) => !there.has(place)));
}

const part = (plan: Plan, place: string) => {
  const found = partAt(plan, place);
  return found?.task ?? found?.node ?? null;
};

/** But for references to what is removed as well. */
const isSame = (base: Plan, left: Plan, place: string, all: Renaming): boolean =>
  sameJson(withoutLost(base, place, all), withoutLost(left, place, all));

function withoutLost(plan: Plan, place: string, all: Renaming): unknown {
  return part(
    withReferences(plan, (other) => (other === place ? other : all(other))),
    place,
  );
}

/** Something refers to the place, or to a task of it, that did not before. */
function hasNewReader(base: Plan, left: Plan, place: string): boolean {
  const before = new Set(readers(base, place));
  return readers(left, place).some((reader) => !before.has(reader));
}

function readers(plan: Plan, place: string): string[] {
  const ops = droppedReferences(plan, (other) => (other === place || other.startsWith(`${place}.`) ? null : other));
  return ops.flatMap((op) => {
    if (op.op === "place") return [];
    const { at: _, ...reader } = op as { at?: number };
    return [canonicalJson(reader)];
  });
}
