// One indexes a workspace at a time: who has lost the hold writes and deletes nothing, and a pack that was reading is told.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pack } from "tar-stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { withUnit } from "../unit";
import { deleteWorkspace } from "./delete-workspace";
import { failHold } from "./fail-hold";
import { beat, takeHold } from "./hold";
import { indexTree } from "./index-tree";
import { indexWorkspace } from "./index-workspace";
import { whileHeld } from "./keep-hold";
import { openWorkspace } from "./open-workspace";
import { putContent } from "./put-content";
import { listWorkspaces, readWorkspace } from "./read-workspaces";
import { saveWorkspace } from "./save-workspace";
import type { SourceFile } from "./sources/source";

let kernel: TestKernel;
const project_id = "holds";
const root = fs.mkdtempSync(path.join(os.tmpdir(), "holds-"));
const code = { project_id, name: "code" };
const none = { seen: 0, done: 0, skipped: {} };

beforeAll(async () => {
  kernel = await openTestKernel({ workspaceFolders: { code: { path: root } } });
  await seedProject(kernel, project_id);
});
afterAll(async () => {
  await kernel.close();
  fs.rmSync(root, { recursive: true, force: true });
});
beforeEach(async () => {
  fs.writeFileSync(path.join(root, "a.txt"), "first words\n");
  await withUnit(kernel, (unit) => saveWorkspace(unit, { ...code, kind: "folder" }));
  await (await indexWorkspace(kernel, code)).over;
});

const expire = () => kernel.db.pool.query("UPDATE resource.workspaces SET lease_until = now() - interval '1 s'");
const file = (name: string): SourceFile => ({ path: name, size: 4, read: async () => Buffer.from("text") });

async function tarOf(name: string): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name }, "text");
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
async function* parts(bytes: Uint8Array) {
  yield bytes;
}

test("who was replaced writes nothing, deletes nothing of the next one, and is told why", async () => {
  const former = await takeHold(kernel, code);
  await expire();
  const next = await takeHold(kernel, code);
  await withUnit(kernel, (unit) => beat(unit, next, none));
  const source = async function* () {
    yield file("late.txt");
  };
  const before = await countRows(kernel);
  const late = indexTree(kernel, former, { kind: "folder", source: source() });
  await expect(late).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("another index") });
  await failHold(kernel, former, new Error("late"));
  expect(await countRows(kernel)).toEqual(before);
  expect(await readWorkspace(kernel, code)).toMatchObject({ state: "indexing", error: null });
  await indexTree(kernel, next, { kind: "folder", source: source() });
  expect(await readWorkspace(kernel, code)).toMatchObject({ state: "ready", files: 1 });
});

test("a workspace that is deleted while it is indexed is gone, and its index ends", async () => {
  const hold = await takeHold(kernel, code);
  await withUnit(kernel, (unit) => deleteWorkspace(unit, code));
  const source = async function* () {
    yield file("late.txt");
  };
  await expect(indexTree(kernel, hold, { kind: "folder", source: source() })).rejects.toMatchObject({
    code: "not_found",
  });
  await failHold(kernel, hold, new Error("late"));
  expect(await listWorkspaces(kernel, project_id)).toEqual([]);
});

test("a hold is kept while its work is under way, however long that takes", async () => {
  const hold = await takeHold(kernel, code);
  await expire();
  await whileHeld(
    kernel,
    hold,
    () =>
      expect
        .poll(async () => (await readWorkspace(kernel, code)).state, { timeout: 5_000 })
        // Without a renewal it reads as failed.
        .toBe("indexing"),
    20,
  );
  await expect(takeHold(kernel, code)).rejects.toMatchObject({ code: "conflict" });
  await failHold(kernel, hold, new Error("over"));
});

test("a first upload that is refused leaves nothing; a refused one leaves content and kind as they were", async () => {
  const put = (bytes: Uint8Array) => putContent(kernel, { project_id, name: "sent", parts: parts(bytes) });
  const empty = await countRows(kernel);
  await expect(put(Buffer.from("no tar"))).rejects.toMatchObject({ code: "workspace_refused" });
  expect(await countRows(kernel)).toEqual(empty);
  const tar = await put(await tarOf("one.txt"));
  await expect(put(Buffer.from(`# v2 git bundle\n${"a".repeat(40)} HEAD\n\nPACK`))).rejects.toMatchObject({
    code: "workspace_refused",
  });
  expect(await readWorkspace(kernel, { project_id, name: "sent" })).toMatchObject({
    kind: "tar",
    snapshot_sha256: tar.snapshot_sha256,
  });
});

