// Goes on with deletions that a request began and did not end, and deletes the runs that a project does not keep any longer; for at most
// a second per tick, in turn by project. One that fails is left aside for a while, and holds up no other.
import { KernelError } from "@/server/contract/errors";
import { deleteRun } from "../deletion/delete-run";
import { goOnErasing } from "../deletion/erase-person";
import { eraseRequests } from "../deletion/erase-requests";
import { isAtRest, isOld } from "../deletion/old-runs";
import { purgeRun } from "../deletion/purge-run";
import type { Kernel } from "../kernel";
import { eachRow, failureJoin, IS_TRIED, inTurn, rowKey, type WatchedRow } from "./each-row";

const DUE_MAX = 20;
/** Of each project that deletes by age. */
const OLD_MAX = 5;
const DUE = `
  SELECT d.project_id, d.deletion_id AS id, d.kind, ${rowKey("d.deletion_id")}
  FROM state.deletions d ${failureJoin("delete-runs", "d.project_id", "d.deletion_id")}
  WHERE d.ended_at IS NULL AND ${IS_TRIED}
  ORDER BY ${inTurn("d.project_id", "d.begun_at")} LIMIT ${DUE_MAX}`;
const OLD = `
  SELECT p.project_id, r.root_turn_id AS id, 'old' AS kind, r.root_turn_id AS row_key, r.is_failing
  FROM projects p CROSS JOIN LATERAL (
    SELECT r.root_turn_id, f.row_key IS NOT NULL AS is_failing FROM state.runs r
    ${failureJoin("delete-runs", "r.project_id", "r.root_turn_id")}
    WHERE r.project_id = p.project_id AND ${isOld("p.keep_runs_days")} AND ${isAtRest("p.keep_runs_days")} AND ${IS_TRIED}
    ORDER BY f.row_key IS NOT NULL, r.created_at LIMIT ${OLD_MAX}) r
  WHERE p.keep_runs_days IS NOT NULL AND p.removed_at IS NULL LIMIT ${DUE_MAX * OLD_MAX}`;

type Due = WatchedRow & { id: string; kind: "run" | "card" | "person" | "old" };

/** How many are done. */
export async function goOnDeleting(kernel: Kernel): Promise<number> {
  const { pool } = kernel.db;
  const begun = await pool.query<Due>({ name: "deletions_due", text: DUE, values: [] });
  const old = await pool.query<Due>({ name: "runs_old", text: OLD, values: [] });
  const rows = [...begun.rows, ...old.rows];
  const end = Date.now() + kernel.tunables.purgeTickMs;
  let left = rows.length;
  const isWhole = begun.rows.length < DUE_MAX && old.rows.length < OLD_MAX;
  return eachRow(kernel, { rule: "delete-runs", rows, isWhole }, ({ project_id, id, kind }, brief) => {
    // Each gets a share of the time that is left, so that a large one does not delay the others.
    const untilMs = Date.now() + Math.max(0, end - Date.now()) / left--;
    if (kind === "run") return purgeRun(brief, { project_id, deletion_id: id, untilMs });
    if (kind === "card") return eraseRequests(brief, { project_id, deletion_id: id, untilMs });
    if (kind === "person") return goOnErasing(brief, { project_id, deletion_id: id, untilMs });
    return Date.now() < end ? deleteOld(brief, project_id, id, untilMs - Date.now()) : Promise.resolve(false);
  });
}

async function deleteOld(kernel: Kernel, project_id: string, root_turn_id: string, purgeTickMs: number) {
  const own = { ...kernel, tunables: { ...kernel.tunables, purgeTickMs } };
  try {
    await deleteRun(own, { project_id, root_turn_id, by: "retention", reason: "older than the project keeps runs" });
    return true;
  } catch (error) {
    // Somebody launched into it, or deleted it, in this very moment.
    if (error instanceof KernelError && (error.code === "conflict" || error.code === "not_found")) return false;
    throw error;
  }
}
