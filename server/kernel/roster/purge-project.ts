// Empties a project that is being deleted, a bounded number of rows in each transaction: as one, a project of a hundred thousand
// cards held back the live view of all others, and the watchdog's other rules, until it was gone. No key deletes
// rows of another table along where runs write in bulk: each such table is named here.
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";

const of = (table: string, column = "project_id") =>
  `DELETE FROM ${table} WHERE ${column} = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${column} = $1 LIMIT $2)) RETURNING 1 AS gone`;

// What refers to others goes first, so that no row takes more than a few others with it.
const PARTS = [
  ["purge_inbox", of("state.inbox_messages")],
  ["purge_due", of("state.due")],
  ["purge_holders", of("state.turn_holders")],
  ["purge_steps", of("state.agent_steps")],
  ["purge_waits", of("state.turn_waiting_tools")],
  ["purge_requests", of("state.human_requests")],
  ["purge_calls", of("state.calls_in_flight")],
  ["purge_plan_nodes", of("state.plan_run_nodes")],
  ["purge_plan_edits", of("state.plan_run_edits")],
  ["purge_turns", of("state.agent_turns")],
  ["purge_edges", of("state.edge_extra")],
  ["purge_identities", of("state.identity_extra")],
  ["purge_branches", of("state.branch_extra")],
  ["purge_batches", of("state.pmo_batches")],
  ["purge_plan_runs", of("state.plan_runs")],
  ["purge_plan_drafts", of("resource.plan_drafts")],
  ["purge_plans", of("resource.plans")],
  ["purge_env_calls", of("state.env_calls")],
  ["purge_env_data", of("state.env_data")],
  ["purge_alarms_due", of("state.alarm_due")],
  ["purge_alarms", of("state.alarms")],
  ["purge_alarm_mutes", of("state.alarm_mutes")],
  ["purge_runs", of("state.runs")],
  ["purge_agents", of("resource.project_agents")],
  ["purge_profiles", of("resource.profiles")],
  ["purge_card_words", of("card_search", "tenant_id")],
  ["purge_cards", of("cards", "tenant_id")],
  ["purge_chunks", of("box_chunks", "tenant_id")],
  ["purge_boxes", of("card_boxes", "tenant_id")],
  ["purge_pack_sources", of("resource.context_pack_sources")],
  ["purge_packs", of("resource.context_packs")],
  ["purge_workspace_files", of("resource.workspace_files")],
  ["purge_workspaces", of("resource.workspaces")],
  ["purge_artifact_names", of("resource.artifact_names")],
  ["purge_artifacts", of("resource.artifacts")],
  // Before their blobs, each of which has hundreds.
  ["purge_artifact_chunks", of("resource.artifact_chunks")],
  ["purge_artifact_blobs", of("resource.artifact_blobs")],
  // But for the answer to the deletion itself: whoever repeats it is told the same, for a day.
  [
    "purge_answers",
    `DELETE FROM state.kept_results WHERE project_id = $1 AND ctid = ANY (ARRAY(
       SELECT ctid FROM state.kept_results WHERE project_id = $1 AND unit <> 'project_begin_delete' LIMIT $2)) RETURNING 1 AS gone`,
  ],
  // Not by ctid: an operator may have partitioned it. The project's own frames stay, so that open windows learn of its end.
  [
    "purge_journal",
    `DELETE FROM state.journal_packs WHERE project_id = $1 AND (xid, pack_id) IN (
       SELECT xid, pack_id FROM state.journal_packs WHERE project_id = $1 AND kind IS DISTINCT FROM 'project' LIMIT $2)
     RETURNING 1 AS gone`,
  ],
] as const;

const REST = [
  ["project_delete_journal", "DELETE FROM state.journal_packs WHERE project_id = $1"],
  ["project_delete_workers", "DELETE FROM state.workers WHERE project_id = $1"],
  ["project_delete_findings", "DELETE FROM state.row_findings WHERE project_id = $1"],
  ["project_delete_keys", "DELETE FROM state.idempotency_keys WHERE project_id = $1"],
  ["project_delete", "DELETE FROM projects WHERE project_id = $1"],
] as const;

// Every transaction that has written a row of the project holds it until it ends, and who comes after the deletion has begun is
// refused (trigger enter_project). While nobody holds it, what is looked for here is all there will be.
const ALONE = "SELECT pg_try_advisory_xact_lock(hashtextextended('rows of ' || $1::text, 0)) AS is_alone";
const LOCK = `
  SELECT title, rev FROM projects WHERE project_id = $1 AND deleting_at IS NOT NULL FOR UPDATE SKIP LOCKED`;

/** True when it is gone. False when the time is over, or another process is at it or still writes into it. */
export async function purgeProject(
  kernel: Kernel,
  { project_id, untilMs }: { project_id: string; untilMs: number },
): Promise<boolean> {
  for (let at = 0; ; ) {
    const next = await withUnit(kernel, (unit) => purgePart(unit, project_id, at));
    if (typeof next !== "number") return next === "gone";
    at = next;
    if (Date.now() >= untilMs) return false;
  }
}

/** The next part to look at. */
async function purgePart(unit: Unit, project_id: string, from: number): Promise<number | "gone" | "held"> {
  const [project] = await unit.query<{ title: string; rev: number }>("project_lock_deleting", LOCK, [project_id]);
  if (!project) return "held";
  const [lock] = await unit.query<{ is_alone: boolean }>("project_alone", ALONE, [project_id]);
  if (!lock?.is_alone) return "held";
  await unit.probe("purge-part");
  let left = unit.kernel.tunables.purgeRowsMax;
  for (const [i, [name, text]] of PARTS.entries()) {
    if (i < from) continue;
    left -= (await unit.query(name, text, [project_id, left])).length;
    if (left <= 0) return i;
  }
  for (const [name, text] of REST) await unit.query(name, text, [project_id]);
  unit.frame(project_id, {
    kind: "project",
    id: project_id,
    rev: project.rev + 1,
    title: project.title,
    status: "archived",
    is_deleted: true,
  });
  return "gone";
}
