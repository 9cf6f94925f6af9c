// Who indexes a workspace: one at a time, for as long as it reports progress. A process that dies loses its hold after a minute.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { kernelErrorOf } from "./kernel-error-of";
import { noWorkspace, readRow, type WorkspaceInput } from "./read-workspaces";

export type Hold = WorkspaceInput & { lease_id: string; generation: number };
export type Progress = { seen: number; done: number; skipped: Record<string, number> };

const TAKE = `
  UPDATE resource.workspaces SET state = 'indexing', lease_id = $3, lease_until = now() + interval '60 s', seen = 0, done = 0,
    skipped = '{}', error = NULL
  WHERE project_id = $1 AND name = $2 AND (lease_until IS NULL OR lease_until < now())
  RETURNING generation`;
const LEFT = "DELETE FROM resource.workspace_files WHERE project_id = $1 AND workspace = $2 AND generation <> $3";
const BEAT = `
  UPDATE resource.workspaces SET lease_until = now() + interval '60 s', seen = $4, done = $5, skipped = $6
  WHERE project_id = $1 AND name = $2 AND lease_id = $3 RETURNING name`;
const FAIL = `
  UPDATE resource.workspaces SET state = 'failed', error = $4, lease_id = NULL, lease_until = NULL
  WHERE project_id = $1 AND name = $2 AND lease_id = $3`;

/** conflict while another index runs. What an index that died has left is deleted. */
export async function takeHold(kernel: Kernel, input: WorkspaceInput): Promise<Hold> {
  const { project_id, name } = input;
  const lease_id = kernel.newId();
  return withUnit(kernel, async (unit) => {
    const [taken] = await unit.query<{ generation: number }>("workspace_take", TAKE, [project_id, name, lease_id]);
    if (!taken) {
      await readRow(unit, input);
      throw new KernelError("conflict", `name: the workspace ${name} is being indexed; wait until that is over`);
    }
    await unit.query("workspace_left", LEFT, [project_id, name, taken.generation]);
    return { project_id, name, lease_id, generation: taken.generation };
  });
}

/** In the unit of each batch: whoever has lost the hold writes nothing. */
export async function beat(unit: Unit, hold: Hold, { seen, done, skipped }: Progress): Promise<void> {
  const { project_id, name, lease_id } = hold;
  const values = [project_id, name, lease_id, seen, done, JSON.stringify(skipped)];
  if ((await unit.query("workspace_beat", BEAT, values)).length === 0) throw noWorkspace(hold);
}

/** The former index stays. Any error that is not the product's own is told without its details. */
export async function failHold(kernel: Kernel, hold: Hold, error: unknown): Promise<void> {
  const known = kernelErrorOf(error);
  const told =
    known instanceof KernelError
      ? { code: known.code, message: known.message }
      : { code: "internal_error", message: "the index failed; see the server's log, then index the workspace again" };
  const { project_id, name, lease_id, generation } = hold;
  await withUnit(kernel, async (unit) => {
    await unit.query("workspace_fail", FAIL, [project_id, name, lease_id, JSON.stringify(told)]);
    await unit.query("workspace_unwritten", `${LEFT} AND generation = $4`, [
      project_id,
      name,
      generation,
      generation + 1,
    ]);
  });
}
