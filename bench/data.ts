// Fills a database for bench/reads.ts, which may then ask it as often as one likes, in an embedded Postgres of the folder given.
// `npm run bench:data -- <folder> [big | medium | turns]`. Three projects: `small` of 10,000 cards, `large` of another size, and
// `long`. The runs of the first two have a hundred turns each, so the small one has ten of them and lists, the palette and two
// runs compared have something to read there: with one run of a thousand, a ratio told of a page that was not full. Whatever
// reads one run reads as much in both, and little; `long` has two runs of a thousand turns for how long those take.
import path from "node:path";
import pg from "pg";
import { createProject } from "@/server/kernel/roster/create-project";
import { seedMany, TURN_CARDS } from "@/server/testing/seed/seed-many";
import { BENCH_RUN_TURNS, openBenchData } from "./bench-data";

const [folder, size = "big"] = process.argv.slice(2);
const turns = { small: 1_000, medium: 10_000, big: 100_000 }[size] ?? Number(size);
if (!folder || !Number.isInteger(turns) || turns < 1_000)
  throw new Error("Usage: npm run bench:data -- <folder> [big | medium | turns, at least 1000]");

const { kernel, admin_url, close } = await openBenchData(path.resolve(folder));
const client = new pg.Client(admin_url);
await client.connect();
const sizes = { small: 1_000, long: 2_000, ...(size !== "small" && { large: turns }) };
for (const [project_id, count] of Object.entries(sizes)) {
  const started = performance.now();
  await createProject(kernel, { project_id, title: project_id });
  await seedMany(kernel, client, { project_id, turns: count, run_turns: BENCH_RUN_TURNS[project_id] });
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${project_id}: ${count} turns, ${count * TURN_CARDS} cards, ${count * 3} boxes in ${seconds} s`);
}
await client.end();
await close();
