// The tracks of a drawn plan as a few paths: all of them plain rails before the launch. Pure.
import { berthBox, CHAMFER, frameEnd, GATE_W, gateX, joinX, laneBerth, trackY } from "@/components/ground/geometry";
import type { Place } from "@/components/ground/plan";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { buffer, chevronAt } from "@/components/ground/signs";
import { type Point, track } from "@/components/ui/track";
import { middleLane } from "@/server/contract/lanes";
import { type DrawnRoute, PERSON } from "../drawing/drawing";

export type PlanTracks = { rails: string; chevrons: string; buffers: string };

/** Past the last wagon, to its buffer stop. */
const SIDING = 18;

export function drawPlanTracks(
  routes: readonly DrawnRoute[],
  places: readonly Place[],
  stops: ReadonlyMap<string, SeatedStop>,
  isOff: (place: string) => boolean,
): PlanTracks {
  const drawn = { rails: "", chevrons: "", buffers: "" };
  for (const { points } of routes) {
    drawn.rails += railOf(points);
    drawn.chevrons += chevronAt(points.at(-1) ?? [0, 0]);
  }
  for (const place of places) {
    if (place.id === PERSON) continue;
    const box = berthBox(place);
    const [end, y] = [box.x + box.w, trackY(place.row)];
    drawn.rails += isOff(place.id) ? past(box.x, end, y) : `M${box.x} ${y}H${end}`;
    const stop = stops.get(place.id);
    if (!stop || stop.is_followed) continue;
    drawn.rails += `M${end} ${y}H${end + SIDING}`;
    drawn.buffers += buffer(end + SIDING + 2, y);
  }
  for (const stop of stops.values()) if (stop.kind === "fork") drawFork(drawn, stop);
  return drawn;
}

/** Of a change most tracks keep the points they had. */
function railOf(points: readonly Point[]): string {
  const rail = rails.get(points) ?? track(points, CHAMFER);
  rails.set(points, rail);
  return rail;
}

const rails = new WeakMap<readonly Point[], string>();

const DIP = 12;

/** Past a wagon that is switched off. */
const past = (start: number, end: number, y: number): string =>
  `M${start - DIP} ${y}L${start} ${y + DIP}H${end}L${end + DIP} ${y}`;

/** Lanes into the gate, and from the gate out of the frame. */
function drawFork(drawn: PlanTracks, fork: SeatedStop): void {
  const [into, out, join] = [gateX(fork) - GATE_W / 2, gateX(fork) + GATE_W / 2, joinX(fork)];
  const goal: Point = [frameEnd(fork), trackY(fork.row + middleLane(fork.rows))];
  for (let lane = 0; lane < fork.lanes; lane++) {
    if (lane + fork.rows < fork.lanes) continue;
    const berth = laneBerth(fork, lane);
    const { x, w } = berthBox(berth);
    const y = trackY(berth.row);
    drawn.rails += `M${x + w} ${y}H${into}`;
    drawn.rails += track(y === goal[1] ? [[out, y], goal] : [[out, y], [join, y], [join, goal[1]], goal], CHAMFER);
  }
  if (!fork.is_followed) drawn.buffers += buffer(goal[0] + 2, goal[1]);
}
