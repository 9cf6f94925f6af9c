// The shortest way from one list of words to another (Myers' greedy search): its time grows with what differs, and not with the
// product of the lengths.

export type Stretch = { kind: "same" | "removed" | "added"; from: number; to: number };

/** Beyond so many differences what is between the equal ends is said as a whole. */
const DIFFERENCES_MAX = 800;

/** Stretches in order. `same` and `removed` count places in a, `added` in b. */
export function alignWords(a: readonly string[], b: readonly string[]): { stretches: Stretch[]; is_coarse: boolean } {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const steps = shortestWay(left, right);
  const stretches: Stretch[] = [];
  const add = (kind: Stretch["kind"], from: number, to: number): void => {
    const last = stretches.at(-1);
    if (from === to) return;
    if (last?.kind === kind && last.to === from) last.to = to;
    else stretches.push({ kind, from, to });
  };
  add("same", 0, start);
  if (steps) for (const { kind, at } of steps) add(kind, start + at, start + at + 1);
  else {
    add("removed", start, a.length - end);
    add("added", start, b.length - end);
  }
  add("same", a.length - end, a.length);
  return { stretches, is_coarse: steps === null };
}

type Step = { kind: Stretch["kind"]; at: number };

/** Null if they differ too much. */
function shortestWay(a: readonly string[], b: readonly string[]): Step[] | null {
  const max = Math.min(a.length + b.length, DIFFERENCES_MAX);
  const reach = new Int32Array(2 * max + 3);
  const at = (k: number): number => reach[k + max + 1] ?? 0;
  const trail: Int32Array[] = [];
  for (let d = 0; d <= max; d++) {
    trail.push(reach.slice(max + 1 - d, max + 2 + d));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[k + max + 1] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(trail, a.length, b.length);
    }
  }
  return null;
}

/** `trail[d]`: how far each diagonal from -d to d was before round d. */
function walkBack(trail: readonly Int32Array[], length: number, other: number): Step[] {
  const steps: Step[] = [];
  let [x, y] = [length, other];
  for (let d = trail.length - 1; d >= 0; d--) {
    const at = (k: number): number => (Math.abs(k) > d ? 0 : (trail[d]?.[k + d] ?? 0));
    const k = x - y;
    const isDown = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const before = d === 0 ? 0 : at(isDown ? k + 1 : k - 1);
    const [beforeX, beforeY] = d === 0 ? [0, 0] : [before, before - (isDown ? k + 1 : k - 1)];
    while (x > beforeX && y > beforeY) {
      x--;
      y--;
      steps.push({ kind: "same", at: x });
    }
    if (d > 0) steps.push(isDown ? { kind: "added", at: beforeY } : { kind: "removed", at: beforeX });
    [x, y] = [beforeX, beforeY];
  }
  return steps.reverse();
}
