// Whether a run is in a project, and the bundle that it came from.
import { type Reader, read } from "../reader";
import type { ImportedBundle, RunKey } from "./piece";

const BUNDLE = "SELECT metadata -> 'bundle' AS bundle FROM state.runs WHERE project_id = $1 AND root_turn_id = $2";

/** null without the run. */
export async function readRunBundle(reader: Reader, key: RunKey): Promise<{ sha256?: string } | null> {
  const values = [key.project_id, key.root_turn_id];
  const [row] = await read<{ bundle: ImportedBundle | null }>(reader, "bundle_of_run", BUNDLE, values);
  return row ? { sha256: row.bundle?.sha256 } : null;
}
