// Edges are tracks: straight runs with a 45 degree chamfer where two of them meet. Never a curve.

export type Point = readonly [x: number, y: number];

/** The path of a track through `points`, cutting each corner by `chamfer`, or by half a run that is shorter. */
export function track(points: readonly Point[], chamfer = 18): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  let path = `M${round(first[0])} ${round(first[1])}`;
  let before = first;
  for (const [index, corner] of rest.entries()) {
    const after = rest[index + 1];
    if (after === undefined) return `${path}L${round(corner[0])} ${round(corner[1])}`;
    const arriving = run(before, corner);
    const leaving = run(corner, after);
    // Half a run at most, or two chamfers on one short run would cross and fold the track back.
    const cut = Math.min(chamfer, arriving.length / 2, leaving.length / 2);
    path += `L${round(corner[0] - arriving.x * cut)} ${round(corner[1] - arriving.y * cut)}`;
    path += `L${round(corner[0] + leaving.x * cut)} ${round(corner[1] + leaving.y * cut)}`;
    before = corner;
  }
  return path;
}

function run(from: Point, to: Point): { x: number; y: number; length: number } {
  const x = to[0] - from[0];
  const y = to[1] - from[1];
  const length = Math.hypot(x, y);
  return length === 0 ? { x: 0, y: 0, length } : { x: x / length, y: y / length, length };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
