// A database from before the packs, with frames in it: nothing is lost, and readers continue.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LateFrame } from "@/server/contract/frame";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { createKernel, type Kernel } from "@/server/kernel/kernel";
import { migrate } from "@/server/migrate";
import { openTestDatabase, type TestDatabase } from "@/server/testing/database";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { dropOldFrames } from "../reclaim/drop-old-frames";
import { createProject } from "../roster/create-project";
import { wasDeleted } from "../roster/was-deleted";
import { tailJournal } from "./tail-journal";

const P = "p1";
const PACKS = "20261122070000_journal_packs";
const migrations = path.join(import.meta.dirname, "../../../prisma/migrations");
let test_db: TestDatabase;
let scratch: string;
let kernel: Kernel;

type OldRow = {
  project_id: string;
  event_id: string;
  xid: string;
  kind: string;
  entity_id: string;
  frame: { id: string };
};
let old: OldRow[];

const query = async (text: string, values: unknown[] = []) => (await test_db.pool.query(text, values)).rows;

/** One transaction each: its frames, by kind. */
async function write(
  project_id: string,
  frames: [kind: string, id: string, more?: Partial<LateFrame> | object][],
): Promise<void> {
  const rows = frames.map(([kind, id, more]) => ({
    kind,
    entity_id: id,
    rev: 1,
    frame: { kind, id, rev: 1, ...more },
  }));
  await query(
    `INSERT INTO state.journal (project_id, subject, kind, entity_id, rev, frame)
     SELECT $1, 'evt.' || kind || '.' || entity_id, kind, entity_id, rev, frame
     FROM jsonb_to_recordset($2::jsonb) AS f(kind text, entity_id text, rev bigint, frame jsonb)`,
    [project_id, JSON.stringify(rows)],
  );
}

beforeAll(async () => {
  test_db = await openTestDatabase({ isEmpty: true });
  kernel = createKernel({ db: test_db.db, doorbell: createMemoryDoorbell() });
  scratch = makeScratch();
  const before = path.join(scratch, "before");
  for (const name of fs.readdirSync(migrations).filter((name) => name < PACKS))
    fs.cpSync(path.join(migrations, name), path.join(before, name), { recursive: true });
  await migrate(test_db.url, { folder: before });
  await write(P, [
    ["turn", "t1", { agent_id: "a", turn_epoch: 1 }],
    ["rejected_late", "l1", { agent_turn_id: "t1" }],
    ["rejected_late", "l2", { agent_turn_id: "t2" }],
    ["turn", "t2"],
    ["task", "t1"],
  ]);
  await write("other", [["box", "o1"]]);
  await write(
    P,
    Array.from({ length: 450 }, (_, i) => ["box", `b${i}`]),
  );
  await write("gone", [["project", "gone", { is_deleted: true }]]);
  await write(P, [["task", "t2"]]);
  await query(
    "UPDATE state.journal SET created_at = now() - interval '40 days' WHERE entity_id IN ('t2', 'l2', 'l1', 't1', 'gone')",
  );
  old = await query("SELECT *, xid::text AS xid FROM state.journal ORDER BY journal.xid, event_id");
  await migrate(test_db.url);
  // Old cursors start from a snapshot now, so no reader has a position before the old frames; these reads do it anyway.
  await test_db.pool.query("UPDATE state.installation SET journal_from = 0");
});
afterAll(async () => {
  await test_db.close();
  await removeScratch(scratch);
});

const rowsOf = (project_id: string) => old.filter((row) => row.project_id === project_id);

async function tailFrom(after: { xid: string; event_id: string }): Promise<string[]> {
  const ids: string[] = [];
  for (let isFull = true; isFull; ) {
    const tail = await tailJournal(kernel, { project_id: P, after, limit: 100 });
    ids.push(...tail.frames.map(({ frame }) => frame.id));
    after = tail.cursor;
    isFull = tail.is_full;
  }
  return ids;
}

test("every row is there, with its content, transaction and time, in the same order", async () => {
  const now = await query("SELECT *, xid::text AS xid FROM state.journal ORDER BY journal.xid, event_id");
  const without = ({ event_id: _event_id, ...row }: OldRow) => row;
  expect(now.map(without)).toEqual(old.map(without));
  const last = Math.max(...old.map((row) => Number(row.event_id)));
  for (const row of now) expect(Number(row.event_id)).toBeGreaterThan(last);
  const packs = await query(
    "SELECT kind, entity_id, jsonb_array_length(frames) AS n FROM state.journal_packs WHERE project_id = $1 ORDER BY xid, pack_id",
    [P],
  );
  expect(packs).toEqual([
    { kind: null, entity_id: null, n: 1 },
    { kind: "rejected_late", entity_id: "t1", n: 1 },
    { kind: "rejected_late", entity_id: "t2", n: 1 },
    { kind: null, entity_id: null, n: 2 },
    { kind: null, entity_id: null, n: 200 },
    { kind: null, entity_id: null, n: 200 },
    { kind: null, entity_id: null, n: 50 },
    { kind: null, entity_id: null, n: 1 },
  ]);
});

test("from an old cursor nothing is skipped: at most its own transaction is sent again", async () => {
  const rows = rowsOf(P);
  expect(await tailFrom({ xid: "0", event_id: "0" })).toEqual(rows.map((row) => row.entity_id));
  for (const at of [0, 2, 4, 5, 200, 454, 455]) {
    const cursor = rows[at];
    if (!cursor) throw new Error(`there is no row ${at}`);
    const told = await tailFrom(cursor);
    const again = rows.filter((row) => BigInt(row.xid) >= BigInt(cursor.xid)).map((row) => row.entity_id);
    expect(told).toEqual(again);
  }
});

test("what is written now comes after it, and old packs are dropped as before", async () => {
  await createProject(kernel, { project_id: P, title: "goes on" });
  const last = rowsOf(P).at(-1);
  if (!last) throw new Error("nothing was written");
  await expect.poll(() => tailFrom(last)).toEqual(["t2", P]);
  expect(await wasDeleted(kernel, "gone")).toBe(true);
  // Two frames of the first unit and the two rejections are in four packs, and the last end is in one.
  expect(await dropOldFrames(kernel)).toBe(5);
  expect(await wasDeleted(kernel, "gone")).toBe(true);
  expect(await tailFrom({ xid: "0", event_id: "0" })).toHaveLength(451);
});
