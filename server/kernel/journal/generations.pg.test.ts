// Transaction ids go back when a database is restored into another server or a standby takes over with loss. Even then no
// stream is refused forever, misses what ended since, or sends old frames again.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Frame } from "@/server/contract/frame";
import { openDb } from "@/server/db";
import { openTestKernel, seedProject, type TestKernel, untilVisible } from "@/server/testing/kernel";
import { serveRestOnPort } from "@/server/testing/rest-server";
import type { Kernel } from "../kernel";
import { readSnapshot } from "../read-models/read-snapshot";
import { streamFrames } from "../read-models/stream-frames";
import { dropOldFrames } from "../reclaim/drop-old-frames";
import { withUnit } from "../unit";
import { parseCursor } from "./cursor";
import { readCursor } from "./read-cursor";

const P = "p1";
const parts = fs.readFileSync(path.join(import.meta.dirname, "../../../docs/journal-partitions.sql"), "utf8");
let kernel: TestKernel;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P);
});
afterAll(() => kernel.close());

const query = async (text: string) => (await kernel.test.pool.query(text)).rows;
const boxFrame = (id: string): Frame => ({ kind: "box", id, rev: 1, box_kind: "plain", length: 0, token_sum: 0 });
const put = (id: string, by: Kernel = kernel) => withUnit(by, async (unit) => unit.frame(P, boxFrame(id)));
const cursor = (of: Kernel = kernel) => readCursor(of, P);

/** What a newly started process sees. */
async function inNewProcess<T>(work: (own: Kernel) => Promise<T>): Promise<T> {
  const db = openDb(kernel.test.url, { name: "switchyard-later", max: 3 });
  try {
    return await work({ ...kernel, db });
  } finally {
    await db.close();
  }
}

// As after pg_restore into a new cluster: the old rows, the old identifier, ids far above this server's.
const asIfRestored = () =>
  query(`UPDATE state.journal_packs SET xid = (xid::text::bigint + 50000000)::text::xid8;
    INSERT INTO state.journal_floor (dropped_xid) VALUES ('40000000') ON CONFLICT (is_one) DO UPDATE SET dropped_xid = '40000000';
    UPDATE state.installation SET system_identifier = 4711`);
const asIfPromoted = () => query("UPDATE state.installation SET timeline = '0000000F'");

async function framesAfter(own: Kernel, after: string, last: string): Promise<string[]> {
  const ids: string[] = [];
  const signal = AbortSignal.timeout(10_000);
  for await (const frames of streamFrames(own, { project_id: P, after, signal })) {
    ids.push(...frames.map(({ frame }) => frame.id));
    if (ids.includes(last)) return ids;
  }
  throw new Error(`${last} never came, after ${ids}`);
}

const next = (own: Kernel, after: string) =>
  streamFrames(own, { project_id: P, after, signal: AbortSignal.timeout(10_000) }).next();
const reset = expect.objectContaining({ code: "bad_request", detail: { reset: true } });

test("a database restored into another server begins a generation: old cursors start again, new streams send what is new and nothing old", async () => {
  await put("before");
  await untilVisible(kernel);
  const old = await cursor();
  await query(
    `INSERT INTO state.sessions (session_id, expires_at) VALUES ('${"s".repeat(43)}', now() + interval '1 hour')`,
  );
  await asIfRestored();
  await inNewProcess(async (own) => {
    const fresh = await readSnapshot(own, { project_id: P });
    expect(await query("SELECT session_id FROM state.sessions")).toEqual([]);
    expect(Number(fresh.cursor.split(".")[0])).toBeGreaterThan(Number(old.split(".")[0]));
    await expect(next(own, old)).rejects.toEqual(reset);
    await put("after", own);
    expect(await framesAfter(own, fresh.cursor, "after")).toEqual(["after"]);
    expect(await query("SELECT reason, journal_from > 0 AS is_set FROM state.installation")).toEqual([
      { reason: "restored", is_set: true },
    ]);
    // The counter passes the old ids: even then their frames are not sent as new.
    await query(
      "UPDATE state.journal_packs SET xid = '3' WHERE pack_id <= (SELECT journal_from FROM state.installation)",
    );
    await put("later", own);
    expect(await framesAfter(own, `${fresh.cursor.split(".")[0]}.0.0.${fresh.cursor.split(".")[3]}`, "later")).toEqual([
      "after",
      "later",
    ]);
  });
});

