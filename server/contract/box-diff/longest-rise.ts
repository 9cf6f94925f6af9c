// The longest increasing run of numbers, in n log n: what stays in a list that was reordered. A table of all pairs took 2 s for
// two boxes of 10,000 cards.

/** Indexes of its members (patience sorting); nulls are skipped. */
export function longestRise(numbers: readonly (number | null)[]): Set<number> {
  const tops: number[] = [];
  const before: number[] = [];
  for (const [i, n] of numbers.entries()) {
    if (n === null) continue;
    let lo = 0;
    let hi = tops.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if ((numbers[tops[mid] ?? -1] ?? -1) < n) lo = mid + 1;
      else hi = mid;
    }
    before[i] = tops[lo - 1] ?? -1;
    tops[lo] = i;
  }
  const rise = new Set<number>();
  for (let i = tops.at(-1) ?? -1; i >= 0; i = before[i] ?? -1) rise.add(i);
  return rise;
}
