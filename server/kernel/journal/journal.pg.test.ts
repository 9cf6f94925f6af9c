// The tail never skips a transaction that commits late, and a frame is written only together with the change it reports.
import { afterAll, beforeAll, expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { emptyPicture, type Frame, fold } from "@/server/contract/frame";
import { openTestKernel, seedProject, type TestKernel, untilVisible } from "@/server/testing/kernel";
import { readSnapshot } from "../read-models/read-snapshot";
import { streamFrames } from "../read-models/stream-frames";
import { withUnit } from "../unit";
import { formatCursor, parseCursor } from "./cursor";
import { tailJournal } from "./tail-journal";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  for (const p of ["p1", "p2"]) await seedProject(kernel, p);
});
afterAll(() => kernel.close());

const boxFrame = (id: string, rev = 1): Frame => ({ kind: "box", id, rev, box_kind: "plain", length: 0, token_sum: 0 });
const put = (id: string, project = "p1") => withUnit(kernel, async (unit) => unit.frame(project, boxFrame(id)));
const start = { xid: "0", event_id: "0" };

async function tailIds(after = start) {
  const tail = await tailJournal(kernel, { project_id: "p1", after });
  return { ids: tail.frames.map((f) => f.frame.id), cursor: tail.cursor };
}

test("a transaction that begins first and commits last is not skipped", async () => {
  await untilVisible(kernel);
  const { cursor } = await tailIds();
  let isOpen: () => void = () => undefined;
  let release: () => void = () => undefined;
  const opened = new Promise<void>((done) => {
    isOpen = done;
  });
  const gate = new Promise<void>((done) => {
    release = done;
  });
  const late = withUnit(kernel, async (unit) => {
    await unit.query("test_write", "UPDATE projects SET updated_at = now() WHERE project_id = 'p1'");
    unit.frame("p1", boxFrame("late"));
    isOpen();
    await gate;
  });
  await opened;
  await put("early");
  // "early" has committed, but what is older is still open: showing it now would lose "late" for good.
  const during = await tailIds(cursor);
  expect(during.ids).toEqual([]);
  release();
  await late;
  await untilVisible(kernel);
  const after = await tailIds(during.cursor);
  expect(after.ids).toEqual(["late", "early"]);
  expect((await tailIds(after.cursor)).ids).toEqual([]);
});

test("eight writers, one of which commits late: every frame exactly once, in whatever batches it is read", async () => {
  await untilVisible(kernel);
  let { cursor } = await tailIds();
  const wanted = Array.from({ length: 160 }, (_, i) => `w${i}`);
  const seen: string[] = [];
  let isDone = false;
  const writers = Promise.all(
    Array.from({ length: 8 }, async (_, w) => {
      for (let i = w; i < wanted.length; i += 8)
        await withUnit(kernel, async (unit) => {
          unit.frame("p1", boxFrame(`w${i}`));
          await unit.query("test_touch", "SELECT pg_current_xact_id()::text");
          await new Promise((done) => setTimeout(done, w === 0 ? 25 : 1));
        });
    }),
  ).then(() => {
    isDone = true;
  });
  for (let last = false; ; ) {
    const next = await tailJournal(kernel, { project_id: "p1", after: cursor, limit: 7 });
    seen.push(...next.frames.map((f) => f.frame.id));
    cursor = next.cursor;
    if (last && next.frames.length === 0) break;
    if (isDone) await untilVisible(kernel);
    last = isDone;
  }
  await writers;
  expect(seen.toSorted()).toEqual(wanted.toSorted());
});

