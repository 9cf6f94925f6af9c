// What a plan run came from and what came of it: its number, the run that it is a fork of, the forks of it, and its edits.
import type { RunEdit, RunNamed } from "@/server/contract/plan/run-drawing";
import type { PlanRunKey } from "../plan/plan-row";
import { type Reader, read } from "../reader";

/** Of each line so many. */
const KIN_MAX = 50;

// A result is taken over from fork to fork, so the run that it ran in may be further back than one.
const KIN = `
  WITH RECURSIVE back(plan_run_id, forked_from, depth) AS (
    SELECT r.plan_run_id, r.forked_from, 0 FROM state.plan_runs r WHERE r.project_id = $1 AND r.plan_run_id = $2
    UNION ALL
    SELECT r.plan_run_id, r.forked_from, b.depth + 1 FROM back b
    JOIN state.plan_runs r ON r.project_id = $1 AND r.plan_run_id = b.forked_from WHERE b.depth < ${KIN_MAX}
  ), forks AS (
    SELECT r.plan_run_id, -1 AS depth FROM state.plan_runs r WHERE r.project_id = $1 AND r.forked_from = $2
    ORDER BY r.created_at DESC LIMIT ${KIN_MAX}
  ), kin AS (SELECT plan_run_id, depth FROM back UNION ALL SELECT plan_run_id, depth FROM forks)
  SELECT k.plan_run_id, k.depth, r.root_turn_id, s.number AS run_number FROM kin k
  JOIN state.plan_runs r ON r.project_id = $1 AND r.plan_run_id = k.plan_run_id
  JOIN state.runs s ON s.project_id = $1 AND s.root_turn_id = r.root_turn_id
  ORDER BY k.depth, s.number DESC`;
const EDITS = `
  SELECT e.n, e.by, jsonb_array_length(e.ops) AS ops, e.reason, e.created_at FROM state.plan_run_edits e
  WHERE e.project_id = $1 AND e.plan_run_id = $2 ORDER BY e.n DESC LIMIT ${KIN_MAX}`;

type KinRow = RunNamed & { depth: number };
type EditRow = { n: number; by: string; ops: number; reason: string; created_at: string };

export type RunKin = {
  run_number: number;
  source?: RunNamed;
  forks: RunNamed[];
  edits: RunEdit[];
  /** By root turn: of this run and of those that it goes back to. */
  numbers: Map<string, number>;
};

/** Newest first. */
export async function readRunKin(reader: Reader, { project_id, plan_run_id }: PlanRunKey): Promise<RunKin> {
  const ids = [project_id, plan_run_id];
  const [kin, edits] = await Promise.all([
    read<KinRow>(reader, "run_kin", KIN, ids),
    read<EditRow>(reader, "run_edits", EDITS, ids),
  ]);
  const at = (wanted: number) => kin.flatMap(({ depth, ...named }) => (depth === wanted ? named : []));
  const [source] = at(1);
  return {
    run_number: at(0)[0]?.run_number ?? 0,
    ...(source && { source }),
    forks: at(-1),
    edits: edits.map((edit) => ({ ...edit, created_at: new Date(edit.created_at).toISOString() })),
    numbers: new Map(kin.map(({ root_turn_id, run_number }) => [root_turn_id, run_number])),
  };
}
