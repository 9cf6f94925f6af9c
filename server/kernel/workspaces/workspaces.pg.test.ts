// A folder, a git bundle and a tar of the same tree are the same workspace; what leaves it, or is a bomb, is refused with its name.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PackToBuildOverRest } from "@/server/contract/context-pack/request";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { buildContextPack } from "../packs/build-context-pack";
import { readPackBytes } from "../packs/pack-bytes";
import { withUnit } from "../unit";
import { deleteWorkspace } from "./delete-workspace";
import { indexWorkspace } from "./index-workspace";
import { openWorkspace } from "./open-workspace";
import { putContent } from "./put-content";
import { readWorkspace } from "./read-workspaces";
import { saveWorkspace } from "./save-workspace";

let kernel: TestKernel;
const project_id = "spaces";
const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "workspaces-test-")));
const folder = (name: string) => path.join(scratch, name);
const names = ["code", "moving", "many", "closed"];

beforeAll(async () => {
  for (const name of names) fs.mkdirSync(folder(name));
  const workspaceFolders = Object.fromEntries(names.map((name) => [name, { path: folder(name) }]));
  kernel = await openTestKernel({
    workspaceFolders: { ...workspaceFolders, closed: { path: folder("closed"), projects: ["other"] } },
  });
  await seedProject(kernel, project_id);
});
afterAll(async () => {
  await kernel.close();
  fs.rmSync(scratch, { recursive: true, force: true });
});

const PLAN = `docs/PLAN${".md"}`;
const tree: Record<string, string | Buffer> = {
  ".gitignore": "*.log\n/out/\n!keep.log\n",
  "src/readCards.ts":
    'import { write } from "./write.js";\nexport * from "@/src/deep";\nexport const readCards = () => write;\n',
  "src/write.ts": 'export const write = () => import("./deep/index");\n',
  "src/deep/index.ts": 'import fs from "node:fs";\nexport const turntable = fs;\n',
  "src/broken.ts": "import { from 'nowhere\n",
  "src/.gitignore": "!wanted.log\n",
  "src/wanted.log": "kept by the deeper file\n",
  "keep.log": "kept\n",
  "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./*"]}}}',
  [PLAN]: "# Plan\nThe turntable turns.\n",
  "Ångström/ﬁ.txt": "other letters\n",
  "bad.txt": Buffer.from([0x41, 0xff, 0xfe]),
  "picture.bin": Buffer.from([0, 1, 2, 3]),
  ".env": "PASSWORD=hunter2hunter2\n",
};
const ignored = { "x.log": "no", "out/made.js": "no", "src/y.log": "no" };

function lay(root: string, files: Record<string, string | Buffer>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }
}

async function tarOf(files: Record<string, string | Buffer>, mtime?: Date): Promise<Buffer> {
  const tar = pack();
  for (const [name, text] of Object.entries(files)) tar.entry({ name, mtime }, text);
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function bundleOf(root: string): Buffer {
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      stdio: "pipe",
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "tree");
  git("bundle", "create", `${root}.bundle`, "HEAD");
  return fs.readFileSync(`${root}.bundle`);
}

