// Where the claims of this process stopped among the runs of a project: the next one continues after that run. With random
// starts alone, a worker that takes one row at a time served a run more often the wider the gap before its key was.
import type { Kernel } from "../kernel";

/** Its place in the claim, and in the round of its project's runs. */
export type Round = { place: number; run_place: number; run_key: number };
type Placed = Round & { worker_target: string; project_id: string };

/** Projects that are remembered; in the others a claim begins anywhere. */
const KEPT_MAX = 256;

const kept = new WeakMap<Kernel["db"], Map<string, number>>();

function placesOf({ db }: Kernel): Map<string, number> {
  const places = kept.get(db) ?? new Map<string, number>();
  kept.set(db, places);
  return places;
}

/** In the form that a claim expects: run keys by target and project, and where to begin in all others. */
export function runPlaces(kernel: Kernel): [places: string, start: number] {
  return [JSON.stringify(Object.fromEntries(placesOf(kernel))), Math.floor(Math.random() * 2 ** 32) - 2 ** 31];
}

/** Remembers where each project's round stopped. RETURNING has no order. */
export function inClaimOrder<T extends Placed>(kernel: Kernel, rows: T[]): Omit<T, keyof Round>[] {
  const places = placesOf(kernel);
  for (const { worker_target, project_id, run_key } of rows.toSorted((a, b) => a.run_place - b.run_place)) {
    const spot = `${worker_target} ${project_id}`;
    places.delete(spot);
    places.set(spot, run_key);
    const [oldest] = places.keys();
    if (places.size > KEPT_MAX && oldest !== undefined) places.delete(oldest);
  }
  return rows
    .toSorted((a, b) => a.place - b.place)
    .map(({ place: _place, run_key: _key, run_place: _round, ...row }) => row);
}
