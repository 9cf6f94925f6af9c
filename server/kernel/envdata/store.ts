// Stores a value under its key or replaces the existing one: the last write wins.
import { KernelError } from "@/server/contract/errors";
import { refuseBadText } from "@/server/contract/text";
import type { Kernel } from "../kernel";
import type { Fenced } from "../turns/fenced";
import { type ChangeInput, changeEnv, type EnvChange } from "./change";
import { checkValue } from "./check-value";
import { ENV_LINE, type EnvRow } from "./env-row";

export type StoreEnv = ChangeInput & {
  short_description: string;
  value: unknown;
  /** If given: 0 = the key must be new; another number = its current rev must equal it. */
  rev?: number;
};

const NOW = `
  SELECT count(*)::int AS keys, max(rev) FILTER (WHERE key = $3) AS rev
  FROM state.env_data WHERE project_id = $1 AND root_turn_id = $2`;
const STORE = `
  INSERT INTO state.env_data AS e (project_id, root_turn_id, key, short_description, value, value_bytes, stored_by,
    stored_by_turn_id, rev)
  VALUES ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $9)
  ON CONFLICT (project_id, root_turn_id, key) DO UPDATE SET short_description = excluded.short_description,
    value = excluded.value, value_bytes = excluded.value_bytes, stored_by = excluded.stored_by,
    stored_by_turn_id = excluded.stored_by_turn_id, rev = excluded.rev, updated_at = clock_timestamp()
  RETURNING ${ENV_LINE}, e.value`;

/** payload_too_large for a value over its limit, conflict for one key too many. */
export async function storeEnvData(kernel: Kernel, input: StoreEnv): Promise<EnvChange | Fenced> {
  const { key, short_description } = input;
  refuseBadText({ key, short_description }, "env");
  const { json, value_bytes } = checkValue(input.value, kernel.tunables);
  return changeEnv(kernel, { ...input, status: "stored" }, async (scope) => {
    const { unit, project_id, root_turn_id } = scope;
    // The run's row is locked, so that nobody stores between the count and the write.
    const [now] = await unit.query<{ keys: number; rev: number | null }>("env_now", NOW, [
      project_id,
      root_turn_id,
      key,
    ]);
    const rev = now?.rev ?? 0;
    if (input.rev !== undefined && rev !== input.rev) throw changedMeanwhile(key, input.rev);
    const { envKeysMax } = kernel.tunables;
    if (rev === 0 && (now?.keys ?? 0) >= envKeysMax)
      throw new KernelError(
        "conflict",
        `key: the run has ${envKeysMax} keys of environment data, the maximum; delete one or combine values`,
      );
    const [row] = await unit.query<EnvRow>("env_store", STORE, [
      project_id,
      root_turn_id,
      key,
      short_description,
      json,
      value_bytes,
      scope.stored_by,
      scope.stored_by_turn_id,
      scope.rev,
    ]);
    if (!row) throw new Error("an upsert answered no row");
    return row;
  });
}

const changedMeanwhile = (key: string, rev: number): KernelError =>
  new KernelError(
    "conflict",
    rev === 0
      ? `key: ${key} already exists; choose another key or edit that one`
      : `key: ${key} was changed or deleted in the meantime; look at it again before you save`,
  );
