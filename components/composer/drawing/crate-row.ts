// Crates stand in one row below the plan, each as near as can be to what reads it; only what does not fit the plan's width begins
// another row. They used to step down whenever two were wanted in one place, and their wires crossed. Pure.

export type Wanted = { x: number; w: number };
export type Seat = { x: number; row: number };

/** In the order given. `left` and `right`: as far as a row goes. */
export function seatInRows(
  wanted: readonly Wanted[],
  { left, right, gap }: { left: number; right: number; gap: number },
): Seat[] {
  const seats: Seat[] = [];
  for (let at = 0, row = 0; at < wanted.length; row++) {
    let end = at;
    for (let used = left; end < wanted.length; end++) {
      used += (end === at ? 0 : gap) + (wanted[end]?.w ?? 0);
      // A crate wider than the plan still stands somewhere.
      if (used > right && end > at) break;
    }
    seats.push(...seatRow(wanted.slice(at, end), left, right, gap).map((x) => ({ x, row })));
    at = end;
  }
  return seats;
}

/** Each where it is wanted or right behind the one before; then what stands too far right moves back to the left. */
function seatRow(wanted: readonly Wanted[], left: number, right: number, gap: number): number[] {
  let from = left;
  const xs = wanted.map(({ x, w }) => {
    const at = Math.max(from, x);
    from = at + w + gap;
    return at;
  });
  let until = right;
  for (let i = wanted.length - 1; i >= 0; i--) {
    const x = Math.max(left, Math.min(xs[i] ?? left, until - (wanted[i]?.w ?? 0)));
    xs[i] = x;
    until = x - gap;
  }
  return xs;
}
