// Frames are stored in packs, but can be read one by one from any position, and no pack is unpacked needlessly.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Frame, TrackedFrame } from "@/server/contract/frame";
import { openTestKernel, seedProject, type TestKernel, untilVisible } from "@/server/testing/kernel";
import { dropOldFrames } from "../reclaim/drop-old-frames";
import { createProject } from "../roster/create-project";
import { deleteProject } from "../roster/delete-project";
import { wasDeleted } from "../roster/was-deleted";
import { withUnit } from "../unit";
import { type Place, parseCursor } from "./cursor";
import { TAIL, tailJournal } from "./tail-journal";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());

const start: Place = { xid: "0", event_id: "0" };
const boxFrame = (id: string): Frame => ({ kind: "box", id, rev: 1, box_kind: "plain", length: 0, token_sum: 0 });
const boxes = (n: number): Frame[] => Array.from({ length: n }, (_, i) => boxFrame(`b${i}`));
const late = (id: string, agent_turn_id: string): Frame => ({
  kind: "rejected_late",
  id,
  rev: 1,
  agent_turn_id,
  turn_epoch: 1,
  current_epoch: 2,
  what: "append",
});
const say = (project_id: string, frames: Frame[]) =>
  withUnit(kernel, async (unit) => {
    for (const frame of frames) unit.frame(project_id, frame);
  });
const query = async (text: string, values: unknown[] = []) => (await kernel.test.pool.query(text, values)).rows;
const packs = (project_id: string) =>
  query(
    "SELECT kind, entity_id, jsonb_array_length(frames) AS n FROM state.journal_packs WHERE project_id = $1 ORDER BY xid, pack_id",
    [project_id],
  );

/** A project whose journal contains only what the test writes. */
async function fresh(project_id: string): Promise<string> {
  await seedProject(kernel, project_id);
  await query("DELETE FROM state.journal_packs WHERE project_id = $1", [project_id]);
  return project_id;
}

async function readAll(project_id: string, limit: number, from: Place = start): Promise<TrackedFrame[]> {
  await untilVisible(kernel);
  const frames: TrackedFrame[] = [];
  for (let after = from, isFull = true; isFull; ) {
    const tail = await tailJournal(kernel, { project_id, after, limit });
    frames.push(...tail.frames);
    after = tail.cursor;
    isFull = tail.is_full;
  }
  return frames;
}

