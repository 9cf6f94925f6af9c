// Who indexes a workspace: one at a time, for as long as it reports progress. A process that dies loses its hold after a minute.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import type { Reader } from "../reader";
import { type Unit, withUnit } from "../unit";
import { dropOtherRows } from "./drop-rows";
import { readRow, type WorkspaceInput } from "./read-workspaces";

/** `generation` is that of the index that is shown meanwhile. */
export type Hold = WorkspaceInput & { lease_id: string; generation: number };
export type Progress = { seen: number; done: number; skipped: Record<string, number> };

const TAKE = `
  UPDATE resource.workspaces SET state = 'indexing', lease_id = $3, lease_until = now() + interval '60 s', seen = 0, done = 0,
    skipped = '{}', error = NULL, is_waiting = $4
  WHERE project_id = $1 AND name = $2 AND (lease_until IS NULL OR lease_until < now())
  RETURNING generation`;
const BEAT = `
  UPDATE resource.workspaces SET lease_until = now() + interval '60 s', seen = $4, done = $5, skipped = $6,
    is_waiting = false
  WHERE project_id = $1 AND name = $2 AND lease_id = $3 RETURNING name`;

/** `is_waiting`: until its first batch. conflict while another index runs. What an index that died has left is deleted. */
export async function takeHold(kernel: Kernel, input: WorkspaceInput & { is_waiting?: boolean }): Promise<Hold> {
  const { project_id, name, is_waiting = false } = input;
  const lease_id = kernel.newId();
  const values = [project_id, name, lease_id, is_waiting];
  return withUnit(kernel, async (unit) => {
    const [taken] = await unit.query<{ generation: number }>("workspace_take", TAKE, values);
    if (!taken) {
      await readRow(unit, input);
      throw new KernelError("conflict", `name: the workspace ${name} is being indexed. Try again when it is ready`);
    }
    const hold = { project_id, name, lease_id, generation: taken.generation };
    await dropOtherRows(unit, hold);
    return hold;
  });
}

/** First in the unit of each batch: it locks the row, so whoever has lost the hold writes nothing. */
export async function beat(unit: Unit, hold: Hold, { seen, done, skipped }: Progress): Promise<void> {
  const { project_id, name, lease_id } = hold;
  const values = [project_id, name, lease_id, seen, done, JSON.stringify(skipped)];
  if ((await unit.query("workspace_beat", BEAT, values)).length === 0) throw await lostHold(unit, hold);
}

/** not_found if the workspace was deleted meanwhile. */
export async function lostHold(reader: Reader, hold: Hold): Promise<KernelError> {
  await readRow(reader, hold);
  return new KernelError(
    "conflict",
    `name: another index of ${hold.name} has begun, because this one lost its connection for a minute. Read the workspace for its state`,
  );
}
