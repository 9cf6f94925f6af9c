// Changes the given parts of an existing key and keeps the rest.
import { KernelError } from "@/server/contract/errors";
import { refuseBadText } from "@/server/contract/text";
import type { Kernel } from "../kernel";
import type { Fenced } from "../turns/fenced";
import { type ChangeInput, changeEnv, type EnvChange } from "./change";
import { checkValue } from "./check-value";
import { ENV_LINE, type EnvRow } from "./env-row";

/** A missing field is kept; `value: undefined` counts as missing, and null is refused. */
export type UpdateEnv = ChangeInput & { short_description?: string; value?: unknown };

const UPDATE = `
  UPDATE state.env_data AS e SET short_description = coalesce($4, short_description), value = coalesce($5::jsonb, value),
    value_bytes = coalesce($6, value_bytes), stored_by = $7, stored_by_turn_id = $8, rev = $9, updated_at = clock_timestamp()
  WHERE project_id = $1 AND root_turn_id = $2 AND key = $3
  RETURNING ${ENV_LINE}, e.value`;

/** not_found for a missing key. */
export async function updateEnvData(kernel: Kernel, input: UpdateEnv): Promise<EnvChange | Fenced> {
  const { key, short_description, value } = input;
  if (short_description === undefined && value === undefined)
    throw new KernelError("bad_request", "value: give a new value, a new short_description, or both");
  refuseBadText({ key, short_description }, "env");
  const checked = value === undefined ? null : checkValue(value, kernel.tunables);
  return changeEnv(kernel, { ...input, status: "updated" }, async (scope) => {
    const [row] = await scope.unit.query<EnvRow>("env_update", UPDATE, [
      scope.project_id,
      scope.root_turn_id,
      key,
      short_description ?? null,
      checked?.json ?? null,
      checked?.value_bytes ?? null,
      scope.stored_by,
      scope.stored_by_turn_id,
      scope.rev,
    ]);
    if (!row)
      throw new KernelError(
        "not_found",
        `key: ${key} not found in the environment data; use store_env_data to store it`,
      );
    return row;
  });
}
