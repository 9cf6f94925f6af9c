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
const page = Buffer.alloc(256 * BYTES);
let used = page.length;
let msecs = 0;
let seq = 0;

export function newId(prefix: IdPrefix = ""): string {
  const at = draw();
  const random = page.subarray(at, at + BYTES);
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    seq = ((page.readUInt8(at + 6) & 0x3f) << 24) | page.readUIntBE(at + 7, 3);
  } else seq++;
  // Written over its own random bytes, and told in hex from there: the text with dashes was made only to be cut.
  v7({ random, msecs, seq }, page, at);
  return prefix + page.toString("hex", at, at + BYTES);
}

function draw(): number {
  if (used === page.length) {
    randomFillSync(page);
    used = 0;
  }
  used += BYTES;
  return used - BYTES;
}
