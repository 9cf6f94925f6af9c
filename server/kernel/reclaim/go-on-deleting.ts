// Goes on with deletions that a request began and did not end, for at most a second per tick, the oldest first. One that fails is
// left aside for a while, and holds up no other.
import { eraseRequests } from "../deletion/erase-requests";
import { purgeRun } from "../deletion/purge-run";
import type { Kernel } from "../kernel";
import { eachRow, failureJoin, IS_TRIED, inTurn, rowKey, type WatchedRow } from "./each-row";

const DUE_MAX = 20;
const DUE = `
  SELECT d.project_id, d.deletion_id, d.kind, ${rowKey("d.deletion_id")}
  FROM state.deletions d ${failureJoin("delete-runs", "d.project_id", "d.deletion_id")}
  WHERE d.ended_at IS NULL AND ${IS_TRIED}
  ORDER BY ${inTurn("d.project_id", "d.begun_at")} LIMIT ${DUE_MAX}`;

type Due = WatchedRow & { deletion_id: string; kind: "run" | "card" };

/** How many are done. */
export async function goOnDeleting(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<Due>({ name: "deletions_due", text: DUE, values: [] });
  const end = Date.now() + kernel.tunables.purgeTickMs;
  let left = rows.length;
  const due = { rule: "delete-runs", rows, isWhole: rows.length < DUE_MAX } as const;
  return eachRow(kernel, due, ({ project_id, deletion_id, kind }, brief) => {
    // Each gets a share of the time that is left, so that a large one does not delay the others.
    const untilMs = Date.now() + (end - Date.now()) / left--;
    const goOn = kind === "run" ? purgeRun : eraseRequests;
    return goOn(brief, { project_id, deletion_id, untilMs });
  });
}
