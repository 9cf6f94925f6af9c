// What a second worker process gives, and whether the two lock each other out: forks of no-op children with one process and with two,
// in turns. `npx tsx bench/two-workers.ts [children] [forks at once] [seconds] [rounds]`
import { type ChildProcess, fork as spawn } from "node:child_process";
import path from "node:path";
import { performance } from "node:perf_hooks";
import pg from "pg";
import { withBenchKernel } from "./bench-kernel";
import { openSwitchyard } from "./fork/switchyard";

const [children = 64, atOnce = 1, seconds = 8, rounds = 3] = process.argv.slice(2).map(Number);
const WARM_FORKS = 20;

await withBenchKernel(async ({ url }) => {
  const contender = await openSwitchyard(url);
  const server = new pg.Client(url);
  await server.connect();
  for (let i = 0; i < WARM_FORKS; i++) await contender.fork(children);
  const rates: { one: number; two: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const one = await rate();
    const helper = await startHelper();
    await rate(2);
    const before = await ofHelper();
    const two = await rate();
    const share = (await ofHelper()) - before;
    helper.kill("SIGTERM");
    rates.push({ one, two });
    console.log(
      `${atOnce} x ${children}: one process ${one.toFixed(0)} children/s, two ${two.toFixed(0)} (${(two / one).toFixed(2)}), the second ended ${share} of them`,
    );
  }
  const { rows } = await server.query<{ deadlocks: string; fenced: string }>(
    `SELECT (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()) AS deadlocks,
      (SELECT count(*) FROM state.agent_turns WHERE attempt > 1) AS fenced`,
  );
  const median = rates.map(({ one, two }) => two / one).toSorted((a, b) => a - b)[rates.length >> 1] ?? 0;
  console.log(`median ${median.toFixed(2)}; deadlocks ${rows[0]?.deadlocks}; turns taken over ${rows[0]?.fenced}`);
  await server.end();
  await contender.close();

  async function rate(for_s = seconds): Promise<number> {
    const start = performance.now();
    let forks = 0;
    const line = async () => {
      for (; performance.now() - start < for_s * 1_000; forks++) await contender.fork(children);
    };
    await Promise.all(Array.from({ length: atOnce }, line));
    return (forks * children * 1_000) / (performance.now() - start);
  }

  async function startHelper(): Promise<ChildProcess> {
    const script = path.join(import.meta.dirname, "fork/helper-worker.ts");
    const helper = spawn(script, [url, "helper"], { execArgv: ["--import", "tsx"] });
    await new Promise((ready) => helper.once("message", ready));
    return helper;
  }

  async function ofHelper(): Promise<number> {
    const { rows: found } = await server.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM state.agent_turns WHERE taken_by = 'helper' AND ended_at IS NOT NULL",
    );
    return found[0]?.n ?? 0;
  }
});