test("order is numeric: nothing is skipped or doubled when transaction ids get one digit longer", async () => {
  await seedProject(kernel, "digits");
  await kernel.test.pool.query("DELETE FROM state.journal_packs WHERE project_id = 'digits'");
  for (const xid of ["100", "9", "101", "10", "99"])
    await kernel.test.pool.query(
      `INSERT INTO state.journal_packs (project_id, xid, frames)
       VALUES ('digits', $1::text::xid8, jsonb_build_array(jsonb_build_object('id', $1::text)))`,
      [xid],
    );
  const seen: string[] = [];
  for (let after = start; ; ) {
    const tail = await tailJournal(kernel, { project_id: "digits", after, limit: 2 });
    if (tail.frames.length === 0) break;
    seen.push(...tail.frames.map((f) => f.frame.id));
    after = tail.cursor;
  }
  expect(seen).toEqual(["9", "10", "99", "100", "101"]);
});

test("K13 a unit that fails leaves neither change nor frame", async () => {
  await untilVisible(kernel);
  const { cursor } = await tailIds();
  await expect(
    withUnit(kernel, async (unit) => {
      unit.frame("p1", boxFrame("never"));
      await unit.query("test_write", "UPDATE projects SET updated_at = now() WHERE project_id = 'p1'");
      throw new KernelError("bad_request", "refused on purpose");
    }),
  ).rejects.toThrow("refused on purpose");
  expect((await tailIds(cursor)).ids).toEqual([]);
});

test("a serialisation failure is run again and writes its frame once", async () => {
  await untilVisible(kernel);
  const { cursor } = await tailIds();
  let runs = 0;
  await withUnit(kernel, async (unit) => {
    unit.frame("p1", boxFrame(`again-${runs}`));
    if (runs++ === 0)
      await unit.query("test_40001", "DO $$ BEGIN RAISE EXCEPTION 'try again' USING ERRCODE = '40001'; END $$");
  });
  await untilVisible(kernel);
  expect([runs, (await tailIds(cursor)).ids]).toEqual([2, ["again-1"]]);
});

test("K11 a cursor of another project and a malformed one are refused", async () => {
  const other = formatCursor("p2", { generation: "1", ...start });
  for (const cursor of [other, "nonsense", "", "1.2.zzzzzzzz"])
    expect(() => parseCursor("p1", cursor)).toThrow(expect.objectContaining({ code: "bad_request" }));
  const largest = { generation: "9223372036854775807", xid: "18446744073709551615", event_id: "9223372036854775806" };
  await tailJournal(kernel, { project_id: "p1", after: parseCursor("p1", formatCursor("p1", largest)) });
  for (const key of ["generation", "xid", "event_id"] as const) {
    const over = formatCursor("p1", { ...largest, [key]: String(BigInt(largest[key]) + 1n) });
    expect(() => parseCursor("p1", over)).toThrow(expect.objectContaining({ code: "bad_request" }));
  }
  await put("in-p2", "p2");
  await untilVisible(kernel);
  expect((await tailIds()).ids).not.toContain("in-p2");
});

test("snapshot and stream together give every frame, from the cursor on and after a cut", async () => {
  const { cursor } = await readSnapshot(kernel, { project_id: "p1" });
  await put("s1");
  const first = new AbortController();
  let resume = cursor;
  for await (const frames of streamFrames(kernel, { project_id: "p1", after: cursor, signal: first.signal })) {
    resume = frames.at(-1)?.cursor ?? resume;
    if (frames.some((f) => f.frame.id === "s1")) first.abort();
  }
  await put("s2");
  const second = new AbortController();
  const ids: string[] = [];
  setTimeout(() => void put("s3"), 30);
  for await (const frames of streamFrames(kernel, { project_id: "p1", after: resume, signal: second.signal })) {
    ids.push(...frames.map((f) => f.frame.id));
    if (ids.includes("s3")) second.abort();
  }
  expect(ids).toEqual(["s2", "s3"]);
});

test("fold keeps the higher rev, and the same picture when nothing is new", () => {
  const a = fold(emptyPicture(), [boxFrame("x", 2), boxFrame("x", 1)]);
  expect(a.box.get("x")?.rev).toBe(2);
  expect(fold(a, [boxFrame("x", 2)])).toBe(a);
  const b = fold(a, [boxFrame("y")]);
  expect(b.turn).toBe(a.turn);
  expect([...b.box.keys()]).toEqual(["x", "y"]);
});
