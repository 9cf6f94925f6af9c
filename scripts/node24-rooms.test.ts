import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeScratch } from "@/server/testing/scratch";
import { rooms, testsOf } from "./node24-rooms";

const root = path.join(import.meta.dirname, "..");
let dir: string;
beforeEach(() => {
  dir = makeScratch();
  fs.mkdirSync(path.join(dir, "room/inner"), { recursive: true });
  for (const file of ["room/a.pg.test.ts", "room/inner/b.pg.test.ts", "room/c.test.ts", "room/d.ts"])
    fs.writeFileSync(path.join(dir, file), "");
});
afterEach(() => fs.rmSync(dir, { recursive: true }));

test("every room is there and has database tests of its own", () => {
  const all = rooms.flatMap((room) => testsOf(room, root));
  expect(new Set(all).size).toBe(all.length);
  for (const file of all) expect(fs.existsSync(path.join(root, file)), file).toBe(true);
});

test("what uses the runtime most is among them", () => {
  const all = rooms.flatMap((room) => testsOf(room, root));
  for (const file of [
    "server/embedded/embedded.pg.test.ts",
    "server/doorbell/nats-doorbell.pg.test.ts",
    "server/worker/tools/mcp.pg.test.ts",
    "server/worker/streamed-turns.pg.test.ts",
    "server/interop/rest/heavy-bodies.pg.test.ts",
    "server/kernel/journal/journal.pg.test.ts",
    "scripts/worker.pg.test.ts",
  ])
    expect(all).toContain(file);
});

test("a folder's database tests are found at any depth, without those that are left out", () => {
  expect(testsOf({ at: "room", uses: "" }, dir)).toEqual(["room/a.pg.test.ts", "room/inner/b.pg.test.ts"]);
  expect(testsOf({ at: "room", uses: "", without: ["room/a.pg.test.ts"] }, dir)).toEqual(["room/inner/b.pg.test.ts"]);
  expect(testsOf({ at: "room/a.pg.test.ts", uses: "" }, dir)).toEqual(["room/a.pg.test.ts"]);
});

test("a room that moved, has no tests left or leaves out what is not there is refused", () => {
  expect(() => testsOf({ at: "moved", uses: "" }, dir)).toThrow("moved not found. Correct scripts/node24-rooms.ts.");
  expect(() => testsOf({ at: "room/d.ts", uses: "" }, dir)).toThrow("room/d.ts has no database test.");
  expect(() => testsOf({ at: "room", uses: "", without: ["room/z.pg.test.ts"] }, dir)).toThrow(
    "room: room/z.pg.test.ts not found.",
  );
});
