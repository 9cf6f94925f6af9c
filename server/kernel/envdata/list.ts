// The keys of a run, by key, without their values.
import type { EnvLine } from "@/server/contract/env-data";
import { type Reader, read } from "../reader";
import { noScope } from "./change";
import { ENV_LINE, type EnvLineRow, envLine } from "./env-row";
import { ROOT_OF } from "./root-of";

// Byte order, so that the list is the same on every server.
const LIST = `
  SELECT r.root_turn_id AS root, ${ENV_LINE} FROM (${ROOT_OF}) r
  LEFT JOIN state.env_data e ON e.project_id = $1 AND e.root_turn_id = r.root_turn_id
  ORDER BY e.key COLLATE "C"`;

/** Any turn of a run names it. not_found for no such turn. */
export async function listEnvData(
  reader: Reader,
  input: { project_id: string; agent_turn_id: string },
): Promise<EnvLine[]> {
  const { project_id, agent_turn_id } = input;
  const rows = await read<EnvLineRow & { root: string }>(reader, "env_list", LIST, [project_id, agent_turn_id]);
  if (rows.length === 0) throw noScope(`turn ${agent_turn_id}`, project_id);
  return rows.filter((row) => (row.key as string | null) !== null).map(envLine);
}
