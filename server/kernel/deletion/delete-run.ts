// Deletes a run for good. From the first unit on it is in no list and no page, and nothing can be added to it or handed over from it;
// its rows go in bounded units, here for a moment and then by the watchdog. A process that dies in between loses nothing.
import type { Deletion } from "@/server/contract/answers/deletions";
import { KernelError } from "@/server/contract/errors";
import { refuseBadText } from "@/server/contract/text";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { readRunDeletion } from "../roster/no-run";
import { RUN_COLUMNS, type RunRow, runFrame } from "../turns/run-row";
import { type Unit, withUnit } from "../unit";
import { purgeRun } from "./purge-run";
import { readDeletion } from "./read-deletions";

/** `by`: who deletes it, as the record says it. */
export type DeleteRunInput = {
  project_id: string;
  root_turn_id: string;
  by: string;
  reason: string;
};

// The project's row first, as in every launch and fork: whoever launches into the run has done so, or finds it gone.
// Whoever writes a box or a card of the project is not waited for, here.
const PROJECT = "SELECT 1 FROM projects WHERE project_id = $1 FOR NO KEY UPDATE";
const RUN = "SELECT r.number FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = $2 FOR UPDATE";
// By itself: a statement that waited for the lock would not see the turns that were queued meanwhile.
const STANDING = `
  SELECT (SELECT count(*)::int FROM (SELECT 1 FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.root_turn_id = $2 AND t.ended_at IS NULL LIMIT 1000) x) AS live,
    EXISTS (SELECT 1 FROM state.pmo_batches b WHERE b.project_id = $1 AND b.root_turn_id = $2 AND b.status = 'running')
      OR EXISTS (SELECT 1 FROM state.plan_runs p WHERE p.project_id = $1 AND p.root_turn_id = $2 AND p.status = 'running') AS is_busy`;
const BEGIN = `
  WITH gone AS (
    DELETE FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = $2 RETURNING ${columnsOf(RUN_COLUMNS, "r")}
  ), begun AS (
    INSERT INTO state.deletions AS d (project_id, deletion_id, kind, subject_id, number, deleted_by, reason, phase)
    SELECT $1, $3, 'run', $2, g.number, $4, $5, 'close' FROM gone g
  ), script AS (
    -- The text of an imported log lies in a box that no turn owns.
    UPDATE card_boxes b SET deletion_id = $3 FROM gone g
    WHERE b.tenant_id = $1 AND b.box_id = g.metadata ->> 'transcript_box_id' AND b.deletion_id IS NULL
  )
  SELECT ${columnsOf(RUN_COLUMNS, "g")} FROM gone g`;

/** Deleting twice gives the same record. conflict while it runs; not_found for an unknown run and for one of another project alike. */
export async function deleteRun(kernel: Kernel, input: DeleteRunInput): Promise<Deletion> {
  const { project_id } = input;
  refuseBadText(input.reason, "reason");
  const deletion_id = await withUnit(kernel, (unit) => begin(unit, input));
  // What follows is no part of the request: repeated, it finds less to do.
  const untilMs = Date.now() + kernel.tunables.purgeTickMs;
  await purgeRun({ ...kernel, keyed: undefined }, { project_id, deletion_id, untilMs });
  return readDeletion(kernel, { project_id, deletion_id });
}

async function begin(unit: Unit, input: DeleteRunInput): Promise<string> {
  const { project_id, root_turn_id, by, reason } = input;
  const values = [project_id, root_turn_id];
  await unit.query("deletion_project", PROJECT, [project_id]);
  const [run] = await unit.query<{ number: number }>("deletion_run", RUN, values);
  if (!run) {
    const known = await readRunDeletion(unit, { project_id, root_turn_id });
    if (!known) throw new KernelError("not_found", `run ${root_turn_id} not found in project ${project_id}`);
    return known.deletion_id;
  }
  const [now] = await unit.query<{ live: number; is_busy: boolean }>("run_standing", STANDING, values);
  if (!now || now.live > 0 || now.is_busy)
    throw new KernelError(
      "conflict",
      `root_turn_id: run ${run.number} has not ended (live turns: ${now?.live ?? 0}); stop it first, then delete it`,
      { path: "root_turn_id", live_turns: now?.live ?? 0 },
    );
  const deletion_id = unit.kernel.newId("del_");
  const [gone] = await unit.query<RunRow>("run_begin_deletion", BEGIN, [...values, deletion_id, by, reason]);
  if (!gone) throw new Error(`run ${root_turn_id} was locked in this unit and is gone`);
  unit.frame(project_id, { ...runFrame({ ...gone, rev: gone.rev + 1, title: "", metadata: {} }), is_deleted: true });
  return deletion_id;
}
