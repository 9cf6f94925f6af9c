// Named artifacts with their bytes, as many as are asked for with one statement. Large ones come without: they are never read whole.
import { parseArtifactName } from "@/server/contract/context-pack/artifact-name";
import { type Reader, read } from "../reader";

export type NamedBytes = { ref: string; sha256: string; mime: string; size: number; bytes: Buffer | null };

const BYTES = `
  SELECT 'artifact://' || n.area || '/' || n.name AS ref, n.sha256, n.mime, n.size, CASE WHEN $3::boolean THEN a.bytes END AS bytes
  FROM jsonb_to_recordset($2::jsonb) AS g(area text, name text)
  JOIN resource.artifact_names n ON n.project_id = $1 AND n.area = g.area AND n.name = g.name
  JOIN resource.artifacts a ON a.project_id = $1 AND a.sha256 = n.sha256`;

type Input = { project_id: string; refs: readonly string[]; without_bytes?: boolean };

/** In no particular order; unknown names are left out. */
export async function readNamedTexts(
  reader: Reader,
  { project_id, refs, without_bytes }: Input,
): Promise<NamedBytes[]> {
  const names = [...new Set(refs)].map(parseArtifactName).filter((one) => !("fault" in one));
  if (names.length === 0) return [];
  return read<NamedBytes>(reader, "names_bytes", BYTES, [project_id, JSON.stringify(names), without_bytes !== true]);
}
