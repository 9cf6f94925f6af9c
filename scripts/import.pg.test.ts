// The command as a person runs it: a process of its own, its exit code and its words.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestDatabase, type TestDatabase } from "@/server/testing/database";

// Each run is a process that compiles itself first.
vi.setConfig({ testTimeout: 120_000 });

let db: TestDatabase;
let dir: string;
beforeAll(async () => {
  db = await openTestDatabase();
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "switchyard-import-"));
  const log = {
    question: "Why?",
    history: [
      { role: "human", content: "Why?" },
      { role: "Helper", content: "Because" },
    ],
  };
  fs.writeFileSync(path.join(dir, "good.json"), JSON.stringify(log));
  fs.writeFileSync(path.join(dir, "bad.json"), '{"history": [\n{"role": "human"}]}');
});
afterAll(async () => {
  fs.rmSync(dir, { recursive: true, force: true });
  await db.close();
});

type Outcome = { code: number | null; out: string; err: string };

function run(...args: string[]): Promise<Outcome> {
  const root = path.resolve(import.meta.dirname, "..");
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/import.ts", ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: db.url, SWITCHYARD_LOG: "warn" },
  });
  const outcome: Outcome = { code: null, out: "", err: "" };
  child.stdout.on("data", (text) => (outcome.out += text));
  child.stderr.on("data", (text) => (outcome.err += text));
  return new Promise((done) => child.on("close", (code) => done({ ...outcome, code })));
}
const file = (name: string) => path.join(dir, name);

test("a good file goes into the project imports, once", async () => {
  const first = await run(file("good.json"));
  expect([first.code, first.err]).toEqual([0, ""]);
  expect(first.out).toMatch(
    /^good\.json: 2 turns, 1 edges, 2 agents, \d+ cards in \d+ boxes, run turn_[0-9a-f]{32}\n$/,
  );
  const second = await run(file("good.json"));
  expect([second.code, second.out]).toEqual([0, expect.stringContaining("already imported")]);
  const { rows } = await db.pool.query("SELECT project_id, number FROM state.runs");
  expect(rows).toEqual([{ project_id: "imports", number: 1 }]);
});

test("a refused file says where, ends with 1, and does not keep the others out", async () => {
  const { code, out, err } = await run(file("bad.json"), file("absent.json"), file("good.json"));
  expect(code).toBe(1);
  expect(err).toContain("bad.json: not imported: history.0.content is missing");
  expect(err).toContain("absent.json: not imported: ENOENT");
  expect(out).toContain("1 of 3 files are in project imports");
});

test("an unknown project and no file at all", async () => {
  const unknown = await run(file("good.json"), "--project", "elsewhere");
  expect([unknown.code, unknown.err]).toEqual([
    1,
    expect.stringContaining("Project elsewhere not found. Existing projects: imports"),
  ]);
  const none = await run("--project", "imports");
  expect([none.code, none.err]).toEqual([2, expect.stringContaining("Usage: npm run import")]);
});
