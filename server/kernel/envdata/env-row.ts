// A row of environment data as the database has it, and what leaves the kernel of it.
import type { EnvEntry, EnvLine } from "@/server/contract/env-data";
import type { EnvDataFrame } from "@/server/contract/frame";

export type EnvLineRow = Omit<EnvLine, "stored_by_turn_id"> & { stored_by_turn_id: string | null };
export type EnvRow = EnvLineRow & { value: unknown };

/** Everything but the value, of a table `e`. */
export const ENV_LINE =
  "e.root_turn_id, e.key, e.short_description, e.value_bytes, e.stored_by, e.stored_by_turn_id, e.rev, e.created_at, e.updated_at";

export const envLine = (row: EnvLineRow): EnvLine => ({
  root_turn_id: row.root_turn_id,
  key: row.key,
  short_description: row.short_description,
  value_bytes: row.value_bytes,
  stored_by: row.stored_by,
  ...(row.stored_by_turn_id !== null && { stored_by_turn_id: row.stored_by_turn_id }),
  rev: row.rev,
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
});

export const envEntry = (row: EnvRow): EnvEntry => ({ ...envLine(row), value: row.value });

/** Never with the value: frames go to every viewer and are kept. */
export const envFrame = (line: EnvLine, is_deleted: boolean): EnvDataFrame => ({
  kind: "env_data",
  id: `${line.root_turn_id}/${line.key}`,
  rev: line.rev,
  root_turn_id: line.root_turn_id,
  key: line.key,
  short_description: line.short_description,
  stored_by: line.stored_by,
  ...(line.stored_by_turn_id !== undefined && { stored_by_turn_id: line.stored_by_turn_id }),
  is_deleted,
  updated_at: line.updated_at,
});
