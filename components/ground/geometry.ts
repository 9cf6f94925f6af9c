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
/** What the frame of a batch adds around its lanes, from the wagons' left, the first track, their right, the last track. */
const FRAME = { left: 68, top: 106, right: 106, bottom: 26 };
/** A trunk that has to pass a frame runs between it and the wagons of the column before. */
export const FRAME_PASS = 76;
export const FRAME_HEAD = 40;
/** Behind the end of the last column of lanes: the middle of the gate, and the trunk in which what was joined runs on. */
const GATE = 36;
export const GATE_W = 26;
const JOIN = 74;
/** Where the caller goes on: a place kept free behind the frame. */
const BERTH = { gap: 36, w: 168 };
/** From the left of the gate's column to what stands behind the gate. */
const BEHIND = FRAME.right + BERTH.gap - GUTTER;

/** `is_behind`: in the column of a gate, where a caller would go on. */
export type Berth = { col: number; row: number; is_behind?: boolean };
export type Box = { x: number; y: number; w: number; h: number };
/** The lanes of a batch: `lanes` berths in rows below each other, column by column, from the first on. */
export type Lanes = Berth & { lanes: number; rows: number; cols: number };

/** Column 0 is the person's, column 1 that of launched turns, from 2 on each depth of delegation has one. */
export const columnX = (col: number): number => {
  if (col <= 0) return 0;
  if (col === 1) return HUMAN + 32;
  return HUMAN + 32 + ROOT_W + GUTTER + (col - 2) * (WAGON_W + GUTTER);
};
const columnW = (col: number): number => (col <= 0 ? HUMAN : col === 1 ? ROOT_W : WAGON_W);

/** The height of the track a berth stands on. */
export const trackY = (row: number): number => row * LANE;

export const leftOf = ({ col, is_behind }: Berth): number => columnX(col) + (is_behind ? BEHIND : 0);
/** Where the track leaves what stands there. */
export const rightOf = (berth: Berth): number => leftOf(berth) + (berth.is_behind ? ROOT_W : columnW(berth.col));

/** What the drawn turn covers: a wagon stands on its track, a person's track runs through the middle of the mark. */
export function berthBox(berth: Berth): Box {
  const y = trackY(berth.row);
  const x = leftOf(berth);
  if (berth.col <= 0) return { x, y: y - HUMAN / 2, w: HUMAN, h: HUMAN };
  return { x, y: y - WAGON_H, w: rightOf(berth) - x, h: WAGON_H };
}

/** Column by column downwards, so that siblings are read in their order. */
export const laneBerth = ({ col, row, rows }: Lanes, index: number): Berth => ({
  col: col + Math.floor(index / rows),
  row: row + (index % rows),
});

export const lanesEnd = ({ col, cols }: Lanes): number => columnX(col + cols - 1) + columnW(col + cols - 1);

export const gateX = (lanes: Lanes): number => lanesEnd(lanes) + GATE;
export const joinX = (lanes: Lanes): number => lanesEnd(lanes) + JOIN;

export function frameBox(lanes: Lanes): Box {
  const x = columnX(lanes.col) - FRAME.left;
  const y = trackY(lanes.row) - FRAME.top;
  return {
    x,
    y,
    w: lanesEnd(lanes) + FRAME.right - x,
    h: trackY(lanes.row + lanes.rows - 1) + FRAME.bottom - y,
  };
}

export function gateBox(lanes: Lanes): Box {
  const y = trackY(lanes.row) - 26;
  return { x: gateX(lanes) - GATE_W / 2, y, w: GATE_W, h: trackY(lanes.row + lanes.rows - 1) + 20 - y };
}

/** Where the track that a gate has joined leaves the frame. */
export const frameEnd = (lanes: Lanes): number => lanesEnd(lanes) + FRAME.right;

/** Straight behind the caller where a lane runs there, else behind the middle of the frame. */
export function returnBox(lanes: Lanes, callerRow: number): Box {
  const isBehind = callerRow >= lanes.row && callerRow < lanes.row + lanes.rows;
  const row = isBehind ? callerRow : lanes.row + Math.floor((lanes.rows - 1) / 2);
  return { x: lanesEnd(lanes) + FRAME.right + BERTH.gap, y: trackY(row) - WAGON_H, w: BERTH.w, h: WAGON_H };
}

/** The smallest box around both. */
export function union(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y };
}
