// What an index costs: `npx tsx bench/workspaces.ts [files]`. 10,000 generated files of 4 to 20 kB in four languages, beside a plain
// read and sha256 of the same files in the same run; then this repository, and a pack of it.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { PackToBuildOverRest } from "@/server/contract/context-pack/request";
import { buildContextPack } from "@/server/kernel/packs/build-context-pack";
import { createProject } from "@/server/kernel/roster/create-project";
import { withUnit } from "@/server/kernel/unit";
import { indexWorkspace } from "@/server/kernel/workspaces/index-workspace";
import { openWorkspace } from "@/server/kernel/workspaces/open-workspace";
import { readWorkspace } from "@/server/kernel/workspaces/read-workspaces";
import { saveWorkspace } from "@/server/kernel/workspaces/save-workspace";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { type BenchKernel, withBenchKernel } from "./bench-kernel";

const project_id = "bench";
const files = Number(process.argv[2] ?? 10_000);
const WORDS =
  "turn card box lease wagon signal rail switch yard queue frame cursor batch fork join pack index batch".split(" ");
const ENDINGS = ["ts", "js", "py", "go", "md"];

const root = makeScratch();
const here = path.join(import.meta.dirname, "..");
async function measure({ kernel, statements }: BenchKernel): Promise<void> {
  const workspaceFolders = { made: { path: root }, here: { path: here } };
  const own = { ...kernel, workspaceFolders };
  await createProject(own, { project_id, title: "bench" });
  for (const name of ["made", "here"]) {
    await withUnit(own, (unit) => saveWorkspace(unit, { project_id, name, kind: "folder" }));
    const index = async () => (await indexWorkspace(own, { project_id, name })).over;
    const listed = async () => (await readWorkspace(own, { project_id, name })).files;
    for (const what of ["first index", "second index"]) {
      const before = statements();
      const cost = await watched(index);
      const { state, error } = await readWorkspace(own, { project_id, name });
      if (state !== "ready") throw new Error(error?.message);
      const plain = await timed(() => readPlainly(name === "made" ? root : here));
      console.log(
        `${name}: ${what} of ${await listed()} files ${cost.s.toFixed(1)} s, ${(cost.s / plain).toFixed(1)} times a plain read; ` +
          `event loop held ${cost.held.toFixed(0)} ms at most (${cost.cpu.toFixed(0)} ms of processor), p99 ${cost.p99.toFixed(0)}; memory +${cost.rss} MB; ${statements() - before} statements`,
      );
    }
    await kernel.db.pool.query("VACUUM ANALYZE");
    await search(own, name);
    await pack(own, name);
  }
}

/** No two files are equal; a tenth of the lines has a word of its own. */
function lay(i: number): void {
  const ending = ENDINGS[i % ENDINGS.length] ?? "ts";
  const next = `f${(i + ENDINGS.length) % files}`;
  const head: Record<string, string> = {
    ts: `import { x } from "./${next}";\n`,
    js: `const x = require("./${next}");\n`,
    py: `from . import ${next}\n`,
    go: `package p\n\nimport "example.org/p/${next}"\n`,
    md: `# ${next}\n`,
  };
  const sign = ending === "py" ? "#" : ending === "md" ? "" : "//";
  const lines = Array.from({ length: 100 + ((i * 7919) % 400) }, (_, n) => {
    const words = [n, n * 3, n * 7 + i].map((at) => WORDS[at % WORDS.length]);
    return `${sign} ${words.join(" ")} ${n % 10 === 0 ? rare(i, n) : ""}`;
  });
  const folder = path.join(root, `d${i % 100}`);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `f${i}.${ending}`), `${head[ending]}${lines.join("\n")}\n`);
}

/** A word of this line alone, of letters only: digits would be words of their own. */
const rare = (i: number, n: number): string =>
  `${i}q${n}`.replaceAll(/[0-9]/g, (digit) => "abcdefghij"[Number(digit)] ?? "");

async function search(kernel: BenchKernel["kernel"], name: string): Promise<void> {
  const view = await openWorkspace(kernel, { project_id, name });
  const ms: number[] = [];
  for (let i = 0; i < 100; i++) {
    const query = [0, 1, 2].map((n) => WORDS[(i * 5 + n) % WORDS.length]).join(" ");
    ms.push(1_000 * (await timed(() => view.search(i % 2 === 0 ? query : rare(i * 7, 10), 20))));
  }
  const of = (one: number) => quantiles(ms.filter((_, i) => i % 2 === one));
  console.log(`${name}: search for common words ${of(0)}; for a rare one ${of(1)}`);
}

async function pack(kernel: BenchKernel["kernel"], name: string): Promise<void> {
  const ms: number[] = [];
  let size = 0;
  for (let i = 0; i < 5; i++) {
    const request = PackToBuildOverRest.parse({
      goal: `A claim gives each lease a fair turn in the queue (${i}).`,
      definition_of_done: ["Its tests pass."],
      workspace: name,
    });
    const start = performance.now();
    const { record } = await buildContextPack(kernel, { project_id, request, created_by: "bench" });
    ms.push(performance.now() - start);
    size = record.estimate;
  }
  console.log(
    `${name}: a pack of ${size} tokens: the first ${ms[0]?.toFixed(0)} ms, ${quantiles(ms.slice(1))} after it`,
  );
}

const quantiles = (ms: number[]): string => {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (q: number) => (sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)}`;
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

type Watched = { s: number; held: number; cpu: number; p99: number; rss: number };

/** `cpu`: the most processor time between two ticks. On a machine that others use, the clock also counts their turns. */
async function watched(work: () => Promise<unknown>): Promise<Watched> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.memoryUsage.rss();
  let most = before;
  let cpu = 0;
  let used = process.cpuUsage();
  const look = setInterval(() => {
    const { user, system } = process.cpuUsage(used);
    cpu = Math.max(cpu, (user + system) / 1_000);
    used = process.cpuUsage();
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  delay.enable();
  const s = await timed(work);
  delay.disable();
  clearInterval(look);
  return {
    s,
    held: delay.max / 1e6,
    cpu,
    p99: delay.percentile(99) / 1e6,
    rss: Math.round((most - before) / 1_048_576),
  };
}

/** The floor: every file is read and hashed, one after the other. Of this repository without what git leaves out. */
async function readPlainly(folder: string): Promise<void> {
  for (const entry of await fs.promises.readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (/^(node_modules|\.git|\.next|\.switchyard|generated)$/.test(entry.name)) continue;
    if (entry.isDirectory()) await readPlainly(place);
    else if (entry.isFile())
      createHash("sha256")
        .update(await fs.promises.readFile(place))
        .digest("hex");
  }
}

try {
  for (let i = 0; i < files; i++) lay(i);
  await withBenchKernel(measure);
} finally {
  await removeScratch(root);
}
