// What changed between two texts, line by line. Pure.

export type DiffLine = { kind: "same" | "removed" | "added"; text: string };

/** Beyond so many comparisons the middle is said as a whole: removed, then added. */
const WORK_MAX = 250_000;

export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const middle = between(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [...lines("same", old.slice(0, start)), ...middle, ...lines("same", old.slice(old.length - end))];
}

const lines = (kind: DiffLine["kind"], texts: readonly string[]): DiffLine[] => texts.map((text) => ({ kind, text }));

/** The longest lines in common stay. */
function between(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length * now.length > WORK_MAX) return [...lines("removed", old), ...lines("added", now)];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const diff: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [left, right] = [old[i], now[j]];
    if (left !== undefined && left === right) {
      diff.push({ kind: "same", text: left });
      i++;
      j++;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      diff.push({ kind: "removed", text: left });
      i++;
    } else if (right !== undefined) {
      diff.push({ kind: "added", text: right });
      j++;
    }
  }
  return diff;
}

/** Changed lines with so many of the others around them; null stands for what is left out. */
export function withContext(diff: readonly DiffLine[], around = 2): (DiffLine | null)[] {
  const isNear = diff.map((_, at) =>
    diff.slice(Math.max(0, at - around), at + around + 1).some((l) => l.kind !== "same"),
  );
  return diff.flatMap((line, at) => (isNear[at] ? [line] : at === 0 || isNear[at - 1] ? [null] : []));
}