test("frames of another server that get too old are dropped, and no reader is refused because of it", async () => {
  await put("aging");
  await untilVisible(kernel);
  await asIfRestored();
  await query("UPDATE state.journal_packs SET created_at = now() - interval '40 days'");
  await inNewProcess(async (own) => {
    const fresh = await cursor(own);
    expect(await dropOldFrames(own)).toBeGreaterThan(0);
    expect(await query("SELECT FROM state.journal_floor")).toEqual([]);
    await put("young", own);
    expect(await framesAfter(own, fresh, "young")).toEqual(["young"]);
  });
});

test("a standby that took over begins a generation; an open stream says so at its next read", async () => {
  const stream = streamFrames(kernel, { project_id: P, after: await cursor(), signal: AbortSignal.timeout(20_000) });
  const waiting = stream.next();
  // Handled below; it may fail before that is reached.
  waiting.catch(() => undefined);
  await asIfPromoted();
  const generations = await inNewProcess((own) =>
    Promise.all([1, 2, 3].map(async () => parseCursor(P, await cursor(own)).generation)),
  );
  expect(new Set(generations).size).toBe(1);
  await expect(waiting).rejects.toEqual(reset);
  expect(await query("SELECT reason FROM state.installation")).toEqual([{ reason: "promoted" }]);
});

test("many processes that notice it at once begin one generation", async () => {
  await asIfPromoted();
  const [before] = await query("SELECT generation FROM state.installation");
  const seen = await Promise.all(
    Array.from({ length: 6 }, () => inNewProcess(async (own) => parseCursor(P, await cursor(own)).generation)),
  );
  expect(new Set(seen).size).toBe(1);
  expect(Number(seen[0])).toBeGreaterThan(before.generation);
});

test("a cursor from before generations starts again, one of another project is still refused", async () => {
  const [, xid, event, seal] = (await cursor()).split(".");
  await expect(next(kernel, `${xid}.${event}.${seal}`)).rejects.toEqual(reset);
  await expect(next(kernel, `${xid}.${event}.00000000`)).rejects.toThrow(/another project/);
});

test("over REST a cursor of another generation is answered with a reset event, and the stream continues from there", async () => {
  const old = await cursor();
  await asIfPromoted();
  await inNewProcess(async (own) => {
    const rest = await serveRestOnPort(own);
    const leaving = new AbortController();
    try {
      const url = `${rest.url}/api/v1/projects/${P}/events?after=${old}`;
      const answer = await fetch(url, { signal: leaving.signal });
      expect(answer.status).toBe(200);
      let text = "";
      let hasPut = false;
      for await (const piece of answer.body ?? []) {
        text += new TextDecoder().decode(piece);
        if (!hasPut && text.includes("event: reset")) {
          hasPut = true;
          await put("after-reset", own);
        }
        if (text.includes("after-reset")) break;
      }
      const events = [...text.matchAll(/id: (\S+)\nevent: (\S+)\ndata: (.*)\n/g)].map(([, id, kind, data]) => ({
        id,
        kind,
        data,
      }));
      expect(events.map(({ kind }) => kind)).toEqual(["reset", "box"]);
      expect(JSON.parse(events[0]?.data ?? "")).toMatchObject({
        reset: true,
        reason: expect.stringMatching(/snapshot/),
      });
      // A reader that returns with the id of the reset is not reset again.
      expect(await framesAfter(own, events[0]?.id ?? "", "after-reset")).toEqual(["after-reset"]);
    } finally {
      leaving.abort();
      await rest.close();
    }
  });
});

test("a partitioned journal accepts frames again, although its partitions begin at ids of another server", async () => {
  await query(`BEGIN; ${parts}; COMMIT`);
  await query("SELECT state.journal_cut()");
  await put("of-before");
  // The first part has been dropped long ago; the open one begins far above this server's ids.
  await query(`DROP TABLE state.journal_packs_0; DELETE FROM state.journal_parts WHERE part = 0;
    ALTER TABLE state.journal_packs DETACH PARTITION state.journal_packs_1; UPDATE state.journal_packs_1 SET xid = '90000000';
    ALTER TABLE state.journal_packs ATTACH PARTITION state.journal_packs_1 FOR VALUES FROM ('80000000') TO (MAXVALUE);
    UPDATE state.journal_parts SET from_xid = '80000000'; UPDATE state.installation SET system_identifier = 4712`);
  await expect(put("refused")).rejects.toThrow(/no partition/);
  await inNewProcess(async (own) => {
    const fresh = await cursor(own);
    await put("taken", own);
    expect(await framesAfter(own, fresh, "taken")).toEqual(["taken"]);
  });
  const aside = await query(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'state' AND tablename LIKE 'journal_before_%'",
  );
  expect(aside).toHaveLength(1);
});
