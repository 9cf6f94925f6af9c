// Frames are written with the change they report: one insert, the last statement of the unit (K13), for those that no
// statement has written itself (told.ts). The frames of a unit for one project go into one row, a pack: they are nearly the
// same text, and Postgres compresses a row only if it is long.
import type pg from "pg";
import type { Frame } from "@/server/contract/frame";

export type Entry = { project_id: string; frame: Frame };

export async function writeFrames(client: pg.PoolClient, entries: readonly Entry[]): Promise<void> {
  const packs = packsOf(entries);
  const values = packs.flatMap((pack) => [pack.project_id, pack.kind, pack.entity_id, JSON.stringify(pack.frames)]);
  const name = packs.length > NAMED_MAX ? undefined : `journal_write_${packs.length}`;
  await client.query({ name, text: insertOf(packs.length), values });
}

/** Readers stop within a pack and continue from there, having unpacked all of it; an event's number has room for 998. */
export const PACK_MAX = 200;
/** An import of thousands of frames is rare: a connection need not keep its statement. */
const NAMED_MAX = 8;

type Pack = { project_id: string; kind: string | null; entity_id: string | null; frames: Frame[] };

/** For each project, in the order in which they were written. */
function packsOf(entries: readonly Entry[]): Pack[] {
  const packs: Pack[] = [];
  const open = new Map<string, Pack>();
  for (const { project_id, frame } of entries) {
    const entity_id = soughtAs(frame);
    if (entity_id !== null) {
      packs.push({ project_id, kind: frame.kind, entity_id, frames: [frame] });
      open.delete(project_id);
      continue;
    }
    const pack = open.get(project_id);
    if (pack && pack.frames.length < PACK_MAX) {
      pack.frames.push(frame);
      continue;
    }
    const next: Pack = { project_id, kind: null, entity_id: null, frames: [frame] };
    packs.push(next);
    open.set(project_id, next);
  }
  return packs;
}

/** Looked up individually later, under this id: it has its own pack and index entry. */
function soughtAs(frame: Frame): string | null {
  if (frame.kind === "rejected_late") return frame.agent_turn_id;
  return frame.kind === "project" || frame.kind === "card" ? frame.id : null;
}

const insertOf = (packs: number): string => {
  const rows = Array.from(
    { length: packs },
    (_, i) => `($${4 * i + 1}, $${4 * i + 2}, $${4 * i + 3}, $${4 * i + 4}::jsonb)`,
  );
  return `INSERT INTO state.journal_packs (project_id, kind, entity_id, frames) VALUES ${rows.join(", ")}`;
};
