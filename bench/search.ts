// The search language in a small and a large project of one database, class by class: p50 and p95, and the ratio of the p95.
// `npx tsx bench/search.ts [turns of the large project]`; ten cards a turn. The projects are asked in turns, so that what
// else the machine does falls on both.
import pg from "pg";
import type { QueryKind } from "@/server/contract/search-query/fields";
import { createProject } from "@/server/kernel/roster/create-project";
import { search } from "@/server/kernel/search/search";
import { type SeedKind, seedId, seedMany } from "@/server/testing/seed/seed-many";
import { withBenchKernel } from "./bench-kernel";

const SMALL = 1_000;
const large = Number(process.argv[2] ?? 100_000);
const ROUNDS = 25;

type Id = (kind: SeedKind, i: number) => string;
const classes = (id: Id): [string, QueryKind, string][] => [
  ["everything", "card", ""],
  ["a common word", "card", "report"],
  ["a rare word", "card", "lighthouse"],
  ["a common and a rare word", "card", "report lighthouse"],
  ["no hit", "card", "unheard"],
  ["a prefix", "card", "lighth*"],
  ["one of two words", "card", "lighthouse OR sailing"],
  ["a phrase of common words", "card", '"report about"'],
  ["a phrase without hits", "card", '"about report"'],
  ["a type", "card", "type:task.deliverable"],
  ["an author without cards", "card", "author:nobody"],
  ["tokens without hits", "card", "tokens:>1M"],
  ["a run", "card", "run:1 type:agent.thought"],
  ["in a turn", "card", `in:${id("turn_", 500)}`],
  ["an origin", "card", "origin:inherited"],
  ["a profile", "card", "profile:worker"],
  ["everything", "turn", ""],
  ["a word of titles", "turn", "thing"],
  ["a word without hits", "turn", "unheard"],
  ["an id", "turn", id("turn_", 500)],
  ["a headcode", "turn", "headcode:3A500"],
  ["saw a card", "turn", `saw:${id("card_", 5_005)}`],
  ["wrote a card", "turn", `wrote:${id("card_", 5_005)}`],
  ["held a card", "turn", `held:${id("card_", 5_005)}`],
  ["below a turn", "turn", `under:${id("turn_", 7)}`],
  ["above a turn", "turn", `above:${id("turn_", 999)}`],
  ["failed", "turn", "is:failed"],
  ["slow", "turn", "is:slow"],
  ["a type that it wrote", "turn", "type:agent.error"],
  ["cost without hits", "turn", "cost:>1k"],
  ["everything", "box", ""],
  ["tokens without hits", "box", "tokens:>1M"],
  ["a word of owners", "box", "thing"],
];

await withBenchKernel(async ({ kernel, admin_url }) => {
  // The kernel's own connections give up on a statement that takes as long as the seed.
  const client = new pg.Client(admin_url);
  await client.connect();
  for (const [project_id, turns] of [
    ["small", SMALL],
    ["large", large],
  ] as const) {
    await createProject(kernel, { project_id, title: project_id });
    await seedMany(kernel, client, { project_id, turns });
    console.log(`${project_id}: ${turns} turns, ${turns * 10} cards`);
  }
  await client.end();
  console.log(
    "| kind | class | small p50, p95 | large p50, p95 | ratio of p95 | answered |\n|---|---|---|---|---|---|",
  );
  const of = (project_id: string) => classes((kind, i) => seedId(project_id, kind, i));
  const asked = { small: of("small"), large: of("large") };
  for (const [n, [name, kind]] of asked.small.entries()) {
    const times = { small: [] as number[], large: [] as number[] };
    let said = "";
    for (let round = 0; round < ROUNDS + 3; round++)
      for (const project_id of ["small", "large"] as const) {
        const q = asked[project_id][n]?.[2] ?? "";
        const started = performance.now();
        const { groups } = await search(kernel, { project_id, q, kind, limit: 50, facets: false });
        if (round >= 3) times[project_id].push(performance.now() - started);
        if (project_id === "large")
          said = `${groups[0]?.items.length}${groups[0]?.is_partial ? `, of ${groups[0].looked_at} looked at` : ""}`;
      }
    const [small, big] = [at(times.small), at(times.large)];
    const ratio = (big.p95 / small.p95).toFixed(1);
    console.log(
      `| ${kind} | ${name} | ${small.p50.toFixed(1)}, ${small.p95.toFixed(1)} ms | ${big.p50.toFixed(1)}, ${big.p95.toFixed(1)} ms | ${ratio} | ${said} |`,
    );
  }
});

function at(ms: number[]): { p50: number; p95: number } {
  const sorted = ms.toSorted((a, b) => a - b);
  const of = (q: number) => sorted[Math.floor(q * (sorted.length - 1))] ?? 0;
  return { p50: of(0.5), p95: of(0.95) };
}
