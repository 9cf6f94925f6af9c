// How one order becomes another with the fewest moves: the longest run of entries that stand in the right order stays.
export type Step = { id: string; at: number; is_new: boolean };

/** Every id of `now` is in `want`. A moved entry is taken out before `at` is counted. */
export function orderSteps(now: readonly string[], want: readonly string[]): Step[] {
  const known = new Set(now);
  const stays = inOrder(now, want);
  const list = [...now];
  const steps: Step[] = [];
  for (const [i, id] of want.entries()) {
    if (stays.has(id)) continue;
    const is_new = !known.has(id);
    if (!is_new) list.splice(list.indexOf(id), 1);
    const before = want[i - 1];
    const at = before === undefined ? 0 : list.indexOf(before) + 1;
    list.splice(at, 0, id);
    steps.push({ id, at, is_new });
  }
  return steps;
}

/** The longest increasing run of places. */
function inOrder(now: readonly string[], want: readonly string[]): Set<string> {
  const rank = new Map(want.map((id, i) => [id, i]));
  const ends: { rank: number; id: string; before: number }[] = [];
  const tails: number[] = [];
  for (const id of now) {
    const own = rank.get(id) ?? -1;
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[tails[middle] ?? 0]?.rank ?? 0) < own) low = middle + 1;
      else high = middle;
    }
    ends.push({ rank: own, id, before: low === 0 ? -1 : (tails[low - 1] ?? -1) });
    tails[low] = ends.length - 1;
  }
  const kept = new Set<string>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = ends[at]?.before ?? -1) kept.add(ends[at]?.id ?? "");
  return kept;
}
