// Deletes a key and its value. If it is stored again later, it is a new key.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import type { Fenced } from "../turns/fenced";
import { type ChangeInput, changeEnv, type EnvChange } from "./change";
import { ENV_LINE, type EnvRow } from "./env-row";

const DELETE = `DELETE FROM state.env_data AS e WHERE project_id = $1 AND root_turn_id = $2 AND key = $3
  RETURNING ${ENV_LINE}, e.value, clock_timestamp() AS updated_at`;

/** not_found for a missing key. */
export async function deleteEnvData(kernel: Kernel, input: ChangeInput): Promise<EnvChange | Fenced> {
  return changeEnv(kernel, { ...input, status: "deleted" }, async ({ unit, project_id, root_turn_id }) => {
    const [row] = await unit.query<EnvRow>("env_delete", DELETE, [project_id, root_turn_id, input.key]);
    if (!row) throw notStored(input.key);
    return row;
  });
}

export const notStored = (key: string): KernelError =>
  new KernelError("not_found", `key: ${key} not found in the environment data; list_env_data lists the keys`);
