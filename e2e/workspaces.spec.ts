// Workspaces of the built product, over REST: a folder, a git bundle and a tar of one tree are the same workspace, and packs of
// it follow imports of four languages. The parsers and the thread that reads bundles are files that no bundle of code has.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "./fixtures";
import { serveOwn } from "./own-product";
import { api } from "./scenes";
import { type Product, stop } from "./serve";

test.describe.configure({ timeout: 150_000, mode: "serial" });

let own: Product | undefined;
let url: string;
let scratch: string;
let at: string;

const TREE: Record<string, string> = {
  ".gitignore": "*.log\n",
  "left-out.log": "ignored",
  "src/main.ts": 'import { rail } from "./rail.js";\nexport const main = rail;\n',
  "src/rail.ts": "export const rail = 1;\n",
  "src/old.js": 'const legacy = require("./legacy");\nmodule.exports = legacy;\n',
  "src/legacy.js": "module.exports = 2;\n",
  "app/main.py": "from app.points import switch\n",
  "app/points.py": "def switch():\n    return 3\n",
  "go.mod": "module example.org/yard\n",
  "cmd/main.go": 'package main\n\nimport "example.org/yard/track"\n\nfunc main() { track.Lay() }\n',
  "track/track.go": "package track\n\nfunc Lay() {}\n",
  "src/signal.ts": "// The semaphore stands at danger.\nexport const semaphore = true;\n",
  ...Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`many/f${i}.txt`, `filler number ${i}\n`])),
};
const SEEDS = ["src/main.ts", "src/old.js", "app/main.py", "cmd/main.go"];
const IMPORTED = ["app/points.py", "src/legacy.js", "src/rail.ts", "track/track.go"];

type Space = { name: string; kind: string; state: string; files: number; seen: number; done: number };
type Whole = Space & { snapshot_sha256: string | null; error: { code: string; message: string } | null };
const read = (name: string) => api<Whole>(url, "GET", `${at}/workspaces/${name}`);

async function put(name: string, bytes: Buffer) {
  const response = await fetch(`${url}/api/v1${at}/workspaces/${name}/content`, {
    method: "PUT",
    headers: { "content-type": "application/octet-stream" },
    body: new Uint8Array(bytes),
  });
  return { status: response.status, json: await response.json() };
}

const folder = () => path.join(scratch, "code");
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: folder(), stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1e8 });
const git = (...args: string[]) =>
  run("git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "gc.auto=0", ...args);

test.beforeAll(async () => {
  test.setTimeout(150_000);
  scratch = fs.mkdtempSync(path.join(os.tmpdir(), "switchyard-e2e-workspaces-"));
  for (const [name, text] of Object.entries(TREE)) {
    fs.mkdirSync(path.dirname(path.join(folder(), name)), { recursive: true });
    fs.writeFileSync(path.join(folder(), name), text);
  }
  own = await serveOwn({ SWITCHYARD_WORKSPACES: JSON.stringify({ code: folder() }) });
  url = own.url;
  const made = await api<{ project_id: string }>(url, "POST", "/projects", { title: "Three forms of a tree" });
  at = `/projects/${made.project_id}`;
});
test.afterAll(async () => {
  if (own) await stop(own);
  fs.rmSync(scratch, { recursive: true, force: true });
});

test("the build has what the readers load: in a folder of its own they would find nothing else", () => {
  const standalone = path.join(import.meta.dirname, "../.next/standalone");
  const reader = path.join(standalone, "server/kernel/workspaces/imports/import-reader.mjs");
  expect(fs.existsSync(reader)).toBe(true);
  expect(fs.existsSync(path.join(standalone, "server/kernel/workspaces/sources/pack-reader.mjs"))).toBe(true);
  const { resolve } = createRequire(reader);
  const grammars = ["python", "go"].map((one) => `@vscode/tree-sitter-wasm/wasm/tree-sitter-${one}.wasm`);
  for (const name of ["oxc-parser", "web-tree-sitter", ...grammars, "isomorphic-git"])
    expect(resolve(name)).toContain(standalone);
  expect(fs.readdirSync(path.join(standalone, "node_modules/@oxc-parser"))).not.toEqual([]);
});

test("a folder is indexed while its progress is read", async () => {
  await api(url, "POST", `${at}/workspaces`, { name: "code" });
  expect(await api(url, "POST", `${at}/workspaces/code:index`)).toMatchObject({ state: "indexing" });
  const seen: Space[] = [];
  for (let now = await read("code"); now.state === "indexing"; now = await read("code")) seen.push(now);
  expect(await read("code")).toMatchObject({ state: "ready", files: Object.keys(TREE).length - 1, error: null });
  expect(seen.some(({ done, files }) => done > 0 && done < Object.keys(TREE).length - 1 && files === 0)).toBe(true);
  const done = seen.map((one) => one.done);
  expect(done).toEqual([...done].sort((a, b) => a - b));
});

test("a git bundle and a tar of the same tree have the digest of the folder", async () => {
  const tar = run("tar", "-cf", "-", ".");
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "all");
  git("bundle", "create", "-q", path.join(scratch, "x.bundle"), "HEAD");
  const { snapshot_sha256, files } = await read("code");
  const sent: [string, string, Buffer][] = [
    ["as-tar", "tar", tar],
    ["as-gzip", "tar", gzipSync(tar)],
    ["as-bundle", "bundle", fs.readFileSync(path.join(scratch, "x.bundle"))],
  ];
  for (const [name, kind, bytes] of sent)
    expect(await put(name, bytes)).toMatchObject({
      status: 200,
      json: { kind, state: "ready", files, snapshot_sha256 },
    });
});

