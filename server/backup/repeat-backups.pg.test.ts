// Backups by a schedule: the real ones, of a real database, and the process as it is started and stopped.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { readManifest } from "./manifest";
import { type RepeatInput, repeatBackups } from "./repeat-backups";
import { saveTables } from "./save-tables";

const HOUR = 3_600_000;
let kernel: TestKernel;
let dir: string;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p");
});
afterAll(() => kernel.close());
beforeEach(() => {
  dir = makeScratch();
});
afterEach(() => removeScratch(dir));

const names = () => fs.readdirSync(dir).toSorted();
const save: RepeatInput["save"] = async (folder, signal) => {
  await saveTables(kernel.test.url, folder, signal);
  return folder;
};

/** Runs until `until` is true of what is there and what was said. */
async function repeated(more: Partial<RepeatInput>, until: (said: string[]) => boolean): Promise<string[]> {
  const stop = new AbortController();
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const input = { dir, everyMs: 50, keep: 2, save, say, complain: say, signal: stop.signal, ...more };
  const running = repeatBackups(input);
  try {
    await vi.waitUntil(() => until(said), { timeout: 60_000 });
  } finally {
    stop.abort();
    await running;
  }
  return said;
}

/** A whole backup of a time that is past, as the schedule would have named it. */
async function saveAt(time: string): Promise<string> {
  const name = `yard-${time}Z`;
  await saveTables(kernel.test.url, path.join(dir, name));
  return name;
}

test("the oldest go once a newer one is whole; what is not ours or not whole stays", async () => {
  const [, , newest] = [
    await saveAt("2026-01-01T00-00-00"),
    await saveAt("2026-01-02T00-00-00"),
    await saveAt("2026-01-03T00-00-00"),
  ];
  for (const other of ["by-hand", "yard-2026-01-01", "yard-2025-01-01T00-00-00Z"]) fs.mkdirSync(path.join(dir, other));
  fs.mkdirSync(path.join(dir, "yard-2026-01-04T00-00-00Z.part"));
  await repeated({ everyMs: HOUR }, (said) => said.filter((line) => line.includes("removed")).length === 2);
  const [own] = names().filter((name) => name.startsWith("yard-20") && name > newest);
  expect(names()).toEqual(["by-hand", "yard-2025-01-01T00-00-00Z", "yard-2026-01-01", newest, own].toSorted());
  expect(readManifest(path.join(dir, own ?? ""))).toMatchObject({ format: "switchyard-tables-1" });
});

test("a failed one is said and removes nothing, and the next is tried at its time", async () => {
  const old = [
    await saveAt("2026-01-01T00-00-00"),
    await saveAt("2026-01-02T00-00-00"),
    await saveAt("2026-01-03T00-00-00"),
  ];
  let tries = 0;
  const failing: RepeatInput["save"] = async (folder, signal) => {
    if (++tries === 1) throw new Error("the disk is full");
    return save(folder, signal);
  };
  const seen: { line: string; there: string[] }[] = [];
  const complain = (line: string) => void seen.push({ line, there: names() });
  await repeated({ everyMs: 1_500, save: failing, complain }, () => tries >= 2 && names().length === 2);
  expect(seen).toEqual([
    {
      line: expect.stringMatching(/^The backup failed: the disk is full\. The next backup runs at 20\d\d-\d\d-\d\dT/),
      there: old,
    },
  ]);
});

test("started again it waits for the time of the next", async () => {
  const now = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const newest = await saveAt(now);
  const stop = new AbortController();
  let tries = 0;
  const counted: RepeatInput["save"] = (folder) => {
    tries++;
    return Promise.resolve(folder);
  };
  const say = () => undefined;
  const running = repeatBackups({
    dir,
    everyMs: HOUR,
    keep: 1,
    save: counted,
    say,
    complain: say,
    signal: stop.signal,
  });
  await new Promise((done) => setTimeout(done, 200));
  stop.abort();
  await running;
  expect([tries, names()]).toEqual([0, [newest]]);
});

test("told to stop in the middle of one, it leaves no half of it and removes nothing", async () => {
  const old = await saveAt("2026-01-01T00-00-00");
  const holder = await kernel.db.pool.connect();
  try {
    // It waits for this table, in the middle of its own.
    await holder.query("BEGIN; LOCK TABLE state.agent_turns IN ACCESS EXCLUSIVE MODE");
    await repeated({}, () => names().some((name) => name.endsWith(".part")));
    expect(names()).toEqual([old]);
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
});

test("the process: SIGTERM in the middle of a backup ends it with 0 and without a half", async () => {
  const holder = await kernel.db.pool.connect();
  await holder.query("BEGIN; LOCK TABLE state.agent_turns IN ACCESS EXCLUSIVE MODE");
  const args = ["--import", "tsx", "scripts/db.ts", "backup", dir, "--every", "1h", "--keep", "2"];
  const child = spawn(process.execPath, args, {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: { ...process.env, DATABASE_URL: kernel.test.url },
    stdio: ["ignore", "inherit", "inherit"],
  });
  try {
    const code = new Promise((done) => child.once("exit", done));
    await vi.waitUntil(() => names().some((name) => /^yard-.*Z\.part$/.test(name)), { timeout: 60_000 });
    child.kill("SIGTERM");
    expect(await code).toBe(0);
    expect(names()).toEqual([]);
  } finally {
    child.kill("SIGKILL");
    await holder.query("ROLLBACK");
    holder.release();
  }
}, 90_000);
