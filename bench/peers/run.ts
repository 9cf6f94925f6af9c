// Durable fork/join, side by side: `npx tsx bench/peers/run.ts --n 1,8,64,512 --rounds 5 --only floor,langgraph`.
// One Postgres, one database and one process per contender; one contender runs at a time, and the order rotates from round
// to round, so that a slow minute of the machine affects all of them.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { startEmbedded } from "@/server/embedded/start";
import { makeScratch, removeAbandonedScratch, removeScratch } from "@/server/testing/scratch";
import { type Counter, countableSettings, countsBetween, openCounter } from "../fork/counters";
import { contenders } from "./contenders";
import type { Order } from "./host";
import { type Player, startPlayer } from "./player";
import { type Sample, summarise } from "./summarise";
import { tableOf } from "./table";

const SIZES: Record<number, Omit<Order, "ms_max">> = {
  1: { n: 1, at_once: 1, forks: 40 },
  8: { n: 8, at_once: 1, forks: 30 },
  64: { n: 64, at_once: 1, forks: 15 },
  512: { n: 64, at_once: 8, forks: 24 },
};
const MS_MAX = 4_000;
/** What was measured right after a start was how Node compiles: a worker, of whoever, runs for days. */
const WARM_MS_MAX = 6_000;
const WARM_FORKS = 60;
// What a contender writes after its join was reported is charged to it too.
const SETTLE_MS = 200;

const { values: args } = parseArgs({
  options: {
    n: { type: "string", default: "1,8,64,512" },
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: contenders.map((contender) => contender.name).join(",") },
    out: { type: "string", default: path.join(import.meta.dirname, "../out/peers.json") },
  },
});
const names = args.only.split(",");
const sizes = args.n.split(",").map(Number);
const rounds = Number(args.rounds);

await removeAbandonedScratch();
const dir = makeScratch();
const players: Player[] = [];
try {
  const { admin_url: url } = await startEmbedded({ dataDir: dir, settings: countableSettings });
  const counter = await openCounter(url);
  for (const name of names) players.push(await startPlayer(name, await createDatabase(url, name)));
  await sleep(2_000);
  const idle = await measureIdle(counter);
  const samples = await play(counter, players);
  await counter.close();
  const results = summarise(samples);
  const report = { ...aboutRun(), idle, results, samples };
  fs.mkdirSync(path.dirname(args.out), { recursive: true });
  fs.writeFileSync(args.out, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`\n${tableOf(results)}\nwritten to ${path.relative(process.cwd(), args.out)}`);
} finally {
  for (const player of players) player.stop();
  await removeScratch(dir);
}

async function createDatabase(url: string, name: string): Promise<string> {
  const database = `bench_${name.replaceAll("-", "_")}`;
  await execute(url, `CREATE DATABASE ${database}`);
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

// Plans made for empty tables may use the wrong index for every look-up until the server has counted the rows, which it does
// by itself within a minute or two: no contender is measured in that state. (Switchyard's watchdog counts sooner and does not
// need this.)
async function play(counter: Counter, all: Player[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const size of sizes) {
    const order = SIZES[size];
    if (!order) throw new Error(`--n ${size}: give any of ${Object.keys(SIZES).join(", ")}`);
    for (const player of all) {
      await player.run({ ...order, forks: order.at_once * WARM_FORKS, ms_max: WARM_MS_MAX });
      await execute(player.url, "VACUUM ANALYZE");
    }
    for (let round = 0; round < rounds; round++) {
      const turned = all.map((_, i) => all[(i + round) % all.length]).filter((player) => player !== undefined);
      for (const player of round % 2 === 0 ? turned : turned.toReversed()) {
        await sleep(SETTLE_MS);
        const before = await counter.look(player.database);
        const report = await player.run({ ...order, ms_max: MS_MAX });
        await sleep(SETTLE_MS);
        const counts = countsBetween(before, await counter.look(player.database));
        samples.push({ contender: player.name, size, round, ...report, ...counts });
        const rate = Math.round((report.children / report.ms) * 1000);
        console.log(`n ${size} round ${round + 1} ${player.name}: ${rate} children/s`);
      }
    }
  }
  return samples;
}

// Everybody's figures include idle polls: they are reported, to show how small they are.
async function measureIdle(counter: Counter): Promise<{ transactions_per_s: number; wal_bytes_per_s: number }> {
  const before = await counter.look("");
  await sleep(3_000);
  const counts = countsBetween(before, await counter.look(""));
  return { transactions_per_s: counts.transactions / 3, wal_bytes_per_s: Math.round(counts.wal_bytes / 3) };
}

function aboutRun(): Record<string, unknown> {
  const manifest = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, "package.json"), "utf8"));
  return {
    at: new Date().toISOString(),
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    }).trim(),
    node: process.version,
    cpus: os.cpus().length,
    load: os.loadavg(),
    rounds,
    versions: manifest.dependencies,
  };
}
