// Rectangles whose areas are the weights, near to squares: Bruls, Huizing and van Wijk, "Squarified treemaps" (2000). Thin strips
// cannot be compared by eye, nor hit with a pointer.

export type Rect = { x: number; y: number; width: number; height: number };

/** One rectangle a weight, in the order of the weights. Best heaviest first. Weights that are not positive take no area. */
export function squarify(weights: readonly number[], { width, height }: Pick<Rect, "width" | "height">): Rect[] {
  const total = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0);
  const rects: Rect[] = [];
  const free: Rect = { x: 0, y: 0, width, height };
  if (total <= 0 || width <= 0 || height <= 0) return weights.map(() => ({ x: 0, y: 0, width: 0, height: 0 }));
  const areas = weights.map((weight) => (Math.max(0, weight) / total) * width * height);
  let from = 0;
  while (from < areas.length) {
    const side = Math.min(free.width, free.height);
    let end = from + 1;
    let sum = areas[from] ?? 0;
    let worst = worstOf(areas, from, end, sum, side);
    while (end < areas.length) {
      const next = sum + (areas[end] ?? 0);
      const then = worstOf(areas, from, end + 1, next, side);
      if (then > worst) break;
      worst = then;
      sum = next;
      end++;
    }
    // The last row takes what is left, so that rounding leaves no gap.
    rects.push(...layRow(areas.slice(from, end), sum, free, end === areas.length));
    from = end;
  }
  return rects;
}

/** The largest ratio of sides in a row along `side`. */
function worstOf(areas: readonly number[], from: number, end: number, sum: number, side: number): number {
  if (sum <= 0 || side <= 0) return Number.POSITIVE_INFINITY;
  const depth = sum / side;
  let worst = 0;
  for (let i = from; i < end; i++) {
    const area = areas[i] ?? 0;
    if (area <= 0) continue;
    const length = area / depth;
    worst = Math.max(worst, length / depth, depth / length);
  }
  return worst;
}

/** Lays a row along the shorter side of what is free, and takes it away from there. */
function layRow(areas: readonly number[], sum: number, free: Rect, isLast: boolean): Rect[] {
  const isUpright = free.width >= free.height;
  const [side, across] = isUpright ? [free.height, free.width] : [free.width, free.height];
  const depth = isLast ? across : side <= 0 ? 0 : Math.min(across, sum / side);
  let at = 0;
  const row = areas.map((area) => {
    const length = sum <= 0 ? 0 : Math.min(side - at, (area / sum) * side);
    const rect = isUpright
      ? { x: free.x, y: free.y + at, width: depth, height: length }
      : { x: free.x + at, y: free.y, width: length, height: depth };
    at += length;
    return rect;
  });
  if (isUpright) {
    free.x += depth;
    free.width -= depth;
  } else {
    free.y += depth;
    free.height -= depth;
  }
  return row;
}
