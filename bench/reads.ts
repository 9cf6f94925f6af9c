// Every read of a page, a REST route and the palette, in the projects of bench/data.ts: what Postgres takes for it (planning and
// running, p50 and p95), how many times the small project's p95 that is, the rows it reads beside the rows it answers with, and
// what it takes where a run has a thousand turns. `npx tsx bench/reads.ts <folder> [words of names] [--plans]`; with --plans the scans that read most of the rows.
import { loadavg } from "node:os";
import path from "node:path";
import pg from "pg";
import { ask } from "@/server/testing/seed/ask";
import { captureOf, type Sent } from "@/server/testing/seed/capture";
import { rowsRead } from "@/server/testing/seed/rows-read";
import { type SampleRead, sampleReads } from "@/server/testing/seed/sample-reads";
import { BENCH_RUN_TURNS, openBenchData } from "./bench-data";

const [folder, ...rest] = process.argv.slice(2);
if (!folder) throw new Error("Usage: npx tsx bench/reads.ts <folder of bench/data.ts> [words] [--plans]");
const words = rest.filter((one) => !one.startsWith("--"));
const withPlans = rest.includes("--plans");
const WARM = 2;
const ROUNDS = 15;
/** One that takes this long is timed less often. */
const SLOW_MS = 400;
const SLOW_ROUNDS = 3;

const { kernel, admin_url, close } = await openBenchData(path.resolve(folder));
const capture = captureOf(kernel.db.pool);
const admin = new pg.Client(admin_url);
await admin.connect();
await admin.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
await admin.query("SET jit = off");

type Measured = { p50: number; p95: number; read: number; shown: number; fault?: string; sent: Sent[] };

async function postgresMs(project_id: string, read: SampleRead): Promise<number> {
  await admin.query("SELECT pg_stat_statements_reset()");
  await ask(kernel, project_id, read);
  const { rows } = await admin.query<{ ms: number }>(
    `SELECT coalesce(sum(total_exec_time + total_plan_time), 0)::float8 AS ms FROM pg_stat_statements
     WHERE toplevel AND query NOT LIKE '%pg_stat_statements%'`,
  );
  return rows[0]?.ms ?? 0;
}

type Asked = { project_id: string; read: SampleRead };

/** In turns, so that other work of the machine falls on all of them alike. */
async function measureAll(asked: Asked[]): Promise<Measured[]> {
  const timed = asked.map((one) => ({ ...one, times: [] as number[], fault: undefined as string | undefined }));
  for (let round = 0; round < WARM + ROUNDS; round++)
    for (const one of timed) {
      const isEnough = one.times.length >= SLOW_ROUNDS && (one.times[0] ?? 0) > SLOW_MS;
      if (one.fault !== undefined || isEnough) continue;
      try {
        const ms = await postgresMs(one.project_id, one.read);
        if (round >= WARM) one.times.push(ms);
      } catch (error) {
        one.fault = error instanceof Error ? error.message.slice(0, 120) : "refused";
      }
    }
  const all: Measured[] = [];
  for (const one of timed) all.push(await rowsOf(one));
  return all;
}

type Timed = Asked & { times: number[]; fault: string | undefined };

async function rowsOf({ project_id, read, times, fault }: Timed): Promise<Measured> {
  const none = { p50: 0, p95: 0, read: 0, shown: 0, sent: [] };
  if (fault !== undefined) return { ...none, fault };
  try {
    capture.take();
    await ask(kernel, project_id, read);
    const sent = capture.take().filter(({ text }) => /^\s*(SELECT|WITH)/i.test(text));
    let [rows, shown] = [0, 0];
    for (const one of sent) {
      const found = await rowsRead(admin, one);
      rows += found.read;
      shown += found.shown;
      if (withPlans) tellScans(project_id, read, one, found);
    }
    times.sort((a, b) => a - b);
    const at = (q: number) => times[Math.floor(q * (times.length - 1))] ?? 0;
    return { p50: at(0.5), p95: at(0.95), read: rows, shown, sent };
  } catch (error) {
    return { ...none, fault: error instanceof Error ? error.message.slice(0, 120) : "refused" };
  }
}

const rowsSaid = ({ read, shown }: Measured) => `${Math.round(read)} of ${shown}`;

function tellScans(
  project_id: string,
  read: SampleRead,
  sent: Sent,
  found: Awaited<ReturnType<typeof rowsRead>>,
): void {
  const scans = found.scans.filter(({ rows }) => rows > 200).map(({ table, kind, rows }) => `${kind} ${table} ${rows}`);
  console.log(
    `  ${project_id} ${read.name} ${sent.name ?? sent.text.trim().slice(0, 40)}: ${found.ms.toFixed(1)} ms, ${found.read} read, ${found.shown} shown; ${scans.join(", ")}`,
  );
}

const { rows: sizes } = await admin.query<{ project_id: string; turns: number }>(
  "SELECT project_id, count(*)::int AS turns FROM state.agent_turns WHERE project_id IN ('small', 'large', 'long') GROUP BY 1",
);
const turnsOf = new Map(sizes.map((one) => [one.project_id, one.turns]));
const projects = ["small", turnsOf.has("large") ? "large" : "small", "long"] as const;
const samples = projects.map((id) => sampleReads(id, turnsOf.get(id) ?? 0, BENCH_RUN_TURNS[id]));
const loadNow = () => loadavg().map((one) => one.toFixed(1));
console.log(`turns: ${JSON.stringify(Object.fromEntries(turnsOf))}; load ${loadNow().join(" ")}`);
console.log(
  "| read | small p50, p95 | large p50, p95 | ratio of p95 | rows read of shown, small | large | runs of 1,000 turns p50, p95 |\n|---|---|---|---|---|---|---|",
);
/** What the issue aims at: the ratio, and the milliseconds of the large project and of long runs. */
const AIM = { ratio: 1.5, ms: 100 };
const met = { all: 0, ratio: 0, ms: 0, faults: 0 };
for (const [n, { name }] of (samples[0] ?? []).entries()) {
  if (!words.every((word) => name.includes(word))) continue;
  const asked = projects.flatMap((project_id, p) => {
    const read = samples[p]?.[n];
    return read ? [{ project_id, read }] : [];
  });
  const [a, b, c] = await measureAll(asked);
  if (!a || !b || !c) throw new Error("three projects were asked and not all answered");
  const fault = a.fault ?? b.fault ?? c.fault;
  const times = b.p95 / a.p95;
  const ms = (one: Measured) => one.fault ?? `${one.p50.toFixed(1)}, ${one.p95.toFixed(1)} ms`;
  met.all++;
  if (fault !== undefined) met.faults++;
  else {
    if (times <= AIM.ratio) met.ratio++;
    if (Math.max(b.p95, c.p95) <= AIM.ms) met.ms++;
  }
  const figures = fault === undefined ? [times.toFixed(2), rowsSaid(a), rowsSaid(b)] : ["", "", ""];
  console.log(`| ${[name, ms(a), ms(b), ...figures, ms(c)].join(" | ")} |`);
}
console.log(
  `of ${met.all}, ${met.ratio} at most ${AIM.ratio} times, ${met.ms} at most ${AIM.ms} ms at p95, ${met.faults} refused; load at the end ${loadNow()[0]}`,
);
await admin.end();
await close();
