// A consist: the cards of a box as runs of role and tokens in order ("S120 U400 A30").
// Stored with the box, so that a thousand turns can be drawn without reading a card.
import type { Role } from "./card";

export type ConsistRun = { role: Role; tokens: number };

export const CONSIST_RUNS_MAX = 48;
const letterOf: Record<Role, string> = { system: "S", user: "U", assistant: "A", tool: "T" };
const roleOf: Record<string, Role> = { S: "system", U: "user", A: "assistant", T: "tool" };

export function parseConsist(consist: string): ConsistRun[] {
  if (consist === "") return [];
  return consist.split(" ").map((run) => ({ role: roleOf[run.charAt(0)] ?? "user", tokens: Number(run.slice(1)) }));
}

/** Joins runs. Above the cap the smallest neighbours are merged under the larger one's role, so the sum never changes. */
export function formatConsist(runs: ConsistRun[]): string {
  const kept = mergeSmallest(runs.filter((r) => r.tokens > 0));
  return kept.map((r) => `${letterOf[r.role]}${r.tokens}`).join(" ");
}

export const appendConsist = (consist: string, runs: ConsistRun[]): string =>
  formatConsist([...parseConsist(consist), ...runs]);

// A box of 10,000 cards merges 10,000 times, and searching all pairs each time took half a second. So pairs are in a heap,
// by weight and then from the left; a pair that has changed since is skipped.
function mergeSmallest(runs: readonly ConsistRun[]): ConsistRun[] {
  if (runs.length <= CONSIST_RUNS_MAX) return [...runs];
  const at = runs.map((run) => ({ ...run }));
  const next = at.map((_, i) => i + 1);
  const before = at.map((_, i) => i - 1);
  const isGone = at.map(() => false);
  const tokensAt = (i: number) => at[i]?.tokens ?? 0;
  const heap: Pair[] = [];
  const offer = (left: number) => {
    const right = next[left] ?? at.length;
    if (left >= 0 && right < at.length) push(heap, { left, right, sum: tokensAt(left) + tokensAt(right) });
  };
  for (let i = 0; i + 1 < at.length; i++) offer(i);
  for (let count = at.length; count > CONSIST_RUNS_MAX; ) {
    const pair = pop(heap);
    if (!pair) break;
    const { left, right, sum } = pair;
    const [a, b] = [at[left], at[right]];
    if (!a || !b || isGone[left] || isGone[right] || next[left] !== right || a.tokens + b.tokens !== sum) continue;
    at[left] = { role: a.tokens >= b.tokens ? a.role : b.role, tokens: sum };
    isGone[right] = true;
    const after = next[right] ?? at.length;
    next[left] = after;
    before[after] = left;
    offer(left);
    offer(before[left] ?? -1);
    count--;
  }
  return at.filter((_, i) => !isGone[i]);
}

type Pair = { left: number; right: number; sum: number };

const isFirst = (a: Pair, b: Pair): boolean => a.sum < b.sum || (a.sum === b.sum && a.left < b.left);

function push(heap: Pair[], pair: Pair): void {
  let i = heap.length;
  while (i > 0) {
    const up = (i - 1) >> 1;
    const parent = heap[up];
    if (!parent || isFirst(parent, pair)) break;
    heap[i] = parent;
    i = up;
  }
  heap[i] = pair;
}

function pop(heap: Pair[]): Pair | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!last || !first || heap.length === 0) return first;
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    const [a, b] = [heap[child], heap[child + 1]];
    if (a && b && isFirst(b, a)) child++;
    const down = heap[child];
    if (!down || isFirst(last, down)) break;
    heap[i] = down;
    i = child;
  }
  heap[i] = last;
  return first;
}
