// Rows of the index that is being made. Nobody reads them before it is complete.
import { type ArtifactFile, storeArtifacts } from "../artifacts/store-artifacts";
import { deniedPath } from "../redaction/denied-path";
import type { Unit } from "../unit";
import type { Hold } from "./hold";
import { STORED_BYTES_MAX } from "./limits";
import type { ReadRow } from "./read-one";

const WRITE = `
  INSERT INTO resource.workspace_files
    (project_id, workspace, generation, path, sha256, size, stamp, kind, specifiers, terms, counts, length, is_stored)
  SELECT $1, $2, $3, g.path, g.sha256, g.size, g.stamp, g.kind, g.specifiers, g.terms, g.counts, g.length, g.is_stored
  FROM jsonb_to_recordset($4::jsonb) AS g(path text, sha256 text, size int, stamp text, kind text, specifiers text[], terms text[],
    counts int[], length int, is_stored boolean)`;
// By path and stamp: those that are the same are copied, and the paths of the others are to be read.
const COPY = `
  INSERT INTO resource.workspace_files
    (project_id, workspace, generation, path, sha256, size, stamp, kind, specifiers, terms, counts, length, is_stored)
  SELECT project_id, workspace, $4, f.path, sha256, size, f.stamp, kind, specifiers, terms, counts, length, is_stored
  FROM unnest($5::text[], $6::text[]) AS g(path, stamp)
  JOIN resource.workspace_files f ON f.project_id = $1 AND f.workspace = $2 AND f.generation = $3 AND f.path = g.path
    AND f.stamp = g.stamp AND g.stamp <> ''
  RETURNING path`;

/** `keeps` = their bytes, too: those of an upload are nowhere else. */
export async function writeFiles(
  unit: Unit,
  hold: Hold,
  { read, keeps }: { read: ReadRow[]; keeps: boolean },
): Promise<void> {
  if (read.length === 0) return;
  const { project_id, name, generation } = hold;
  const isKept = ({ row }: ReadRow) =>
    keeps && row.kind === "text" && row.size <= STORED_BYTES_MAX && !deniedPath(row.path);
  const files: ArtifactFile[] = read.filter(isKept).map(({ bytes }) => ({ mime: "text/plain", bytes }));
  await storeArtifacts(unit, { project_id, files });
  const rows = read.map((one) => ({ ...one.row, is_stored: isKept(one) }));
  await unit.query("workspace_write", WRITE, [project_id, name, generation + 1, JSON.stringify(rows)]);
}

/** Paths that were copied from the former index. */
export async function copyFiles(
  unit: Unit,
  { project_id, name, generation }: Hold,
  found: readonly { path: string; stamp: string }[],
): Promise<Set<string>> {
  const copied = await unit.query<{ path: string }>("workspace_copy", COPY, [
    project_id,
    name,
    generation,
    generation + 1,
    found.map(({ path }) => path),
    found.map(({ stamp }) => stamp),
  ]);
  return new Set(copied.map(({ path }) => path));
}
