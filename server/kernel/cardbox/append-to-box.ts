// Appends to boxes at a cost that does not depend on their length: locks the rows, fills the last chunk and writes the rest
// as new ones. Keeps the order and removes no duplicates.
import type { Unit } from "../unit";
import type { BoxSize } from "./create-boxes";
import { type Append, grow, grownSql, type LockedBox, lockBoxes, sizeOf, tellBoxes } from "./grow-boxes";

/** not_found for a missing box; conflict for one that is written once (a turn's context, a request, a pack). */
export async function appendToBox(unit: Unit, input: Locked & Append): Promise<BoxSize> {
  const [size] = await appendToBoxes(unit, { project_id: input.project_id, appends: [input], locked: input.locked });
  if (!size) throw new Error("one append was given and no box came back");
  return size;
}

const WRITE = `WITH ${grownSql("$2", "$3")} SELECT 1 FROM grown_boxes`;

/** `locked`: rows that the unit has locked, all of those that are missing being missing. Absent = they are locked here. */
type Locked = { project_id: string; locked?: LockedBox[] };

/** For several boxes, in the same two statements. The same box twice is appended to twice, in order. */
export async function appendToBoxes(unit: Unit, input: Locked & { appends: Append[] }): Promise<BoxSize[]> {
  const { project_id, appends } = input;
  if (appends.length === 0) return [];
  const locked = input.locked
    ? new Map(input.locked.map((box) => [box.box_id, box]))
    : await lockBoxes(unit, { project_id, box_ids: appends.map((a) => a.box_id) });
  const growth = grow(locked, appends);
  const writing = unit.query("boxes_append", WRITE, [project_id, growth.chunks, growth.sizes]);
  tellBoxes(unit, project_id, growth);
  await writing;
  return appends.map(({ box_id }) => sizeOf(growth, box_id));
}
