// What goes on elsewhere and was made of a run, asked before it is deleted: forks of its turns, batches that were given boxes of it, and
// plans that still name one. Cards that others hold stay whatever happens; a plan that names a box later finds it gone.
import type { RunUsers } from "@/server/contract/answers/deletions";
import { type Reader, read } from "../reader";
import { COUNTED_MAX, counted } from "./counted";

/** Of each kind. */
const NAMED_MAX = 20;
/** Turns of the run, batches and plans of others that go on, and branches of those. */
const TURNS_MAX = 1_000;
const LIVE_MAX = 500;
const TASKS_MAX = 5_000;

const FORKS = `
  WITH found AS MATERIALIZED (
    SELECT f.root_turn_id FROM (SELECT t.agent_turn_id FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.root_turn_id = $2 ORDER BY t.created_at LIMIT ${TURNS_MAX}) t
    CROSS JOIN LATERAL (SELECT f.root_turn_id FROM state.agent_turns f WHERE f.project_id = $1 AND f.forked_from IS NOT NULL
      AND f.forked_from ->> 'agent_turn_id' = t.agent_turn_id AND f.root_turn_id <> $2 LIMIT ${COUNTED_MAX + 1}) f
    LIMIT ${COUNTED_MAX + 1}
  )
  SELECT r.root_turn_id, r.number, count(*)::int AS turns, (count(*) OVER ())::int AS total
  FROM found f JOIN state.runs r ON r.project_id = $1 AND r.root_turn_id = f.root_turn_id
  GROUP BY r.root_turn_id, r.number ORDER BY r.number DESC LIMIT ${NAMED_MAX}`;

/** Whether `id`, SQL, is a box that a turn of run $2 works with or made. */
const isBox = (id: string) => `(
    EXISTS (SELECT 1 FROM state.agent_turns o WHERE o.project_id = $1 AND o.context_box_id = ${id} AND o.root_turn_id = $2)
    OR EXISTS (SELECT 1 FROM state.agent_turns o WHERE o.project_id = $1 AND o.output_box_id = ${id} AND o.root_turn_id = $2)
    OR EXISTS (SELECT 1 FROM card_boxes b JOIN state.agent_turns o ON o.project_id = $1 AND o.agent_turn_id = b.owner_turn_id
      WHERE b.tenant_id = $1 AND b.box_id = ${id} AND o.root_turn_id = $2))`;
const isTurn = (id: string) =>
  `EXISTS (SELECT 1 FROM state.agent_turns o WHERE o.project_id = $1 AND o.agent_turn_id = ${id} AND o.root_turn_id = $2)`;

// What a branch was given is in the receipt of its context, also while it is held back.
const BATCHES = `
  WITH live AS MATERIALIZED (
    SELECT b.batch_id, b.root_turn_id FROM state.pmo_batches b
    WHERE b.project_id = $1 AND b.status = 'running' AND b.root_turn_id <> $2 ORDER BY b.created_at DESC LIMIT ${LIVE_MAX + 1}
  ), tasks AS MATERIALIZED (
    SELECT k.batch_id, k.context_box_id, k.metadata #>> '{replays,agent_turn_id}' AS replays FROM live l
    JOIN state.pmo_batch_tasks k ON k.project_id = $1 AND k.batch_id = l.batch_id LIMIT ${TASKS_MAX + 1}
  ), given AS MATERIALIZED (
    SELECT DISTINCT k.batch_id, g.line #>> '{}' AS box_id FROM tasks k
    CROSS JOIN LATERAL (SELECT x.receipt FROM card_boxes x WHERE x.tenant_id = $1 AND x.box_id = k.context_box_id OFFSET 0) x
    CROSS JOIN LATERAL jsonb_path_query(x.receipt, '$.lines[*].box_id') AS g(line)
  ), boxes AS MATERIALIZED (
    SELECT d.box_id FROM (SELECT DISTINCT g.box_id FROM given g) d WHERE ${isBox("d.box_id")}
  ), found AS (
    SELECT g.batch_id FROM given g JOIN boxes b ON b.box_id = g.box_id
    UNION SELECT k.batch_id FROM tasks k WHERE k.replays IS NOT NULL AND ${isTurn("k.replays")}
  )
  SELECT l.batch_id, r.root_turn_id, r.number, (count(f.batch_id) OVER ())::int AS total,
    ((SELECT count(*) FROM live) > ${LIVE_MAX} OR (SELECT count(*) FROM tasks) > ${TASKS_MAX}) AS is_partial
  FROM (SELECT 1) one LEFT JOIN (found f JOIN live l ON l.batch_id = f.batch_id
    JOIN state.runs r ON r.project_id = $1 AND r.root_turn_id = l.root_turn_id) ON true
  ORDER BY r.number DESC, l.batch_id LIMIT ${NAMED_MAX}`;