/** How many packs a read unpacks, with a custom plan and with a generic one. */
async function unpacked(project_id: string, after: Place, limit: number): Promise<number[]> {
  const client = await kernel.test.pool.connect();
  try {
    const counts: number[] = [];
    await client.query(`PREPARE look AS ${TAIL}`);
    for (const mode of ["custom", "generic"]) {
      await client.query(`SET plan_cache_mode = force_${mode}_plan`);
      const { rows } = await client.query(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE look ('${project_id}', '${after.xid}', ${after.event_id}, ${limit})`,
      );
      const loops: number[] = [];
      JSON.stringify(rows, (_key, node) => {
        if (node?.["Function Name"] === "jsonb_array_elements") loops.push(node["Actual Loops"]);
        return node;
      });
      if (loops.length !== 1) throw new Error(`the plan unpacks in ${loops.length} places`);
      counts.push(...loops);
    }
    return counts;
  } finally {
    client.release(true);
  }
}

test("a unit of 450 frames is one statement and three packs; the view gives back every frame, as it was and in order", async () => {
  const P = await fresh("split");
  const frames = boxes(450);
  let statements = 0;
  await withUnit(kernel, async (unit) => {
    for (const frame of frames) unit.frame(P, frame);
    statements = unit.statements();
    unit.after(async () => {
      statements = unit.statements() - statements;
    });
  });
  expect(statements).toBe(1);
  expect((await packs(P)).map((pack) => pack.n)).toEqual([200, 200, 50]);
  const rows = await query("SELECT * FROM state.journal WHERE project_id = $1 ORDER BY xid, event_id", [P]);
  expect(rows.map((row) => row.frame)).toEqual(frames);
  expect(new Set(rows.map((row) => row.event_id)).size).toBe(450);
  expect(rows[7]).toMatchObject({ project_id: P, subject: "evt.box.b7", kind: "box", entity_id: "b7", rev: 1 });
  expect((await readAll(P, 500)).map(({ frame }) => frame)).toEqual(frames);
});

test("two projects in one unit: each has its own packs", async () => {
  const [one, two] = [await fresh("one"), await fresh("two")];
  await withUnit(kernel, async (unit) => {
    for (const id of ["a", "b", "c"])
      for (const project of [one, two]) unit.frame(project, boxFrame(`${project}-${id}`));
  });
  for (const project of [one, two]) {
    expect((await packs(project)).map((pack) => pack.n)).toEqual([3]);
    expect((await readAll(project, 2)).map(({ frame }) => frame.id)).toEqual(
      ["a", "b", "c"].map((id) => `${project}-${id}`),
    );
  }
});

test("from the cursor of any frame the next one follows, wherever it is in its pack and however much is read at once", async () => {
  const P = await fresh("resume");
  await say(P, boxes(3));
  await say(P, [boxFrame("x"), late("l1", "turn_1"), late("l2", "turn_1"), boxFrame("y"), boxFrame("z")]);
  await say(P, boxes(205));
  const all = await readAll(P, 1000);
  const ids = all.map(({ frame }) => frame.id);
  expect(ids.slice(0, 8)).toEqual(["b0", "b1", "b2", "x", "l1", "l2", "y", "z"]);
  expect(ids).toHaveLength(213);
  for (const limit of [1, 2, 3, 7, 213, 214])
    expect((await readAll(P, limit)).map(({ frame }) => frame.id)).toEqual(ids);
  for (const at of [0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 206, 207, 208, 211]) {
    const cursor = parseCursor(P, all[at]?.cursor ?? "");
    expect((await readAll(P, 4, cursor)).map((next) => next.cursor)).toEqual(
      all.slice(at + 1).map((next) => next.cursor),
    );
  }
});

test("frames that are looked up individually have their own pack, under the key of the look-up", async () => {
  const P = await fresh("sought");
  await say(P, [boxFrame("a"), late("l1", "turn_7"), boxFrame("b")]);
  expect(await packs(P)).toEqual([
    { kind: null, entity_id: null, n: 1 },
    { kind: "rejected_late", entity_id: "turn_7", n: 1 },
    { kind: null, entity_id: null, n: 1 },
  ]);
  await deleteProject(kernel, P);
  expect(await packs(P)).toEqual([{ kind: "project", entity_id: P, n: 1 }]);
  expect(await wasDeleted(kernel, P)).toBe(true);
  await createProject(kernel, { project_id: P, title: "again" });
  const revs = await query("SELECT rev FROM state.journal WHERE project_id = $1 AND kind = 'project' ORDER BY xid", [
    P,
  ]);
  expect(revs.map((row) => Number(row.rev))).toEqual([3, 4]);
});

test("a read unpacks only the packs it needs, and none if there is nothing new", async () => {
  const P = await fresh("lazy");
  for (let i = 0; i < 3; i++) await say(P, boxes(20 * 200));
  await untilVisible(kernel);
  // Before the statistics include them, and after.
  for (const analyze of ["SELECT 1", "ANALYZE state.journal_packs"]) {
    await query(analyze);
    expect(await unpacked(P, start, 10)).toEqual([1, 1]);
    expect(await unpacked(P, start, 500)).toEqual([3, 3]);
    const half = await tailJournal(kernel, { project_id: P, after: start, limit: 6_100 });
    expect(await unpacked(P, half.cursor, 100)).toEqual([1, 1]);
  }
  const end = await tailJournal(kernel, { project_id: P, after: start, limit: 100_000 });
  expect(end.frames).toHaveLength(12_000);
  expect(await unpacked(P, end.cursor, 500)).toEqual([0, 0]);
  await say(P, [boxFrame("new")]);
  expect((await readAll(P, 500, end.cursor)).map(({ frame }) => frame.id)).toEqual(["new"]);
});

test("the same if the statistics do not include the latest frames", async () => {
  const other = await fresh("known");
  for (let i = 0; i < 2_000; i++) await say(other, boxes(1));
  await query("ANALYZE state.journal_packs");
  const P = await fresh("unknown");
  await say(P, boxes(60 * 200));
  await untilVisible(kernel);
  for (let look = 0; look < 7; look++) {
    const [custom, generic] = await unpacked(P, start, 500);
    expect(Math.max(custom ?? 99, generic ?? 99)).toBeLessThanOrEqual(4);
  }
});

test("old packs are dropped whole and remembered; the frame that a project was deleted stays", async () => {
  const [P, gone] = [await fresh("old"), await fresh("gone")];
  await say(P, boxes(250));
  await deleteProject(kernel, gone);
  await query("UPDATE state.journal_packs SET created_at = now() - interval '31 days' WHERE project_id = ANY ($1)", [
    [P, gone],
  ]);
  await say(P, [boxFrame("young")]);
  const [old] = await query("SELECT min(xid::text) AS xid FROM state.journal_packs WHERE project_id = $1", [P]);
  expect(await dropOldFrames(kernel)).toBe(2);
  expect((await readAll(P, 500)).map(({ frame }) => frame.id)).toEqual(["young"]);
  expect(await wasDeleted(kernel, gone)).toBe(true);
  expect(await query("SELECT dropped_xid::text AS xid FROM state.journal_floor")).toEqual([old]);
});

test("processes of the previous version write rows and delete them, while both versions run", async () => {
  const P = await fresh("before");
  const write = `INSERT INTO state.journal (project_id, subject, kind, entity_id, rev, frame)
    SELECT project_id, subject, kind, entity_id, rev, frame
    FROM jsonb_to_recordset($1::jsonb) AS f(project_id text, subject text, kind text, entity_id text, rev bigint, frame jsonb)`;
  const frames = [boxFrame("a"), late("l1", "turn_7"), boxFrame("b")];
  const rows = frames.map((frame) => ({
    project_id: P,
    subject: "s",
    kind: frame.kind,
    entity_id: frame.id,
    rev: 1,
    frame,
  }));
  await query(write, [JSON.stringify(rows)]);
  expect((await readAll(P, 2)).map(({ frame }) => frame)).toEqual(frames);
  expect((await packs(P))[1]).toEqual({ kind: "rejected_late", entity_id: "turn_7", n: 1 });
  await say(P, boxes(5));
  await query(`
    WITH old AS (SELECT project_id, xid, event_id FROM state.journal WHERE project_id = '${P}' AND kind <> 'task'
      ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    DELETE FROM state.journal j USING old
    WHERE j.project_id = old.project_id AND j.xid = old.xid AND j.event_id = old.event_id RETURNING j.xid`);
  expect((await packs(P)).map((pack) => pack.n)).toEqual([1, 1, 5]);
  await query("DELETE FROM state.journal WHERE project_id = $1", [P]);
  expect(await packs(P)).toEqual([]);
});

test("a row of the journal is a list of frames, never an empty one", async () => {
  await fresh("bad");
  const put = (frames: string) =>
    query("INSERT INTO state.journal_packs (project_id, frames) VALUES ('bad', $1::jsonb)", [frames]);
  const tooLong = JSON.stringify(Array.from({ length: 999 }, () => 1));
  for (const frames of ["[]", "{}", "5", "null", tooLong])
    await expect(put(frames)).rejects.toThrow("journal_packs_frames");
});
