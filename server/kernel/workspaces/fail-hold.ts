// Ends an index that failed. The former index stays, and what this one has written is deleted; an upload that never had an
// index is as if it had not been sent.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { dropOtherRows } from "./drop-rows";
import type { Hold } from "./hold";
import { kernelErrorOf } from "./kernel-error-of";

const FAIL = `
  UPDATE resource.workspaces SET state = 'failed', error = $4, lease_id = NULL, lease_until = NULL, is_waiting = false
  WHERE project_id = $1 AND name = $2 AND lease_id = $3 RETURNING kind`;
const FORGET = "DELETE FROM resource.workspaces WHERE project_id = $1 AND name = $2";

/** Any error that is not the product's own is told without its details. Without the hold nothing is written. */
export async function failHold(kernel: Kernel, hold: Hold, error: unknown): Promise<void> {
  const known = kernelErrorOf(error);
  const told =
    known instanceof KernelError
      ? { code: known.code, message: known.message }
      : { code: "internal_error", message: "the index failed; see the server's log, then index the workspace again" };
  const { project_id, name, lease_id, generation } = hold;
  await withUnit(kernel, async (unit) => {
    const values = [project_id, name, lease_id, JSON.stringify(told)];
    const [failed] = await unit.query<{ kind: string }>("workspace_fail", FAIL, values);
    if (!failed) return;
    await dropOtherRows(unit, hold);
    if (generation === 0 && failed.kind !== "folder") await unit.query("workspace_forget", FORGET, [project_id, name]);
  });
}