const PLANS = `
  WITH live AS MATERIALIZED (
    SELECT p.plan_run_id, p.root_turn_id, p.body, p.inputs, p.forked_from FROM state.plan_runs p
    WHERE p.project_id = $1 AND p.status = 'running' AND p.root_turn_id <> $2 ORDER BY p.created_at DESC LIMIT ${LIVE_MAX + 1}
  ), named AS MATERIALIZED (
    SELECT l.plan_run_id, n.box_id, n.card_id FROM live l CROSS JOIN LATERAL (
      SELECT e.load ->> 'box' AS box_id, e.load ->> 'card' AS card_id
      FROM jsonb_path_query(l.body, '$.nodes[*].load[*]') AS e(load)
      UNION SELECT e.load ->> 'box', e.load ->> 'card' FROM jsonb_path_query(l.body, '$.nodes[*].tasks[*].load[*]') AS e(load)
      UNION SELECT i.value ->> 'box_id', i.value ->> 'card_id' FROM jsonb_each(l.inputs) AS i(key, value)) n
    WHERE n.box_id IS NOT NULL OR n.card_id IS NOT NULL
  ), found AS (
    SELECT n.plan_run_id FROM named n WHERE n.box_id IS NOT NULL AND ${isBox("n.box_id")}
    UNION SELECT n.plan_run_id FROM named n JOIN cards c ON c.tenant_id = $1 AND c.card_id = n.card_id
      WHERE ${isTurn("(c.metadata ->> 'agent_turn_id')")}
    UNION SELECT l.plan_run_id FROM live l JOIN state.plan_runs s ON s.project_id = $1 AND s.plan_run_id = l.forked_from
      WHERE s.root_turn_id = $2
  )
  SELECT l.plan_run_id, coalesce(l.body ->> 'name', '') AS name, r.root_turn_id, r.number, (count(f.plan_run_id) OVER ())::int AS total,
    (SELECT count(*) FROM live) > ${LIVE_MAX} AS is_partial
  FROM (SELECT 1) one LEFT JOIN (found f JOIN live l ON l.plan_run_id = f.plan_run_id
    JOIN state.runs r ON r.project_id = $1 AND r.root_turn_id = l.root_turn_id) ON true
  ORDER BY r.number DESC, l.plan_run_id LIMIT ${NAMED_MAX}`;

type Named = { root_turn_id: string; number: number; total: number };
/** One row without a run says only whether everything was looked at. */
type OrNone<T> = { [Key in keyof T]: T[Key] | null } & { total: number; is_partial: boolean };
type Fork = Named & { turns: number };
type Batch = OrNone<Omit<Named, "total"> & { batch_id: string }>;
type PlanRun = OrNone<Omit<Named, "total"> & { plan_run_id: string; name: string }>;

const totalOf = (rows: readonly { total: number }[]) => counted(rows[0]?.total ?? 0);

export async function readRunUsers(
  reader: Reader,
  { project_id, root_turn_id }: { project_id: string; root_turn_id: string },
): Promise<{ used_by: RunUsers; is_partial: boolean }> {
  const values = [project_id, root_turn_id];
  const forks = await read<Fork>(reader, "run_users_forks", FORKS, values);
  const batches = await read<Batch>(reader, "run_users_batches", BATCHES, values);
  const plans = await read<PlanRun>(reader, "run_users_plans", PLANS, values);
  return {
    used_by: {
      forks: { total: totalOf(forks), items: forks.map(({ total: _, ...fork }) => fork) },
      batches: {
        total: totalOf(batches),
        items: batches.flatMap(({ batch_id, root_turn_id: run, number }) =>
          batch_id === null || run === null || number === null ? [] : [{ batch_id, root_turn_id: run, number }],
        ),
      },
      plans: {
        total: totalOf(plans),
        items: plans.flatMap(({ plan_run_id, name, root_turn_id: run, number }) =>
          plan_run_id === null || run === null || number === null
            ? []
            : [{ plan_run_id, name: name ?? "", root_turn_id: run, number }],
        ),
      },
    },
    is_partial: [...batches, ...plans].some((row) => row.is_partial),
  };
}
