// Gives stored bytes names. A name never changes what it stands for: the same bytes again are no change, other bytes are refused.
import type { NamedArtifact } from "@/server/contract/context-pack/named-artifact";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import { NAME_COLUMNS, type NameRow, toNamed } from "./name-row";

export type Naming = { area: string; name: string; sha256: string; mime: string; size: number };
export type Named = { artifact: NamedArtifact; is_new: boolean };

const NAME = `
  INSERT INTO resource.artifact_names AS n (project_id, area, name, sha256, mime, size, created_by)
  SELECT $1, g.area, g.name, g.sha256, g.mime, g.size, $3
  FROM jsonb_to_recordset($2::jsonb) AS g(area text, name text, sha256 text, mime text, size int)
  ORDER BY g.area, g.name
  ON CONFLICT (project_id, area, name) DO NOTHING
  RETURNING ${NAME_COLUMNS}`;
// A second statement: the first sees names as they were before it waited for another upload of the same one.
const FOUND = `
  SELECT ${NAME_COLUMNS} FROM jsonb_to_recordset($2::jsonb) AS g(area text, name text)
  JOIN resource.artifact_names n ON n.project_id = $1 AND n.area = g.area AND n.name = g.name`;

type Input = { project_id: string; created_by: string; names: readonly Naming[] };

/** In input order. After the bytes are stored, in the same unit. artifact_conflict names both digests. */
export async function nameArtifacts(unit: Unit, { project_id, created_by, names }: Input): Promise<Named[]> {
  if (names.length === 0) return [];
  const given = JSON.stringify(names);
  const fresh = await unit.query<NameRow>("names_add", NAME, [project_id, given, created_by]);
  const isNew = new Set(fresh.map(keyOf));
  const rows = new Map(fresh.map((row) => [keyOf(row), row]));
  if (fresh.length < names.length)
    for (const row of await unit.query<NameRow>("names_found", FOUND, [project_id, given])) rows.set(keyOf(row), row);
  return names.map((naming) => {
    const row = rows.get(keyOf(naming));
    if (!row) throw new KernelError("conflict", `${refOf(naming)} was deleted at the same time; send it again`);
    if (row.sha256 !== naming.sha256) throw otherBytes(naming, row.sha256);
    return { artifact: toNamed(row), is_new: isNew.has(keyOf(naming)) };
  });
}

function otherBytes(naming: Naming, stored: string): KernelError {
  return new KernelError(
    "artifact_conflict",
    `name: ${refOf(naming)} stands for sha256:${stored}, and what you sent is sha256:${naming.sha256}. Choose another name, or delete the artifact first`,
    { ref: refOf(naming), stored_sha256: stored, given_sha256: naming.sha256 },
  );
}

const refOf = ({ area, name }: { area: string; name: string }): string => `artifact://${area}/${name}`;
const keyOf = refOf;
