// One key with its value.
import type { EnvEntry } from "@/server/contract/env-data";
import { type Reader, read } from "../reader";
import { noScope } from "./change";
import { notStored } from "./delete";
import { ENV_LINE, type EnvRow, envEntry } from "./env-row";
import { ROOT_OF } from "./root-of";

const GET = `
  SELECT r.root_turn_id AS root, ${ENV_LINE}, e.value FROM (${ROOT_OF}) r
  LEFT JOIN state.env_data e ON e.project_id = $1 AND e.root_turn_id = r.root_turn_id AND e.key = $3`;

/** Any turn of a run names it. not_found for a key that is not there, and for no such turn. */
export async function getEnvData(
  reader: Reader,
  input: { project_id: string; agent_turn_id: string; key: string },
): Promise<EnvEntry> {
  const { project_id, agent_turn_id, key } = input;
  const [row] = await read<EnvRow & { root: string }>(reader, "env_get", GET, [project_id, agent_turn_id, key]);
  if (!row) throw noScope(`turn ${agent_turn_id}`, project_id);
  // The join found the run and no key: every column of the row is null.
  if ((row.key as string | null) === null) throw notStored(key);
  return envEntry(row);
}