test("an upload that fails half way leaves none of its bytes", async () => {
  const stored = () => kernel.db.pool.query("SELECT sha256 FROM resource.artifacts").then(({ rows }) => rows.length);
  const before = await stored();
  const name = "half";
  await withUnit(kernel, (unit) => saveWorkspace(unit, { project_id, name, kind: "tar" }));
  const hold = await takeHold(kernel, { project_id, name });
  const source = async function* () {
    for (let i = 0; i < 200; i++) yield { ...file(`${i}.txt`), read: async () => Buffer.from(`text ${i}`) };
    expect(await stored()).toBeGreaterThan(before);
    throw new Error("the sender has gone");
  };
  const failed = await indexTree(kernel, hold, { kind: "tar", source: source() }).catch((error: unknown) => error);
  expect(failed).toMatchObject({ message: "the sender has gone" });
  await failHold(kernel, hold, failed);
  expect(await stored()).toBe(before);
});

test("a pack that reads while another index is shown is refused, to be asked for again", async () => {
  const view = await openWorkspace(kernel, code);
  const { files } = await view.snapshot();
  expect(await view.search("first", 5)).toHaveLength(1);
  fs.writeFileSync(path.join(root, "a.txt"), "other words here\n");
  await (await indexWorkspace(kernel, code)).over;
  const changed = { code: "workspace_changed", message: expect.stringContaining("repeat the request") };
  await expect(view.search("first", 5)).rejects.toMatchObject(changed);
  await expect(view.read([files[0]?.sha256 ?? ""])).rejects.toMatchObject(changed);
  await expect(view.snapshot()).rejects.toMatchObject(changed);
});

test("a server indexes so many at a time: a further folder waits and says so, an upload is told to come again", async () => {
  const taken = Array.from({ length: kernel.tunables.indexesMax }, () => kernel.indexSlots.tryTake());
  expect(taken).not.toContain(null);
  const { over } = await indexWorkspace(kernel, code);
  expect(await readWorkspace(kernel, code)).toMatchObject({ state: "indexing", is_waiting: true, seen: 0 });
  await expect(indexWorkspace(kernel, code)).rejects.toMatchObject({ code: "conflict" });
  const before = await countRows(kernel);
  const put = async () => putContent(kernel, { project_id, name: "late", parts: parts(await tarOf("one.txt")) });
  await expect(put()).rejects.toMatchObject({ code: "busy", message: expect.stringContaining("Try again") });
  expect(await countRows(kernel)).toEqual(before);
  taken[0]?.();
  await over;
  expect(await readWorkspace(kernel, code)).toMatchObject({ state: "ready", is_waiting: false, files: 1 });
  expect(await put()).toMatchObject({ state: "ready" });
  for (const release of taken) release?.();
  // Refusals have given their places back as well.
  const all = taken.map(() => kernel.indexSlots.tryTake());
  expect(all).not.toContain(null);
  expect(kernel.indexSlots.tryTake()).toBeNull();
  for (const release of all) release?.();
});

test("what a server was indexing when it died says so as soon as its hold has run out, and can be indexed again", async () => {
  const { snapshot_sha256 } = await readWorkspace(kernel, code);
  const dead = await takeHold(kernel, code);
  await withUnit(kernel, (unit) => beat(unit, dead, { seen: 7, done: 3, skipped: {} }));
  await expire();
  expect(await readWorkspace(kernel, code)).toMatchObject({
    state: "failed",
    snapshot_sha256,
    seen: 7,
    error: { message: "the server stopped while it indexed; index the workspace again" },
  });
  // Packs are built from the former index meanwhile.
  expect(await (await openWorkspace(kernel, code)).search("first", 5)).toHaveLength(1);
  await (await indexWorkspace(kernel, code)).over;
  expect(await readWorkspace(kernel, code)).toMatchObject({ state: "ready", error: null, seen: 1 });
});
