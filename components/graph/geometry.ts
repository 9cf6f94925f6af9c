// The grid of the yard. Every berth is a column and a row, so a track always has a gutter or a gap to run through and no
// wagon can stand half in another's way.
/** Distance of two tracks. */
const LANE = 82;
const WAGON_W = 244;
/** The turn that a person launched is a little shorter, so that the person fits in front of it. */
const ROOT_W = 226;
export const WAGON_H = 62;
const HUMAN = 44;
/** Room between two columns: the trunks stand in it. */
const GUTTER = 84;
/** A trunk stands this far left of the wagons it feeds; further trunks of one gutter each a slot further left. */
export const TRUNK = 38;
export const TRUNK_SLOT = 12;
export const CHAMFER = 18;

export type Berth = { col: number; row: number };
export type Box = { x: number; y: number; w: number; h: number };

/** Column 0 is the person's, column 1 that of launched turns, from 2 on each depth of delegation has one. */
export const columnX = (col: number): number => {
  if (col <= 0) return 0;
  if (col === 1) return HUMAN + 32;
  return HUMAN + 32 + ROOT_W + GUTTER + (col - 2) * (WAGON_W + GUTTER);
};
export const columnW = (col: number): number => (col <= 0 ? HUMAN : col === 1 ? ROOT_W : WAGON_W);

/** The height of the track a berth stands on. */
export const trackY = (row: number): number => row * LANE;

/** What the drawn turn covers: a wagon stands on its track, a person's track runs through the middle of the mark. */
export function berthBox({ col, row }: Berth): Box {
  const y = trackY(row);
  if (col <= 0) return { x: columnX(col), y: y - HUMAN / 2, w: HUMAN, h: HUMAN };
  return { x: columnX(col), y: y - WAGON_H, w: columnW(col), h: WAGON_H };
}
