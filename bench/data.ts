// Fills a database for bench/reads.ts, which may then ask it as often as one likes: a project `small` of 10,000 cards and one of
// another size, in an embedded Postgres of the folder given. `npm run bench:data -- <folder> [big | medium | turns]`
import path from "node:path";
import pg from "pg";
import { createProject } from "@/server/kernel/roster/create-project";
import { seedMany, TURN_CARDS } from "@/server/testing/seed/seed-many";
import { openBenchData } from "./bench-data";

const [folder, size = "big"] = process.argv.slice(2);
const turns = { small: 1_000, medium: 10_000, big: 100_000 }[size] ?? Number(size);
if (!folder || !Number.isInteger(turns) || turns < 1_000)
  throw new Error("Usage: npm run bench:data -- <folder> [big | medium | turns, at least 1000]");

const { kernel, admin_url, close } = await openBenchData(path.resolve(folder));
const client = new pg.Client(admin_url);
await client.connect();
const projects =
  size === "small"
    ? ([["small", 1_000]] as const)
    : ([
        ["small", 1_000],
        ["large", turns],
      ] as const);
for (const [project_id, count] of projects) {
  const started = performance.now();
  await createProject(kernel, { project_id, title: project_id });
  await seedMany(kernel, client, { project_id, turns: count });
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${project_id}: ${count} turns, ${count * TURN_CARDS} cards, ${count * 3} boxes in ${seconds} s`);
}
await client.end();
await close();
