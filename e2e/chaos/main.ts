// `npm run chaos -- --minutes N --seed S`: random trees of agents over several workers, while workers, the web server, the
// bus and Postgres are killed with -9; then everything is left alone until it has settled, and the invariants are checked in
// the database. docs/testing.md explains the report.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Db, openDb } from "@/server/db";
import { createNatsDoorbell } from "@/server/doorbell/nats-doorbell";
import { type Wired, wireKernel } from "@/server/wire";
import { type Fleet, startFleet } from "./fleet";
import { type Random, randomOf } from "./random";
import { startTraffic, type Traffic } from "./traffic";
import { errorsIn, judge, type Verdict } from "./verdict";

const settleMsMax = 180_000;

// Broken connections are the point here and are not reported.
process.env.SWITCHYARD_LOG ??= "error";
const { minutes, seed, anyBuild } = readArgs();
const interrupted = new AbortController();
/** Ends the faults and the launches: their time is over, or somebody wants to stop. */
const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    interrupted.abort();
    ending.abort();
  });
const started = Date.now();
const say = (line: string): void =>
  console.log(`[${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s] ${line}`);

const fleet = await startFleet({ anyBuild });
let kernel: Wired | undefined;
try {
  kernel = kernelOf(fleet);
  say(
    `seed ${seed}, ${minutes} min; doorbell: ${fleet.nats_url ? "NATS" : "Postgres (nats-server is not installed)"}; web: ${fleet.web_url ? "up" : "left out, there is no build of these sources"}`,
  );
  process.exitCode = await run(fleet, kernel);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await kernel?.close();
  await fleet.stop();
}
process.exit();

function readArgs(): { minutes: number; seed: number; anyBuild: boolean } {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "1" },
      seed: { type: "string" },
      "any-build": { type: "boolean", default: false },
    },
  });
  const minutes = Number(values.minutes);
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
  if (minutes > 0 && Number.isInteger(seed)) return { minutes, seed, anyBuild: values["any-build"] };
  console.error("npm run chaos -- [--minutes N] [--seed S] [--any-build]: N above 0, S a whole number");
  return process.exit(2);
}

function kernelOf({ database_url, nats_url }: Fleet): Wired {
  const name = "switchyard-chaos";
  const doorbell = nats_url === null ? undefined : createNatsDoorbell({ settings: { url: nats_url }, name });
  return wireKernel({ url: database_url, name, ...(doorbell && { doorbell }) });
}

/** What is looked through grows with the minutes: all rows and frames of a run of hours take longer than any read of the product may. */
async function withPatience<T>({ database_url }: Fleet, look: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb(database_url, { name: "switchyard-verdict", statementMs: 600_000 });
  try {
    return await look(db);
  } finally {
    await db.close();
  }
}

async function run(fleet: Fleet, kernel: Wired): Promise<number> {
  const random = randomOf(seed);
  const { signal } = ending;
  const traffic = await startTraffic({ kernel, web_url: fleet.web_url, random: random.fork(), signal });
  setTimeout(() => ending.abort(), minutes * 60_000);
  const kills = await wreak(fleet, random.fork(), signal, traffic);
  say("faults end");
  await fleet.mend();
  await traffic.running;
  const settledIn = await settle(kernel);
  await traffic.close();
  if (interrupted.signal.aborted) {
    say("interrupted");
    return 130;
  }
  say(
    settledIn === null ? `not settled after ${settleMsMax / 1000} s` : `settled in ${(settledIn / 1000).toFixed(1)} s`,
  );
  const verdict = await withPatience(fleet, (db) => judge({ db }, traffic.promised, traffic.deeds, fleet.deaths));
  report(verdict, traffic, kills, errorsIn(fleet.dir));
  return verdict.violations.length > 0 ? 1 : 0;
}