async function* partsOf(bytes: Buffer, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const put = (name: string, bytes: Buffer, size?: number) =>
  putContent(kernel, { project_id, name, parts: partsOf(bytes, size) });
async function index(name: string) {
  await withUnit(kernel, (unit) => saveWorkspace(unit, { project_id, name, kind: "folder" }));
  await (await indexWorkspace(kernel, { project_id, name })).over;
  return readWorkspace(kernel, { project_id, name });
}
const snapshotOf = async (name: string) => (await openWorkspace(kernel, { project_id, name })).snapshot();

test("a folder, a bundle and a tar of the same tree have the same digest", async () => {
  lay(folder("code"), { ...tree, ...ignored });
  const bundle = bundleOf(folder("code"));
  // Not part of a bundle: links, and what git does not keep.
  fs.symlinkSync("/etc/passwd", path.join(folder("code"), "src/link.ts"));
  fs.symlinkSync(os.tmpdir(), path.join(folder("code"), "way-out"));
  execFileSync("sh", ["-c", 'mkfifo "$0"', path.join(folder("code"), "pipe")]);
  const indexed = await index("code");
  expect(indexed).toMatchObject({ state: "ready", error: null, files: Object.keys(tree).length });
  expect(indexed.skipped).toEqual({ link: 2, special: 1 });
  const tar = await tarOf({ ...ignored, ...tree });
  await put("as-tar", tar, 1);
  await put("as-gzip", gzipSync(tar));
  await put("as-bundle", bundle, 100);
  const { bytes } = await snapshotOf("code");
  for (const name of ["as-tar", "as-gzip", "as-bundle"]) {
    expect(await readWorkspace(kernel, { project_id, name })).toMatchObject({
      state: "ready",
      snapshot_sha256: indexed.snapshot_sha256,
    });
    expect(Buffer.from((await snapshotOf(name)).bytes).toString()).toBe(Buffer.from(bytes).toString());
  }
});

test("files are listed by the bytes of their paths, with what they import", async () => {
  const { files } = await snapshotOf("code");
  expect(files.map(({ path: at }) => at)).toEqual(
    Object.keys(tree).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );
  const imports = Object.fromEntries(files.flatMap((file) => (file.imports ? [[file.path, file.imports]] : [])));
  expect(imports).toEqual({
    "src/readCards.ts": ["src/deep/index.ts", "src/write.ts"],
    "src/write.ts": ["src/deep/index.ts"],
  });
  expect(files.filter(({ kind }) => kind === "binary").map(({ path: at }) => at)).toEqual(["bad.txt", "picture.bin"]);
});

test("the search finds parts of identifiers, in the same order each time, and nothing of a deny-listed file", async () => {
  for (const name of ["code", "as-tar", "as-bundle"]) {
    const view = await openWorkspace(kernel, { project_id, name });
    expect((await view.search("read cards", 5))[0]?.path).toBe("src/readCards.ts");
    expect((await view.search("turntable", 5)).map((hit) => hit.path)).toEqual([PLAN, "src/deep/index.ts"]);
    expect(await view.search("hunter2hunter2", 5)).toEqual([]);
    expect(await view.search("", 5)).toEqual([]);
  }
});

test("bytes are read by digest, from the disk or from what was kept, but never those of a deny-listed file", async () => {
  const { files } = await snapshotOf("code");
  const digest = (at: string) => files.find((file) => file.path === at)?.sha256 ?? "";
  const [plan, env] = [digest(PLAN), digest(".env")];
  for (const name of ["code", "as-tar", "as-bundle"]) {
    const read = await (await openWorkspace(kernel, { project_id, name })).read([plan, env, "0".repeat(64)]);
    expect([...read].map(([sha256, bytes]) => [sha256, Buffer.from(bytes).toString()])).toEqual([[plan, tree[PLAN]]]);
  }
});

test("a file that changed, and one that vanished, are named with the remedy; the next index reads only what changed", async () => {
  lay(folder("moving"), { "first.txt": "one\n", "second.txt": "two\n" });
  const first = await index("moving");
  const { files } = await snapshotOf("moving");
  const view = await openWorkspace(kernel, { project_id, name: "moving" });
  fs.writeFileSync(path.join(folder("moving"), "first.txt"), "other\n");
  fs.rmSync(path.join(folder("moving"), "second.txt"));
  const read = (i: number) => view.read([files[i]?.sha256 ?? ""]);
  await expect(read(0)).rejects.toMatchObject({ code: "workspace_changed", message: expect.stringContaining("first") });
  await expect(read(1)).rejects.toMatchObject({ code: "workspace_gone", message: expect.stringContaining("second") });
  const second = await index("moving");
  expect(second).toMatchObject({ state: "ready", files: 1 });
  expect(second.snapshot_sha256).not.toBe(first.snapshot_sha256);
  fs.rmSync(folder("moving"), { recursive: true });
  const third = await index("moving");
  expect(third).toMatchObject({ state: "failed", error: { code: "workspace_gone" } });
  // The former index is still there.
  expect(third.snapshot_sha256).toBe(second.snapshot_sha256);
  expect((await snapshotOf("moving")).sha256).toBe(second.snapshot_sha256);
});

const named = (name: string) => tarOf({ [name]: "x" });
test.each([
  ["no tar", async () => randomBytes(4_096)],
  ["nothing", async () => Buffer.alloc(0)],
  ["half a tar", async () => (await tarOf({ a: "x".repeat(5_000) })).subarray(0, 2_000)],
  ["a damaged gzip", async () => gzipSync(randomBytes(5_000)).subarray(0, 3_000)],
  ["half a bundle", async () => bundleWith(Buffer.from("PACK"))],
  ["a bundle on other commits", async () => Buffer.from(`# v2 git bundle\n-${"a".repeat(40)} x\n\nPACK`)],
])("%s is refused, and nothing is written", async (_name, bytes) => {
  const content = await bytes();
  const before = await countRows(kernel);
  const { snapshot_sha256 } = await readWorkspace(kernel, { project_id, name: "as-tar" });
  await expect(put("as-tar", content)).rejects.toMatchObject({ code: "workspace_refused" });
  expect(await countRows(kernel)).toEqual(before);
  const after = await readWorkspace(kernel, { project_id, name: "as-tar" });
  expect(after).toMatchObject({ state: "failed", snapshot_sha256, error: { code: "workspace_refused" } });
});

test("names that leave the workspace are left out and counted, and so is a file over the limit", async () => {
  const escaping = rename(await named("Xetc"), "/etc").subarray(0, 1_024);
  const large = Buffer.alloc(8_388_609);
  const rest = await tarOf({ "../x": "x", "a\\b": "x", "good.txt": "here", "large.bin": large });
  const put1 = await put("odd-names", gzipSync(Buffer.concat([escaping, rest])));
  expect(put1).toMatchObject({ state: "ready", files: 1, skipped: { bad_name: 3, too_large: 1 } });
});

/** The name in the first header, with its checksum. */
function rename(tar: Buffer, name: string): Buffer {
  tar.write(name, 0);
  tar.fill(" ", 148, 156);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return tar;
}

const bundleWith = (packed: Buffer) =>
  Buffer.concat([Buffer.from(`# v2 git bundle\n${"a".repeat(40)} HEAD\n\n`), packed]);
test("a folder of other projects, and one that nobody opened, are not found; an upload does not take a folder's name", async () => {
  for (const name of ["closed", "unheard", "constructor"])
    await expect(
      withUnit(kernel, (unit) => saveWorkspace(unit, { project_id, name, kind: "folder" })),
    ).rejects.toMatchObject({ code: "not_found", message: expect.stringContaining("SWITCHYARD_WORKSPACES") });
  await expect(put("code", await named("a"))).rejects.toMatchObject({ code: "conflict" });
});

test("other bytes with the size and the time of the former are read: a sender chooses the time", async () => {
  const first = await put("dated", await tarOf({ "same.txt": "one" }, new Date(1_000)));
  const second = await put("dated", await tarOf({ "same.txt": "two" }, new Date(1_000)));
  expect(second.snapshot_sha256).not.toBe(first.snapshot_sha256);
  await withUnit(kernel, (unit) => deleteWorkspace(unit, { project_id, name: "dated" }));
});

test("a pack of a folder, a tar and a bundle of one tree has the same bytes, without a path of the disk", async () => {
  const request = PackToBuildOverRest.parse({
    goal: "Make the turntable turn when cards are read.",
    definition_of_done: ["It turns."],
    mode: "implementation",
    node_id: "node",
  });
  const packs = [];
  for (const workspace of ["code", "as-tar", "as-bundle"]) {
    const built = await buildContextPack(kernel, { project_id, request: { ...request, workspace }, created_by: "t" });
    const [read] = await readPackBytes(kernel, { project_id, records: [built.record] });
    if (!read) throw new Error("the pack was not stored");
    packs.push(read.pack);
  }
  const [first, ...others] = packs;
  expect(first?.relevantFiles?.map((file) => file.path)).toContain("src/readCards.ts");
  expect(JSON.stringify(packs)).not.toContain(scratch);
  for (const other of others)
    expect({ ...other, packId: "", createdAt: "" }).toEqual({ ...first, packId: "", createdAt: "" });
});

test("two at once: one indexes, the other is told so", async () => {
  lay(folder("many"), Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}.txt`, `text ${i}\n`])));
  await withUnit(kernel, (unit) => saveWorkspace(unit, { project_id, name: "many", kind: "folder" }));
  const both = await Promise.allSettled([1, 2].map(() => indexWorkspace(kernel, { project_id, name: "many" })));
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  for (const one of both) if (one.status === "fulfilled") await one.value.over;
  expect(await readWorkspace(kernel, { project_id, name: "many" })).toMatchObject({ files: 300, seen: 300, done: 300 });
});

/** What a pack was built from stays with the pack. */
const OF_UPLOADS = `
  SELECT 1 FROM resource.artifacts a WHERE a.project_id = $1 AND NOT EXISTS (
    SELECT 1 FROM resource.context_pack_sources s WHERE s.project_id = a.project_id AND s.sha256 = a.sha256)
  AND NOT EXISTS (SELECT 1 FROM resource.artifact_names n WHERE n.project_id = a.project_id AND n.sha256 = a.sha256)`;

test("a deleted upload takes its bytes along, unless another workspace has them", async () => {
  const { files } = await snapshotOf("as-gzip");
  const kept = async () => (await kernel.db.pool.query(OF_UPLOADS, [project_id])).rowCount ?? 0;
  expect(await kept()).toBeGreaterThan(5);
  expect(files.length).toBeGreaterThan(5);
  const before = await kept();
  await withUnit(kernel, (unit) => deleteWorkspace(unit, { project_id, name: "as-gzip" }));
  expect(await kept()).toBe(before);
  for (const name of ["as-tar", "as-bundle"])
    await withUnit(kernel, (unit) => deleteWorkspace(unit, { project_id, name }));
  await withUnit(kernel, (unit) => deleteWorkspace(unit, { project_id, name: "odd-names" }));
  expect(await kept()).toBe(0);
});
