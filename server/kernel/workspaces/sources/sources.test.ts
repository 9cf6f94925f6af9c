// A folder, a tar and a git bundle of one tree must give the same files: a pack is built from any of them. Trees lie in
// temporary folders; the bundles are made by git, which only tests may start.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { readBundle } from "./read-bundle";
import { readFolder } from "./read-folder";
import { readFromFolder } from "./read-from-folder";
import { readTar } from "./read-tar";
import { type Skipped, SourceFault, type SourceFile, type SourceLimits } from "./source";

const limits: SourceLimits = { filesMax: 1_000, fileBytesMax: 100_000, totalBytesMax: 1_000_000 };
const made: string[] = [];
// A folder for temporary files of its own: other tests that run beside this one make and remove their own uploads.
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "sy-sources-"));
vi.stubEnv("TMPDIR", scratch);

afterAll(() => {
  vi.unstubAllEnvs();
  fs.rmSync(scratch, { recursive: true, force: true });
});

afterEach(() => {
  for (const folder of made.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

function folderOf(files: Record<string, string | Uint8Array>): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "sy-tree-"));
  made.push(root);
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), content);
  }
  return root;
}

const tree = {
  ".gitignore": "*.log\n/build/\n!kept.log\nnode_modules\n",
  "a.ts": "export const a = 1;\n",
  "b.log": "left out",
  "kept.log": "kept",
  "build/out.js": "left out",
  "sub/build/in.js": "kept: the pattern is anchored",
  "sub/.gitignore": "*.tmp\n!b.log\n",
  "sub/x.tmp": "left out",
  "sub/b.log": "kept by the nearer .gitignore",
  "node_modules/p/index.js": "left out",
  "node_modules/p/.gitignore": "!index.js",
  "ü/ß 漢字.md": "names beyond ASCII",
  "bin/data": Uint8Array.from([0, 255, 254, 1]),
  empty: "",
};
const kept = [".gitignore", "a.ts", "bin/data", "empty", "kept.log", "sub/.gitignore", "sub/b.log", "sub/build/in.js"];