/** Kills until the signal; returns how often it killed each. */
async function wreak(
  fleet: Fleet,
  random: Random,
  signal: AbortSignal,
  traffic: Traffic,
): Promise<Record<string, number>> {
  const kills: Record<string, number> = {};
  const crashing = new Set<Promise<void>>();
  let broken: unknown;
  traffic.running.catch((error) => {
    broken = error;
  });
  while (!signal.aborted && broken === undefined) {
    await sleep(random.whole(1_200, 4_000), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const isFreeze = random.chance(0.2);
    const [victim, which, ms] = [random.pick(fleet.victims), random.whole(0, 99), random.whole(100, 1_500)];
    const what = isFreeze ? "worker frozen" : victim;
    const crash = (async () => {
      // Long enough for its turns to be taken over, so that what it writes afterwards comes late.
      const didHit = isFreeze ? await fleet.freeze(which, ms + 5_000) : await fleet.crash(victim, which, ms);
      if (didHit) kills[what] = (kills[what] ?? 0) + 1;
    })().catch((error) => {
      broken = error;
    });
    const tracked: Promise<void> = crash.finally(() => crashing.delete(tracked));
    crashing.add(tracked);
  }
  await Promise.all(crashing);
  if (broken !== undefined) throw broken;
  return kills;
}

/** Milliseconds until nothing runs any more; null if that took too long. */
async function settle(kernel: Wired): Promise<number | null> {
  const from = Date.now();
  for (let tellAt = from + 10_000; Date.now() - from < settleMsMax && !interrupted.signal.aborted; await sleep(200)) {
    const { rows } = await kernel.db.pool.query<{ n: number }>(
      `SELECT (SELECT count(*) FROM state.agent_turns WHERE ended_at IS NULL)::int
        + (SELECT count(*) FROM state.pmo_batches WHERE status = 'running')::int AS n`,
    );
    if (rows[0]?.n === 0) return Date.now() - from;
    if (Date.now() < tellAt) continue;
    tellAt += 10_000;
    say(`${rows[0]?.n} turns and batches are left: ${await leftOf(kernel)}`);
  }
  return null;
}

async function leftOf(kernel: Wired): Promise<string> {
  const { rows } = await kernel.db.pool.query<{ what: string }>(
    `SELECT format('%s x %s %s', count(*), status, what) AS what FROM (
       SELECT status, regexp_replace(coalesce(note, ''), '[0-9]+', '#', 'g') AS what FROM state.agent_turns WHERE ended_at IS NULL) t
     GROUP BY status, t.what ORDER BY count(*) DESC LIMIT 6`,
  );
  return rows.map((row) => row.what).join("; ");
}

function report(
  { counts, checked, violations }: Verdict,
  { said, deeds }: Traffic,
  kills: Record<string, number>,
  errors: Map<string, number>,
): void {
  const list = (of: Record<string, number>): string => {
    const entries = Object.entries(of);
    return entries.length === 0
      ? "none"
      : `${entries.reduce((sum, [, n]) => sum + n, 0)} (${entries.map(([what, n]) => `${what} ${n}`).join(", ")})`;
  };
  console.log(`
runs           ${counts.runs}, launched ${said.launches}, stopped by hand ${said.stops}, branches retried ${said.retries}
plans          launched ${said.plans}, steps let start or skipped ${said.holds}, edits ${said.edits}, edits refused ${said.edits_refused}; runs ${list(counts.plans)}, steps ${list(counts.nodes)}
turns          ${list(counts.turns)}
batches        ${list(counts.batches)}
kills          ${list(kills)}
takeovers      ${counts.takeovers}, of them attempts used up ${counts.attempts_used_up}
fenced writes  ${list(counts.fenced)}
reports        ${said.reports}, late ${said.late_reports}
hostile tries  ${list(deeds.tried)}
cards, frames  ${counts.cards}, ${counts.frames}
errors logged  ${list(Object.fromEntries(errors))}

invariants (violations each)`);
  for (const { name, violations: n } of checked) console.log(`${String(n).padStart(5)}  ${name}`);
  for (const { invariant, project_id, id, what } of violations.slice(0, 100))
    console.log(`VIOLATED ${invariant}: ${project_id} ${id}: ${what}`);
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(
    `\n${violations.length === 0 ? "nothing was lost and nothing was doubled" : `${violations.length} violations`}; seed ${seed}, ${seconds} s`,
  );
}
