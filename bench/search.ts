// The search language in a small and a large project of one database, class by class: p50 and p95, and the ratio of the p95.
// `npx tsx bench/search.ts [turns of the large project]`; ten cards a turn. The projects are asked in turns, so that what
// else the machine does falls on both.
import pg from "pg";
import type { QueryKind } from "@/server/contract/search-query/fields";
import { createProject } from "@/server/kernel/roster/create-project";
import { search } from "@/server/kernel/search/search";
import { withBenchKernel } from "./bench-kernel";

const SMALL = 1_000;
const large = Number(process.argv[2] ?? 100_000);
const ROUNDS = 25;

const classes: [string, QueryKind, string][] = [
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
  ["in a turn", "card", "in:t_500"],
  ["an origin", "card", "origin:inherited"],
  ["a profile", "card", "profile:worker"],
  ["everything", "turn", ""],
  ["a word of titles", "turn", "thing"],
  ["a word without hits", "turn", "unheard"],
  ["an id", "turn", "t_500"],
  ["a headcode", "turn", "headcode:1W500"],
  ["saw a card", "turn", "saw:c_5005"],
  ["wrote a card", "turn", "wrote:c_5005"],
  ["held a card", "turn", "held:c_5005"],
  ["below a turn", "turn", "under:t_7"],
  ["above a turn", "turn", "above:t_999"],
  ["failed", "turn", "is:failed"],
  ["slow", "turn", "is:slow"],
  ["a type that it wrote", "turn", "type:agent.error"],
  ["cost without hits", "turn", "cost:>1k"],
  ["everything", "box", ""],
  ["tokens without hits", "box", "tokens:>1M"],
  ["a word of owners", "box", "thing"],
];

await withBenchKernel(async ({ kernel, url }) => {
  // The kernel's own connections give up on a statement that takes as long as the seed.
  const client = new pg.Client(url);
  await client.connect();
  for (const [project_id, turns] of [
    ["small", SMALL],
    ["large", large],
  ] as const) {
    await createProject(kernel, { project_id, title: project_id });
    await seed(client, project_id, turns);
    console.log(`${project_id}: ${turns} turns, ${turns * 10} cards`);
  }
  await client.query("VACUUM ANALYZE");
  await client.end();
  console.log(
    "| kind | class | small p50, p95 | large p50, p95 | ratio of p95 | answered |\n|---|---|---|---|---|---|",
  );
  for (const [name, kind, q] of classes) {
    const times = { small: [] as number[], large: [] as number[] };
    let said = "";
    for (let round = 0; round < ROUNDS + 3; round++)
      for (const project_id of ["small", "large"] as const) {
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

/** Ids count from the oldest on. Every turn has a context of six cards, an output of five and one request of ten. */
async function seed(client: pg.Client, project: string, turns: number): Promise<void> {
  const run = (text: string, values: unknown[] = []) => client.query(text, values);
  const ago = "now() - ($2 * 10 - i) * interval '1 second'";
  await run(
    `INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count, created_at)
       SELECT $1, 'c_' || i, jsonb_build_object('kind', 'text', 'text', concat_ws(' ', 'the report about', left(md5(i::text), 3),
           substr(md5(i::text), 4, 4), CASE WHEN i % 50 = 0 THEN 'sailing' END, CASE WHEN i % 5000 = 7 THEN 'lighthouse' END)),
         jsonb_build_object('type', CASE i % 10 WHEN 0 THEN 'task.instruction' WHEN 9 THEN 'task.deliverable' ELSE 'agent.thought' END,
           'role', 'user', 'author_id', 'seed', 'agent_turn_id', 't_' || i / 10), 'h', 20, ${ago}
       FROM generate_series(0, $2::int * 10 - 1) i`,
    [project, turns],
  );
  await run(
    `INSERT INTO card_search (tenant_id, card_id, body, created_at)
       SELECT tenant_id, card_id, to_tsvector('simple', content ->> 'text'), created_at FROM cards WHERE tenant_id = $1`,
    [project],
  );
  await run(
    `INSERT INTO card_boxes (tenant_id, box_id, kind, owner_turn_id, length, token_sum, created_at)
       SELECT $1, k || i, CASE k WHEN 'x' THEN 'context' WHEN 'o' THEN 'output' ELSE 'request' END,
         CASE k WHEN 'x' THEN NULL ELSE 't_' || i END, 5, 100, now() - ($2 - i) * interval '10 seconds'
       FROM generate_series(0, $2::int - 1) i, unnest(ARRAY['x', 'o', 'r']) k`,
    [project, turns],
  );
  await run(
    `INSERT INTO card_box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens)
       SELECT $1, k || i, 0, 0, ARRAY(SELECT 'c_' || i * 10 + g FROM generate_series(CASE k WHEN 'o' THEN 5 ELSE 0 END,
         CASE k WHEN 'x' THEN 4 ELSE 9 END) g), '[[10, "given"]]', 100
       FROM generate_series(0, $2::int - 1) i, unnest(ARRAY['x', 'o', 'r']) k`,
    [project, turns],
  );
  await run("INSERT INTO card_boxes (tenant_id, box_id, kind) VALUES ($1, 'p', 'profile')", [project]);
  await run(
    `INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target)
       SELECT $1, 'a_' || i, 'p', 'Worker', 'w' FROM generate_series(0, 99) i`,
    [project],
  );
  await run(
    `INSERT INTO state.runs (project_id, root_turn_id, number, title, source)
       SELECT $1, 't_' || r * 1000, r + 1, 'run', 'launch' FROM generate_series(0, $2::int / 1000 - 1) r`,
    [project, turns],
  );
  await run(
    `INSERT INTO state.agent_turns (project_id, agent_turn_id, agent_id, root_turn_id, parent_turn_id, primitive, trace_id, profile_box_id,
         profile_name, worker_target, context_box_id, headcode, title, depth, created_at, started_at, ended_at, output_box_id, output_start,
         deliverable_card_id, status, batch_id)
       SELECT $1, 't_' || i, 'a_' || i % 100, 't_' || i / 1000 * 1000,
         CASE WHEN i % 1000 > 0 THEN 't_' || i / 1000 * 1000 + (i % 1000 - 1) / 8 END, 'delegate_async', 'x', 'p', 'Worker', 'w', 'x' || i, '1W' || i % 1000,
         'do thing ' || i, 1, now() - ($2 - i) * interval '10 seconds', now() - ($2 - i) * interval '10 seconds', now() - ($2 - i) * interval '10 seconds' + interval '5 seconds',
         'o' || i, 0, 'c_' || i * 10 + 9, 'success', 'b_' || i / 8
       FROM generate_series(0, $2::int - 1) i`,
    [project, turns],
  );
}
