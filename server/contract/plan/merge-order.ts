// Three orders of one list. What either side added stands behind what it stood behind there.
import { sameJson } from "../same-json";

type Ask = (mine: string[], theirs: string[]) => string[];

/** `kept` = what the merged list has. Both sides moved what was there, differently: `ask`. */
export function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  kept: ReadonlySet<string>,
  ask: Ask,
): string[] {
  const old = base.filter((id) => kept.has(id));
  const spine = spineOf(old, mine, theirs, ask);
  // What both added is placed by one of them: the same one, whoever publishes first.
  const [one, other] = mine.join() < theirs.join() ? [mine, theirs] : [theirs, mine];
  const added = [groups(one, old, kept, new Set()), groups(other, old, kept, new Set(one))];
  return ["", ...spine].flatMap((id) => {
    const behind = added.map((groups) => groups.get(id) ?? []).filter((group) => group.length > 0);
    // By id, for the same reason.
    behind.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
    return [...(id === "" ? [] : [id]), ...behind.flat()];
  });
}

/** What was there before: the order of the side that moved something. */
function spineOf(old: string[], mine: readonly string[], theirs: readonly string[], ask: Ask): string[] {
  const [my, their] = [mine, theirs].map((list) => filled(list, old)) as [string[], string[]];
  if (sameJson(my, their) || sameJson(their, old)) return my;
  return sameJson(my, old) ? their : ask(my, their);
}

/** The side's order of what was there. What it lacks stands behind what it stood behind before. */
function filled(list: readonly string[], old: string[]): string[] {
  const known = new Set(old);
  const order = list.filter((id) => known.has(id));
  const has = new Set(order);
  for (const [i, id] of old.entries()) {
    if (has.has(id)) continue;
    order.splice(i === 0 ? 0 : order.indexOf(old[i - 1] ?? "") + 1, 0, id);
  }
  return order;
}

/** What a side added, by the old entry it stands behind. */
function groups(
  list: readonly string[],
  old: string[],
  kept: ReadonlySet<string>,
  not: ReadonlySet<string>,
): Map<string, string[]> {
  const known = new Set(old);
  const found = new Map<string, string[]>();
  let behind = "";
  for (const id of list) {
    if (known.has(id)) behind = id;
    else if (kept.has(id) && !not.has(id)) found.set(behind, [...(found.get(behind) ?? []), id]);
  }
  return found;
}
