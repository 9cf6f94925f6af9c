// Takes a name away, and with it the bytes that nothing else refers to.
import { packCode } from "@/server/contract/context-pack/pack-code";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import { dropUnused } from "./drop-unused";
import { type NameInput, noName } from "./read-names";

// The bytes before the name: an upload of the same name takes both in this order, too.
const HOLD = `
  SELECT a.sha256 FROM resource.artifact_names n
  JOIN resource.artifacts a ON a.project_id = n.project_id AND a.sha256 = n.sha256
  WHERE n.project_id = $1 AND n.area = $2 AND n.name = $3 FOR UPDATE OF a`;
const DELETE = `
  DELETE FROM resource.artifact_names WHERE project_id = $1 AND area = $2 AND name = $3 AND sha256 = $4 RETURNING sha256`;

// After the lock: a pack that is being stored takes it too.
const NEEDED = `
  SELECT p.pack_id, p.sha256 FROM resource.context_pack_sources s
  JOIN resource.context_packs p ON p.project_id = s.project_id AND p.sha256 = s.pack_sha256
  WHERE s.project_id = $1 AND s.sha256 = $2 ORDER BY p.created_at LIMIT 1`;

/** not_found for an unknown name, conflict if a context pack needs what it stands for. */
export async function deleteName(unit: Unit, input: NameInput): Promise<void> {
  const { project_id, area, name } = input;
  const [held] = await unit.query<{ sha256: string }>("name_hold", HOLD, [project_id, area, name]);
  if (!held) throw noName(input);
  const [needed] = await unit.query<{ pack_id: string; sha256: string }>("name_needed", NEEDED, [
    project_id,
    held.sha256,
  ]);
  if (needed)
    throw new KernelError(
      "conflict",
      `name: artifact://${area}/${name} is needed by context pack ${packCode(needed.sha256)} (${needed.pack_id}). Packs keep what they were built from`,
      needed,
    );
  const gone = await unit.query("name_delete", DELETE, [project_id, area, name, held.sha256]);
  if (gone.length === 0) throw noName(input);
  await dropUnused(unit, { project_id, sha256s: [held.sha256] });
}
