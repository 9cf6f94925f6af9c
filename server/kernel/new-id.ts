// Ids that sort by creation time: uuid v7 in hex, in order even within one millisecond. Random bytes are drawn by the page: a
// fork of sixty-four needs nine hundred ids, and drawing for each took longer than writing its turns.
import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";

export type IdPrefix =
  | "turn_"
  | "alarm_"
  | "step_"
  | "edge_"
  | "inbox_"
  | "batch_"
  | "bt_"
  | "tc_"
  | "hr_"
  | "plan_"
  | "prun_"
  | "draft_"
  | "del_"
  | "";

const BYTES = 16;
const page = new Uint8Array(256 * BYTES);
let used = page.length;
let msecs = 0;
let seq = 0;

export function newId(prefix: IdPrefix = ""): string {
  const random = draw();
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    seq = (((random[6] ?? 0) & 0x3f) << 24) | ((random[7] ?? 0) << 16) | ((random[8] ?? 0) << 8) | (random[9] ?? 0);
  } else seq++;
  return prefix + v7({ random, msecs, seq }).replaceAll("-", "");
}

function draw(): Uint8Array {
  if (used === page.length) {
    randomFillSync(page);
    used = 0;
  }
  used += BYTES;
  return page.subarray(used - BYTES, used);
}
