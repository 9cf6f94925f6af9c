// Archives of other programs, and what a hostile sender would make: each is read as the folder is, or refused with a name.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { afterAll, expect, test, vi } from "vitest";
import { readBundle } from "./read-bundle";
import { readFolder } from "./read-folder";
import { readTar } from "./read-tar";
import { type Skipped, SourceFault, type SourceFile, type SourceLimits } from "./source";

const limits: SourceLimits = { filesMax: 1_000, fileBytesMax: 100_000, totalBytesMax: 1_000_000 };
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "sy-hostile-"));
vi.stubEnv("TMPDIR", scratch);
afterAll(() => {
  vi.unstubAllEnvs();
  fs.rmSync(scratch, { recursive: true, force: true });
});

const long = `${"deep/".repeat(30)}${"n".repeat(90)}.txt`;
const tree: Record<string, string> = {
  "a.txt": "a",
  [long]: "long",
  "ü/漢 字.md": "letters",
  empty: "",
  "x\ny": "line",
};

function lay(name: string, files: Record<string, string>): string {
  const root = path.join(scratch, name);
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
  return root;
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function readAll(source: AsyncIterable<SourceFile | Skipped>) {
  const files: Record<string, string> = {};
  const skipped: Record<string, string> = {};
  for await (const one of source) {
    if ("reason" in one) skipped[one.path] = one.reason;
    else files[one.path] = Buffer.from(await one.read()).toString();
  }
  return { files, skipped };
}

async function faultOf(source: AsyncIterable<SourceFile | Skipped>): Promise<SourceFault> {
  const failed = await readAll(source).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(SourceFault);
  expect(fs.readdirSync(scratch).filter((name) => name.startsWith("switchyard-workspace-"))).toEqual([]);
  return failed as SourceFault;
}

async function tarOf(add: (tar: ReturnType<typeof pack>) => void): Promise<Buffer> {
  const tar = pack();
  add(tar);
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

test("tars of GNU tar in each format, of git archive and of Python are the folder", async () => {
  const root = lay("tree", tree);
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: root, maxBuffer: 1e8, stdio: ["ignore", "pipe", "pipe"] });
  const found = await readAll(readFolder(root, limits));
  expect(found).toEqual({ files: tree, skipped: {} });
  const made = ["gnu", "oldgnu", "pax", "posix"].map((format) => run("tar", `--format=${format}`, "-cf", "-", "."));
  const python =
    "import sys,tarfile;t=tarfile.open(fileobj=sys.stdout.buffer,mode='w|',format=int(sys.argv[1]));t.add('.')\nt.close()";
  // 1 = GNU, 2 = PAX. The first format has no room for such names.
  if (spawnSync("python3", ["--version"]).status === 0)
    made.push(...["1", "2"].map((one) => run("python3", "-c", python, one)));
  else console.info("python3 is not installed: its tars are not read");
  run("git", "init", "-q");
  run("git", "add", "-A");
  run("git", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "all");
  made.push(run("git", "archive", "--format=tar", "HEAD"), run("git", "archive", "--format=tar.gz", "HEAD"));
  for (const tar of made) expect(await readAll(readTar(bytesOf(tar), limits))).toEqual(found);
});

test("sparse files and hard links out of the tree are left out and told", async () => {
  const root = lay("sparse", { "a.txt": "a" });
  const hole = fs.openSync(path.join(root, "hole"), "w");
  fs.writeSync(hole, "end", 60_000);
  fs.closeSync(hole);
  for (const format of ["gnu", "pax"]) {
    const tar = execFileSync("tar", ["-C", root, "--sparse", `--format=${format}`, "-cf", "-", "."]);
    const { files, skipped } = await readAll(readTar(bytesOf(tar), limits));
    expect(Object.keys(files)).toEqual(["a.txt"]);
    expect(Object.values(skipped)).toEqual(["special"]);
  }
  const linked = await tarOf((tar) => {
    tar.entry({ name: "out", type: "link", linkname: "/etc/passwd" });
    tar.entry({ name: "up", type: "link", linkname: "../../etc/passwd" });
    tar.entry({ name: "sub", type: "symlink", linkname: "/etc" });
  });
  const { files, skipped } = await readAll(readTar(bytesOf(linked), limits));
  expect({ files, skipped }).toEqual({ files: {}, skipped: { out: "link", up: "link", sub: "link" } });
  const through = await tarOf((tar) => {
    tar.entry({ name: "sub", type: "symlink", linkname: "/etc" });
    tar.entry({ name: "sub/passwd" }, "x");
  });
  expect((await faultOf(readTar(bytesOf(through), limits))).message).toContain("as a folder and as something else");
});

test("sizes that a header makes up are refused, and hold no memory", async () => {
  for (const size of ["9007199254740993", "1152921504606846976", "-1", "1e3", "99999999999999999999999"]) {
    const tar = await tarOf((one) => one.entry({ name: "a", pax: { size } }, "x"));
    const outcome = await readAll(readTar(bytesOf(tar), limits)).catch((error: unknown) => error);
    // Either the size is not taken for one, or the file is not there to its end.
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(SourceFault);
    else expect(Object.values((outcome as { files: object }).files).join("").length).toBeLessThan(600);
  }
  const ratio = gzipSync(Buffer.alloc(50_000_000));
  expect((await faultOf(readTar(bytesOf(ratio), limits))).message).toContain("unpacks to more than");
});

const NAMES = ["rtl\u202Etxt.exe", "e\u0301", "\u00e9", "nul\u0000byte"];
test("names that look alike stay two names, and a zero in one is no way past a check", async () => {
  const tar = await tarOf((one) => {
    for (const name of NAMES) one.entry({ name, pax: { path: name } }, "x");
  });
  const { files, skipped } = await readAll(readTar(bytesOf(tar), limits));
  expect(Object.keys(files)).toHaveLength(3);
  expect(Object.keys(files)).toEqual(expect.arrayContaining(NAMES.slice(0, 3)));
  expect(Object.values(skipped)).toEqual(["bad_name"]);
});