const git = (root: string, ...args: string[]) =>
  execFileSync(
    "git",
    ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main", ...args],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );

function bundleOf(root: string, ...args: string[]): Buffer {
  git(root, "init", "-q");
  git(root, "add", "-A", "-f");
  git(root, "commit", "-qm", "all");
  git(root, "bundle", "create", "-q", ".git/x.bundle", ...(args.length > 0 ? args : ["HEAD"]));
  return fs.readFileSync(path.join(root, ".git/x.bundle"));
}

const tarOf = (root: string, ...args: string[]) =>
  execFileSync("tar", ["-C", root, "-cf", "-", ...(args.length > 0 ? args : ["."])], { maxBuffer: 1e8 });

async function* bytesOf(bytes: Uint8Array, size = 4_096): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(source: AsyncIterable<SourceFile | Skipped>) {
  const files: Record<string, string> = {};
  const skipped: Record<string, string> = {};
  for await (const one of source) {
    if ("reason" in one) skipped[one.path] = one.reason;
    else {
      const bytes = await one.read();
      expect(bytes.byteLength).toBe(one.size);
      files[one.path] = createHash("sha256").update(bytes).digest("hex");
    }
  }
  return { files, skipped };
}

const spools = () => fs.readdirSync(scratch).filter((name) => name.startsWith("switchyard-workspace-"));

async function faultOf(source: AsyncIterable<SourceFile | Skipped> | Promise<unknown>): Promise<SourceFault> {
  const before = spools();
  const failed = await (source instanceof Promise ? source : readAll(source)).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(SourceFault);
  expect(spools()).toEqual(before);
  return failed as SourceFault;
}

test("a folder, a tar, a tar.gz and a bundle of one tree give the same files", async () => {
  const root = folderOf(tree);
  const fromFolder = await readAll(readFolder(root, limits));
  expect(Object.keys(fromFolder.files).sort()).toEqual([...kept, "ü/ß 漢字.md"]);
  expect(fromFolder.skipped).toEqual({});
  const before = spools();
  const tar = tarOf(root);
  expect(await readAll(readTar(bytesOf(tar), limits))).toEqual(fromFolder);
  expect(await readAll(readTar(bytesOf(gzipSync(tar), 1), limits))).toEqual(fromFolder);
  const bundle = bundleOf(root);
  expect(await readAll(readBundle(bytesOf(bundle), limits))).toEqual(fromFolder);
  expect(await readAll(readBundle(bytesOf(bundle, 7), limits))).toEqual(fromFolder);
  // The folder has a .git by now.
  expect(await readAll(readFolder(root, limits))).toEqual(fromFolder);
  expect(spools()).toEqual(before);
});

test("a bundle with a history, deltas and a tag is read at its newest commit", async () => {
  const lines = Array.from({ length: 2_000 }, (_, i) => `line ${i}`);
  const root = folderOf({ "big.txt": lines.join("\n"), "old.txt": "gone later" });
  bundleOf(root);
  fs.rmSync(path.join(root, "old.txt"));
  lines[1_000] = "changed";
  fs.writeFileSync(path.join(root, "big.txt"), lines.join("\n"));
  git(root, "add", "-A");
  git(root, "commit", "-qm", "second");
  git(root, "tag", "-a", "-m", "tagged", "v1");
  git(root, "gc", "-q");
  git(root, "bundle", "create", "-q", ".git/x.bundle", "v1");
  const bundle = fs.readFileSync(path.join(root, ".git/x.bundle"));
  const { files } = await readAll(readBundle(bytesOf(bundle), limits));
  expect(files).toEqual((await readAll(readFolder(root, limits))).files);
});

test("links, large files and bad names are left out and told, the same in all three", async () => {
  const root = folderOf({ "a.txt": "a", "large.bin": new Uint8Array(100_001), "back\\slash": "x" });
  fs.symlinkSync("/etc/passwd", path.join(root, "out"));
  fs.symlinkSync("/etc", path.join(root, "etc"));
  const expected = { out: "link", etc: "link", "large.bin": "too_large", "back\\slash": "bad_name" };
  const found = await readAll(readFolder(root, limits));
  expect(found.skipped).toEqual(expected);
  expect(Object.keys(found.files)).toEqual(["a.txt"]);
  expect(await readAll(readTar(bytesOf(tarOf(root)), limits))).toEqual(found);
  expect(await readAll(readBundle(bytesOf(bundleOf(root)), limits))).toEqual(found);
});

test("a pipe and a name that is no UTF-8 don't hold up the reading of a folder", async () => {
  const root = folderOf({ "a.txt": "a" });
  execFileSync("mkfifo", [path.join(root, "pipe")]);
  if (process.platform === "linux") {
    fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff])]), "x");
    fs.mkdirSync(Buffer.concat([Buffer.from(`${root}/worse`), Buffer.from([0xff])]));
  }
  const { files, skipped } = await readAll(readFolder(root, limits));
  expect(Object.keys(files)).toEqual(["a.txt"]);
  expect(skipped.pipe).toBe("special");
  if (process.platform === "linux") {
    expect(skipped["bad\uFFFD"]).toBe("bad_name");
    expect(await readAll(readTar(bytesOf(tarOf(root, "--exclude=./worse*", ".")), limits))).toEqual({
      files,
      skipped: { pipe: "special", "bad\uFFFD": "bad_name" },
    });
  }
});

test("names of a tar that lead out of it are left out and told", async () => {
  const tar = pack();
  for (const name of ["../up", "/etc/absolute", "a/../../b", "c//d", "e/./f", "ok.txt", ".git/config", "sub/.GIT/x"])
    tar.entry({ name }, "x");
  tar.entry({ name: "hard", type: "link", linkname: "ok.txt" });
  tar.entry({ name: "device", type: "character-device" });
  tar.finalize();
  const { files, skipped } = await readAll(readTar(tar as AsyncIterable<Uint8Array>, limits));
  expect(Object.keys(files)).toEqual(["ok.txt"]);
  expect(skipped).toEqual({
    "../up": "bad_name",
    "/etc/absolute": "bad_name",
    "a/../../b": "bad_name",
    "c//d": "bad_name",
    "e/./f": "bad_name",
    hard: "link",
    device: "special",
  });
});

test("a folder that became a link after its names were read leads nowhere", async () => {
  const outside = folderOf({ "secret.txt": "secret" });
  const root = folderOf({ "in/secret.txt": "public" });
  const fault = await faultOf(
    (async function* () {
      for await (const one of readFolder(root, limits)) {
        fs.renameSync(path.join(root, "in"), path.join(root, "away"));
        fs.symlinkSync(outside, path.join(root, "in"));
        yield one;
      }
    })(),
  );
  expect(fault).toMatchObject({ code: "workspace_changed", path: "in/secret.txt" });
  const digest = createHash("sha256").update("secret").digest("hex");
  expect(await faultOf(readFromFolder(root, "in/secret.txt", digest, limits))).toMatchObject({
    code: "workspace_changed",
  });
});

