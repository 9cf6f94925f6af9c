// The fairness gate: one project with 100,000 due turns, fifty others with one each, eight slots that take 100 ms per turn.
// When has each of the fifty started, and how many turns per second does the rotation cost, compared with due order? The same
// again inside one project: one large run and fifty single launches. `npx tsx bench/fair.ts [rows]`
import { createProject } from "@/server/kernel/roster/create-project";
import { type TakenRow, takeWork } from "@/server/kernel/turns/take-work";
import { withUnit } from "@/server/kernel/unit";
import { type BenchKernel, withBenchKernel } from "./bench-kernel";

const rows = Number(process.argv[2] ?? 100_000);
const SLOTS = 8;
const TURN_MS = 100;
const RUN_MS = 10_000;

const AGENTS = `
  WITH box AS (
    INSERT INTO card_boxes (tenant_id, box_id, kind) SELECT project_id, 'box', 'profile' FROM projects
  )
  INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target)
  SELECT project_id, 'agent', 'box', 'Bench', 'bench' FROM projects`;
// The crowd's turn is due before all others.
const FILL = `
  INSERT INTO state.due (project_id, agent_turn_id, worker_target, next_retry_at, run_key)
  SELECT 'crowd', 'turn_row_' || n, 'bench', now() - interval '1 hour', 7
  FROM generate_series(1, $1::int) n
  UNION ALL
  SELECT CASE WHEN $2 THEN 'single_' || n ELSE 'crowd' END, 'turn_one_' || n, 'bench', now(), hashtext('one_' || n)
  FROM generate_series(1, 50) n`;
const FIFO = `
  WITH due AS (
    SELECT project_id, agent_turn_id FROM state.due
    WHERE claimed_by IS NULL AND queued_for IS NULL AND next_retry_at <= now() AND worker_target = ANY ($1::text[])
    ORDER BY next_retry_at, created_at, agent_turn_id LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  UPDATE state.due i SET claimed_by = 'w', claimed_at = now()
  FROM due WHERE i.project_id = due.project_id AND i.agent_turn_id = due.agent_turn_id
  RETURNING 'inbox_' || substr(i.agent_turn_id, 6) AS inbox_id`;

type Claim = (limit: number) => Promise<{ inbox_id: string }[]>;

await withBenchKernel(async (bench) => {
  const { kernel } = bench;
  await createProject(kernel, { project_id: "crowd", title: "crowd" });
  await kernel.db.pool.query(
    "INSERT INTO projects (project_id, title) SELECT 'single_' || n, 'single' FROM generate_series(1, 50) n",
  );
  await kernel.db.pool.query(AGENTS);
  // In the order of an index with nothing else in it, as due order had.
  await kernel.db.pool.query(
    "CREATE INDEX bench_due ON state.due (next_retry_at, created_at, agent_turn_id) WHERE claimed_by IS NULL AND queued_for IS NULL",
  );
  const fifo: Claim = (limit) =>
    withUnit(kernel, (unit) => unit.query<{ inbox_id: string }>("bench_fifo", FIFO, [["bench"], limit]));
  await fill(bench, true);
  const due = await play(fifo);
  await kernel.db.pool.query("DROP INDEX state.bench_due");
  for (const [what, isProjects] of [
    ["fifty projects", true],
    ["fifty launches of the same project", false],
  ] as const) {
    await fill(bench, isProjects);
    const fair = await play(round(bench));
    console.log(
      `${rows} rows beside ${what}, ${SLOTS} slots of ${TURN_MS} ms: ${fair.begun} of 50 begun, the last after ${fair.lastMs} ms; ${fair.perSecond} turns a second, in due order ${due.perSecond} (${(fair.perSecond / due.perSecond).toFixed(2)}) with ${due.begun} of 50 begun in ${RUN_MS / 1000} s`,
    );
  }
});

async function fill({ kernel }: BenchKernel, isProjects: boolean): Promise<void> {
  await kernel.db.pool.query("TRUNCATE state.due");
  await kernel.db.pool.query(FILL, [rows, isProjects]);
  await kernel.db.pool.query("VACUUM ANALYZE state.due");
}

function round({ kernel }: BenchKernel): Claim {
  let after: TakenRow | undefined;
  return async (limit) => {
    const taken = await takeWork(kernel, { worker_targets: ["bench"], worker_id: "w", limit, after });
    after = taken.at(-1) ?? after;
    return taken;
  };
}

/** Claims for the slots that are free, as a worker does; "running" a turn is only a pause. */
async function play(claim: Claim): Promise<{ begun: number; lastMs: number; perSecond: number }> {
  const start = performance.now();
  let free = SLOTS;
  let taken = 0;
  let begun = 0;
  let lastMs = 0;
  let wake: () => void = () => undefined;
  while (performance.now() - start < RUN_MS) {
    if (free === 0) await new Promise<void>((resolve) => (wake = resolve));
    for (const { inbox_id } of await claim(free)) {
      free--;
      taken++;
      if (inbox_id.startsWith("inbox_one_")) {
        begun++;
        lastMs = Math.round(performance.now() - start);
      }
      setTimeout(() => {
        free++;
        wake();
      }, TURN_MS);
    }
  }
  return { begun, lastMs, perSecond: Number(((taken * 1000) / (performance.now() - start)).toFixed(1)) };
}
