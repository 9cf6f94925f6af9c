// What is drawn of the tracks in view: a handful of paths, one for each way a track can look, whatever the number of turns.
import { type Point, track } from "@/components/ui/track";
import type { EdgeFrame, TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import { berthBox, CHAMFER, trackY } from "./geometry";
import type { Place } from "./plan";
import type { Route } from "./route-tracks";
import { endedWithoutDeliverable, neverReturns } from "./turn-words";

export type TrackDrawing = {
  /** A box was delivered along it. */
  travelled: string;
  /** Known, not travelled yet. */
  reserved: string;
  /** A turn is running on it. */
  occupied: string;
  /** Read out of an import, not declared. */
  inferred: string;
  chevrons: string;
  /** Never returns to the caller. */
  buffers: string;
  /** The same, not reached yet. */
  reservedBuffers: string;
  /** Ended without a deliverable. */
  redBuffers: string;
};

export type TracksInView = {
  routes: readonly Route[];
  places: readonly Place[];
  turnOf: (id: string) => TurnFrame | undefined;
  edgeOf: (target: string) => EdgeFrame | undefined;
};

/** Past the wagon, to its buffer stop. */
const SIDING = 18;
const STUMP = 9;

export function drawTracks({ routes, places, turnOf, edgeOf }: TracksInView): TrackDrawing {
  const drawing = {
    travelled: "",
    reserved: "",
    occupied: "",
    inferred: "",
    chevrons: "",
    buffers: "",
    reservedBuffers: "",
    redBuffers: "",
  };
  for (const { points, target } of routes) {
    const isReserved = turnOf(target)?.status === "queued";
    const look = isReserved ? "reserved" : edgeOf(target)?.is_inferred ? "inferred" : "travelled";
    drawing[look] += track(points, CHAMFER);
    const end = points.at(-1);
    if (end && !isReserved) drawing.chevrons += chevronAt(end);
  }
  for (const place of places) {
    const turn = turnOf(place.id);
    if (!turn || place.col === 0) continue;
    const box = berthBox(place);
    const [end, y] = [box.x + box.w, trackY(place.row)];
    const isReserved = turn.status === "queued";
    const look = isReserved ? "reserved" : turn.status === "running" ? "occupied" : "travelled";
    drawing[look] += `M${box.x} ${y}H${end}`;
    if (endedWithoutDeliverable(turn)) {
      drawing.travelled += `M${end} ${y}H${end + STUMP}`;
      drawing.redBuffers += buffer(end + STUMP, y);
    } else if (place.children.length === 0 && neverReturns(turn)) {
      const hasEnded = isEnded(turn.status);
      drawing[hasEnded ? "travelled" : "reserved"] += `M${end} ${y}H${end + SIDING}`;
      drawing[hasEnded ? "buffers" : "reservedBuffers"] += buffer(end + SIDING + 2, y);
    }
  }
  return drawing;
}

/** Before the wagon that stands at the point. */
export const chevronAt = ([x, y]: Point): string => `M${x - 13} ${y - 4}l4 4l-4 4`;

const buffer = (x: number, y: number): string => `M${x} ${y - 7}V${y + 7}M${x + 5} ${y - 4}V${y + 4}`;