/** A pack of one object whose header says `size`. */
function packOf(size: bigint, count = 1): Buffer {
  const bytes = [0x30 | Number(size & 15n) | 0x80];
  let rest = size >> 4n;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 0x80);
  bytes.push(Number(rest));
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count, 8);
  const all = Buffer.concat([head, Buffer.from(bytes), deflateSync("x")]);
  const sum = createHash("sha1").update(all).digest();
  return Buffer.concat([Buffer.from(`# v2 git bundle\n${"a".repeat(40)} HEAD\n\n`), all, sum]);
}

test("a pack that makes up its sizes or its count is refused before anything is unpacked", async () => {
  const refusals = [
    await faultOf(readBundle(bytesOf(packOf(2n ** 60n)), limits)),
    await faultOf(readBundle(bytesOf(packOf(2n ** 200n)), limits)),
    await faultOf(readBundle(bytesOf(packOf(5n)), limits)),
    await faultOf(readBundle(bytesOf(packOf(1n, 4_294_967_295)), limits)),
    await faultOf(readBundle(bytesOf(packOf(1n, 40_000)), limits)),
  ];
  for (const fault of refusals) expect(fault).toMatchObject({ code: "workspace_refused" });
  expect(refusals[0]?.message).toContain("an object of more than");
  expect(refusals[3]?.message).toContain("objects");
});

test("a bundle of a shallow clone, of version 3 and of many references is read or refused with a remedy", async () => {
  const root = lay("refs", { "a.txt": "one" });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "one");
  const commit = git("rev-parse", "HEAD");
  for (let i = 0; i < 500; i++) fs.writeFileSync(path.join(root, `.git/refs/heads/b${i}`), commit);
  git("bundle", "create", "-q", "--version=3", ".git/three.bundle", "--all", "HEAD");
  expect(
    (await readAll(readBundle(bytesOf(fs.readFileSync(path.join(root, ".git/three.bundle"))), limits))).files,
  ).toEqual({ "a.txt": "one" });
  fs.writeFileSync(path.join(root, "a.txt"), "two");
  git("commit", "-qam", "two");
  const clone = path.join(scratch, "shallow");
  execFileSync("git", ["clone", "-q", "--depth", "1", `file://${root}`, clone], { stdio: "pipe" });
  execFileSync("git", ["bundle", "create", "-q", ".git/x.bundle", "HEAD"], { cwd: clone, stdio: "pipe" });
  const { files } = await readAll(readBundle(bytesOf(fs.readFileSync(path.join(clone, ".git/x.bundle"))), limits));
  expect(files).toEqual({ "a.txt": "two" });
});

const idOf = (type: string, body: Buffer) =>
  createHash("sha1").update(`${type} ${body.length}\0`).update(body).digest();
const varint = (size: number) => {
  const bytes: number[] = [];
  let rest = size;
  for (; rest > 127; rest >>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
};
const object = (type: number, body: Buffer, between = Buffer.alloc(0)) => {
  const more = body.length >> 4;
  const first = (type << 4) | (body.length & 15) | (more > 0 ? 128 : 0);
  return Buffer.concat([Buffer.from([first]), more > 0 ? varint(more) : Buffer.alloc(0), between, deflateSync(body)]);
};

/** Each object is the one before it and one letter more: to read the last, all are unpacked. */
function chainOf(length: number): Buffer {
  let text = Buffer.from("x");
  const objects = [object(3, text)];
  for (let i = 0; i < length; i++) {
    const base = idOf("blob", text);
    const next = Buffer.concat([text, Buffer.from("y")]);
    const size = text.length;
    // Copy all of the base (offset 0, size in two bytes), then insert one byte.
    const delta = Buffer.concat([varint(size), varint(size + 1), Buffer.from([0xb0, size & 255, size >> 8, 1, 0x79])]);
    objects.push(object(7, delta, base));
    text = next;
  }
  const tree = Buffer.concat([Buffer.from("100644 a\0"), idOf("blob", text)]);
  const who = "t <t@example.org> 1 +0000";
  const commit = Buffer.from(`tree ${idOf("tree", tree).toString("hex")}\nauthor ${who}\ncommitter ${who}\n\nx\n`);
  objects.push(object(2, tree), object(1, commit));
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const all = Buffer.concat([head, ...objects]);
  const id = idOf("commit", commit).toString("hex");
  return Buffer.concat([Buffer.from(`# v2 git bundle\n${id} HEAD\n\n`), all, createHash("sha1").update(all).digest()]);
}

test("a chain of 300 deltas is read, and one of 10,000 ends", async () => {
  const many = { ...limits, totalBytesMax: 100_000_000 };
  const { files } = await readAll(readBundle(bytesOf(chainOf(300)), many));
  expect(files).toEqual({ a: `x${"y".repeat(300)}` });
  const outcome = await readAll(readBundle(bytesOf(chainOf(10_000)), many)).catch((error: unknown) => error);
  if (outcome instanceof Error) expect(outcome).toMatchObject({ code: "workspace_refused" });
  else expect(outcome).toEqual({ files: { a: `x${"y".repeat(10_000)}` }, skipped: {} });
}, 150_000);

test.runIf(process.platform === "linux")("/proc as a folder ends with a refusal that names its cause", async () => {
  const fault = await faultOf(readFolder("/proc", { ...limits, filesMax: 200 }));
  expect(["workspace_refused", "workspace_changed", "workspace_gone"]).toContain(fault.code);
});