test("a pack of each of them follows the imports of its files, and has what the search found", async () => {
  for (const workspace of ["code", "as-tar", "as-gzip", "as-bundle"]) {
    const { sha256 } = await api<{ sha256: string }>(url, "POST", `${at}/context-packs`, {
      goal: `Set the points (${workspace}).`,
      definition_of_done: ["They are set."],
      workspace,
      search: "semaphore danger",
      files: SEEDS,
    });
    const { pack } = await api<{ pack: { relevantFiles: { path: string; purpose: string; excerpt?: string }[] } }>(
      url,
      "GET",
      `${at}/context-packs/${sha256}`,
    );
    const by = (purpose: string) => pack.relevantFiles.filter((one) => one.purpose === purpose).map((one) => one.path);
    expect(by("Found by the search")).toEqual(["src/signal.ts"]);
    expect(by("Imported by a file that matters").sort()).toEqual(IMPORTED);
    expect(pack.relevantFiles.find((one) => one.path === "app/points.py")?.excerpt).toContain("def switch");
  }
});

test("a bundle that is cut, and one that needs other commits, are refused with a code and a remedy", async () => {
  const bundle = fs.readFileSync(path.join(scratch, "x.bundle"));
  const before = await read("as-bundle");
  const cut = await put("as-bundle", bundle.subarray(0, bundle.length - 40));
  expect(cut).toMatchObject({ status: 422, json: { detail: { error_code: "workspace_refused" } } });
  expect(JSON.stringify(cut.json)).toContain("git bundle create");
  // What was there is still read.
  expect(await read("as-bundle")).toMatchObject({
    state: "failed",
    snapshot_sha256: before.snapshot_sha256,
    error: { code: "workspace_refused" },
  });
  fs.writeFileSync(path.join(folder(), "src/new.ts"), "export {};\n");
  git("add", "-A");
  git("commit", "-qm", "more");
  git("bundle", "create", "-q", path.join(scratch, "thin.bundle"), "HEAD~1..HEAD");
  const thin = await put("thin", fs.readFileSync(path.join(scratch, "thin.bundle")));
  expect(thin).toMatchObject({ status: 422, json: { detail: { error_code: "workspace_refused" } } });
  const { items } = await api<{ items: Space[] }>(url, "GET", `${at}/workspaces`);
  expect(items.map(({ name }) => name)).not.toContain("thin");
});
