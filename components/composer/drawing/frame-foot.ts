// Below the lanes of a fork its frame has a foot, where the next task is added. The row under the lanes is the fork's own in every
// layout, so nothing else stands there. The frame keeps its foot while it runs: a drawn thing never moves by itself. Pure.
import { type Box, columnX, frameBox, type Lanes, trackY } from "@/components/ground/geometry";

const FOOT = 34;

export function drawnFrame(lanes: Lanes): Box {
  const box = frameBox(lanes);
  return { ...box, h: box.h + FOOT };
}

/** Where the next task is added: under the first column of lanes. */
export function addBerth(lanes: Lanes): Box {
  return { x: columnX(lanes.col), y: trackY(lanes.row + lanes.rows - 1) + 18, w: 150, h: 32 };
}
