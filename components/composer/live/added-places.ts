// Where turns stand that the plan does not draw: in free berths behind who called them, and nothing that stands moves for them. Pure.
import { type Box, berthBox, frameBox } from "@/components/ground/geometry";
import type { Point } from "@/components/ui/track";
import type { Berth } from "@/server/contract/plan/plan";
import type { AddedTurn, PlaceTurn } from "@/server/contract/plan/run-drawing";
import { type Drawing, PERSON } from "../drawing/drawing";

export type AddedPlace = { turn: AddedTurn; box: Box; track: Point[] };

/** So many are drawn; the others are listed beside. */
const DRAWN_MAX = 40;
/** How far down a free berth is looked for. */
const ROWS = 60;

export function addedPlaces(drawing: Drawing, turns: readonly PlaceTurn[], added: readonly AddedTurn[]): AddedPlace[] {
  const taken = [
    ...[...drawing.places.values()].map((place) => berthBox(place)),
    ...[...drawing.stops.values()].flatMap((stop) => (stop.kind === "fork" ? frameBox(stop) : [])),
  ];
  const boxes = new Map(
    turns.flatMap(({ agent_turn_id, place }): [string, { box: Box; berth: Berth }][] => {
      const at = drawing.places.get(place);
      return at ? [[agent_turn_id, { box: berthBox(at), berth: { col: at.col, row: at.row } }]] : [];
    }),
  );
  const person = drawing.places.get(PERSON);
  // The oldest first: who called stands before whom it called.
  return added
    .toReversed()
    .slice(0, DRAWN_MAX)
    .flatMap((turn): AddedPlace[] => {
      const caller = boxes.get(turn.caller_turn_id ?? "");
      if (!caller && turn.caller_turn_id !== undefined) return [];
      const from = caller ?? (person ? { box: berthBox(person), berth: { col: person.col, row: person.row } } : null);
      if (!from) return [];
      const berth = freeBerth(taken, { col: from.berth.col + 1, row: from.berth.row + 1 });
      const box = berthBox(berth);
      taken.push(box);
      boxes.set(turn.agent_turn_id, { box, berth });
      return [{ turn, box, track: trackTo(from.box, box) }];
    });
}

function freeBerth(taken: readonly Box[], first: Berth): Berth {
  for (let row = first.row; row < first.row + ROWS; row++) {
    const box = berthBox({ col: first.col, row });
    if (!taken.some((other) => touches(other, box))) return { col: first.col, row };
  }
  return { col: first.col, row: first.row + ROWS };
}

const NEAR = 8;
const touches = (a: Box, b: Box): boolean =>
  a.x < b.x + b.w + NEAR && b.x < a.x + a.w + NEAR && a.y < b.y + b.h + NEAR && b.y < a.y + a.h + NEAR;

/** Out of who called, down the gutter, and in. */
function trackTo(from: Box, to: Box): Point[] {
  const [start, end]: [Point, Point] = [
    [from.x + from.w, from.y + from.h],
    [to.x, to.y + to.h],
  ];
  const gutter = Math.min(to.x - 18, start[0] + 14);
  return [start, [gutter, start[1]], [gutter, end[1]], end];
}
