// A claim of 16 with 100,000 waiting rows of one project and 5,000 rows of 1,000 others: project by project, and in due order
// over everything as it used to be, both in one run. `npx tsx bench/claim.ts [rows]`
import { claimOf } from "@/server/kernel/inbox/claimable";
import { createProject } from "@/server/kernel/roster/create-project";
import { takeWork } from "@/server/kernel/turns/take-work";
import { withUnit } from "@/server/kernel/unit";
import { spread, withBenchKernel } from "./bench-kernel";

const rows = Number(process.argv[2] ?? 100_000);
const ROUNDS = 200;

const FILL = `
  WITH box AS (
    INSERT INTO card_boxes (tenant_id, box_id, kind) SELECT project_id, 'box', 'profile' FROM projects
  ), agent AS (
    INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target)
    SELECT project_id, 'agent', 'box', 'Bench', 'bench' FROM projects
  )
  INSERT INTO state.due (project_id, agent_turn_id, worker_target, next_retry_at)
  SELECT p.project_id, 'turn_row_' || n, 'bench', now() - n * interval '1 ms'
  FROM projects p CROSS JOIN LATERAL generate_series(1, CASE WHEN p.project_id = 'crowd' THEN $1::int ELSE 5 END) n`;
// In the order of an index with nothing else in it, as it was then.
const FIFO = `
  SELECT project_id, agent_turn_id FROM state.due
  WHERE claimed_by IS NULL AND queued_for IS NULL AND next_retry_at <= now() AND worker_target = ANY ($1::text[])
  ORDER BY next_retry_at, created_at, agent_turn_id LIMIT $2 FOR UPDATE SKIP LOCKED`;

await withBenchKernel(async ({ kernel }) => {
  await createProject(kernel, { project_id: "crowd", title: "crowd" });
  await kernel.db.pool.query(
    "INSERT INTO projects (project_id, title) SELECT 'other_' || n, 'other' FROM generate_series(1, 1000) n",
  );
  await kernel.db.pool.query(FILL, [rows]);
  await kernel.db.pool.query(
    "CREATE INDEX bench_due ON state.due (next_retry_at, created_at, agent_turn_id) WHERE claimed_by IS NULL AND queued_for IS NULL",
  );
  await kernel.db.pool.query("VACUUM ANALYZE state.due");
  const worker = { worker_targets: ["bench"], worker_id: "w", limit: 16 };
  const { values } = claimOf(kernel, worker, false);
  const fifo = await timed(() => withUnit(kernel, (unit) => unit.query("bench_fifo", FIFO, [values[0], values[2]])));
  let after: { worker_target: string; project_id: string } | undefined;
  const seen = new Set<string>();
  const fair = await timed(async () => {
    const taken = await takeWork(kernel, { ...worker, after });
    after = taken.at(-1) ?? after;
    for (const { project_id } of taken) seen.add(project_id);
  });
  await kernel.db.pool.query("UPDATE state.due SET claimed_by = 'gone' WHERE project_id <> 'crowd'");
  const alone = await timed(() => takeWork(kernel, worker));
  const COUNT = `SELECT count(*) FROM (SELECT 1 FROM state.due WHERE project_id = $1 AND claimed_by IS NULL LIMIT 20000) AS one`;
  const full = await timed(() => withUnit(kernel, (unit) => unit.query("bench_count", COUNT, ["crowd"])));
  const ratio = (ms: number) => (ms / fifo.p50).toFixed(1);
  console.log(
    `${rows} rows beside 5,000 of 1,000 projects, p50 of ${ROUNDS}: due order, rows locked only ${fifo.p50} ms; claim round the projects, rows taken, ${fair.p50} ms (${ratio(fair.p50)}), p99 ${fair.p99}, ${seen.size} projects in ${ROUNDS} claims; one project alone ${alone.p50} ms (${ratio(alone.p50)}); a count of 20,000 waiting ${full.p50} ms (${ratio(full.p50)})`,
  );
});

async function timed(work: () => Promise<unknown>): Promise<{ p50: number; p99: number }> {
  const ms: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    await work();
    ms.push(performance.now() - start);
  }
  return spread(ms);
}