test("a file that changes or goes, and a folder that goes, are errors with a name", async () => {
  const root = folderOf({ "a.txt": "one" });
  const digest = createHash("sha256").update("one").digest("hex");
  expect(Buffer.from(await readFromFolder(root, "a.txt", digest, limits)).toString()).toBe("one");
  fs.writeFileSync(path.join(root, "a.txt"), "two");
  expect(await faultOf(readFromFolder(root, "a.txt", digest, limits))).toMatchObject({
    code: "workspace_changed",
    path: "a.txt",
    message: "a.txt: changed since the workspace was indexed. Index the workspace again",
  });
  const grown = faultOf(
    (async function* () {
      for await (const one of readFolder(root, limits)) {
        fs.appendFileSync(path.join(root, "a.txt"), "more");
        yield one;
      }
    })(),
  );
  expect(await grown).toMatchObject({ code: "workspace_changed" });
  fs.rmSync(path.join(root, "a.txt"));
  expect(await faultOf(readFromFolder(root, "a.txt", digest, limits))).toMatchObject({ code: "workspace_gone" });
  expect(await faultOf(readFromFolder(root, "../a.txt", digest, limits))).toMatchObject({ code: "workspace_refused" });
  fs.rmSync(root, { recursive: true });
  expect(await faultOf(readFolder(root, limits))).toMatchObject({ code: "workspace_gone" });
});

test("too many files, too many bytes and what unpacks to too much are refused", async () => {
  const root = folderOf(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i}`, "x".repeat(50_000)])));
  const few = { ...limits, filesMax: 10 };
  const small = { ...limits, totalBytesMax: 500_000 };
  const tar = tarOf(root);
  const bundle = bundleOf(root);
  for (const own of [few, small])
    for (const source of [readFolder(root, own), readTar(bytesOf(tar), own), readBundle(bytesOf(bundle), own)])
      expect(await faultOf(source)).toMatchObject({ code: "workspace_refused" });
  const bomb = gzipSync(tarOf(folderOf({ zeros: new Uint8Array(8_000_000) })));
  expect(bomb.byteLength).toBeLessThan(10_000);
  expect((await faultOf(readTar(bytesOf(bomb), limits))).message).toContain("unpacks to more than 4000000 bytes");
  const zeros = folderOf({ zeros: new Uint8Array(70_000_000) });
  expect((await faultOf(readBundle(bytesOf(bundleOf(zeros)), limits))).message).toContain("an object of more than");
  const history = folderOf({ zeros: new Uint8Array(9_000_000) });
  expect((await faultOf(readBundle(bytesOf(bundleOf(history)), limits))).message).toContain("history unpacks to more");
});

test("damaged and unsuitable uploads are refused with their remedy", async () => {
  const root = folderOf({ "a.txt": "one" });
  const bundle = bundleOf(root);
  const tar = gzipSync(tarOf(root));
  const noise = Buffer.from("no archive at all".repeat(100));
  const cases: [AsyncIterable<SourceFile | Skipped>, string][] = [
    [readTar(bytesOf(noise), limits), "the tar can't be read"],
    [readTar(bytesOf(Buffer.alloc(0)), limits), "the tar can't be read"],
    [readTar(bytesOf(tar.subarray(0, tar.byteLength - 20)), limits), "the gzip can't be unpacked"],
    [readBundle(bytesOf(noise), limits), "no git bundle"],
    [readBundle(bytesOf(bundle.subarray(0, bundle.byteLength - 30)), limits), "the bundle"],
    [readBundle(bytesOf(bundle.subarray(0, bundle.indexOf("\n\n") + 2)), limits), "has no pack"],
  ];
  fs.writeFileSync(path.join(root, "b.txt"), "two");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "second");
  git(root, "bundle", "create", "-q", ".git/thin.bundle", "HEAD~1..HEAD");
  const thin = fs.readFileSync(path.join(root, ".git/thin.bundle"));
  cases.push([readBundle(bytesOf(thin), limits), "it needs commits that it doesn't hold"]);
  for (const [source, words] of cases) {
    const fault = await faultOf(source);
    expect(fault.code).toBe("workspace_refused");
    expect(fault.message).toContain(words);
    expect(fault.message).toContain("Make it again with");
  }
});

test("an upload that breaks off leaves nothing behind", async () => {
  const before = spools();
  async function* broken(bytes: Uint8Array) {
    yield bytes.subarray(0, 300);
    throw new Error("connection lost");
  }
  const root = folderOf(tree);
  await expect(readAll(readTar(broken(tarOf(root)), limits))).rejects.toThrow("connection lost");
  await expect(readAll(readBundle(broken(bundleOf(root)), limits))).rejects.toThrow("connection lost");
  for await (const one of readTar(bytesOf(tarOf(root)), limits)) if ("size" in one) break;
  expect(spools()).toEqual(before);
});
