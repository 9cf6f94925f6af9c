// The journal in partitions, as docs/journal-partitions.sql creates them: turns run, tails read across partitions, an end is
// still reported once, and what is dropped is remembered.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProject } from "@/server/kernel/roster/create-project";
import { openTestKernel, seedProject, type TestKernel, untilVisible } from "@/server/testing/kernel";
import { framesOf, launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { streamFrames } from "../read-models/stream-frames";
import { dropOldFrames } from "../reclaim/drop-old-frames";
import { formatCursor, type Place, parseCursor } from "./cursor";
import { readCursor } from "./read-cursor";
import { tailJournal } from "./tail-journal";

const P = "p1";
const sql = fs.readFileSync(path.join(import.meta.dirname, "../../../docs/journal-partitions.sql"), "utf8");
let kernel: TestKernel;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [scripted("Solo", [{ deliver: "x" }])]);
});
afterAll(() => kernel.close());

const query = (text: string) => kernel.test.pool.query(text);
const begin: Place = { xid: "0", event_id: "0" };

async function runTurn(): Promise<string> {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  await untilTurn(kernel, P, agent_turn_id);
  return agent_turn_id;
}

async function allFrames(): Promise<string[]> {
  await untilVisible(kernel);
  const ids = [];
  for (let after = begin, isFull = true; isFull; ) {
    const tail = await tailJournal(kernel, { project_id: P, after, limit: 7 });
    ids.push(...tail.frames.map(({ frame }) => `${frame.kind} ${frame.id} ${frame.rev}`));
    after = tail.cursor;
    isFull = tail.is_full;
  }
  return ids;
}

test("a partitioned journal continues in order, and dropped partitions are recorded", async () => {
  const worker = await startTestWorker(kernel);
  const first = await runTurn();
  const before = await allFrames();
  await query(`BEGIN; ${sql}; COMMIT;`);
  expect(await allFrames()).toEqual(before);
  await query("SELECT state.journal_cut()");
  const second = await runTurn();
  await query("SELECT state.journal_cut()");
  const third = await runTurn();
  await worker.stop();
  const after = await allFrames();
  expect(after.slice(0, before.length)).toEqual(before);
  const { rows } = await query("SELECT DISTINCT tableoid::regclass::text AS part FROM state.journal_packs ORDER BY 1");
  expect(rows.map((row) => row.part)).toEqual([0, 1, 2].map((part) => `state.journal_packs_${part}`));
  const ends = (await framesOf(kernel, P, "task")).map((frame) => frame.id);
  for (const turn of [first, second, third]) expect(ends.filter((id) => id === turn)).toHaveLength(1);
  const kept = `SELECT DISTINCT concat(attstorage, attcompression) AS how FROM pg_attribute
    WHERE attrelid = ANY (ARRAY(SELECT inhrelid FROM pg_inherits WHERE inhparent = 'state.journal_packs'::regclass)) AND attname = 'frames'`;
  expect((await query(kept)).rows).toEqual([{ how: "mp" }]);

  // The daily job drops whole partitions. The watchdog continues to drop rows as well.
  await query("UPDATE state.journal_parts SET closed_at = now() - interval '31 days' WHERE part = 0");
  expect((await query("SELECT state.journal_drop('30 days') AS n")).rows[0].n).toBe(1);
  await dropOldFrames(kernel);
  expect(await allFrames()).toEqual(after.slice(before.length));
  const old = formatCursor(P, { ...parseCursor(P, await readCursor(kernel, P)), ...begin });
  const stream = streamFrames(kernel, { project_id: P, after: old, signal: AbortSignal.timeout(5_000) });
  await expect(stream.next()).rejects.toThrow(/older than the frames that are kept/);
  await createProject(kernel, { project_id: "p2", title: "still written to" });
});
