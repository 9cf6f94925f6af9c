// Named artifacts: one, or a list with the newest first.
import type { NamedArtifact } from "@/server/contract/context-pack/named-artifact";
import { KernelError } from "@/server/contract/errors";
import type { Page } from "@/server/contract/page";
import { type Reader, read } from "../reader";
import { formatNameCursor, NAME_AT, parseNameCursor } from "./name-cursor";
import { NAME_COLUMNS, type NameRow, toNamed } from "./name-row";
import type { StoredArtifact } from "./read-artifacts";

const BYTES = `
  SELECT n.sha256, n.mime, n.size, a.bytes, a.blob_id FROM resource.artifact_names n
  JOIN resource.artifacts a ON a.project_id = n.project_id AND a.sha256 = n.sha256
  WHERE n.project_id = $1 AND n.area = $2 AND n.name = $3`;
const LIST = `
  SELECT ${NAME_COLUMNS}, ${NAME_AT} FROM resource.artifact_names n
  WHERE n.project_id = $1 AND ($2::text IS NULL OR n.area = $2)
    AND ($3::timestamptz IS NULL OR (n.created_at, n.area, n.name) < ($3::timestamptz, $4::text, $5::text))
  ORDER BY n.created_at DESC, n.area DESC, n.name DESC
  LIMIT $6`;

export type NameInput = { project_id: string; area: string; name: string };

/** With its bytes, or where they lie. */
export async function readNamedBytes(reader: Reader, { project_id, area, name }: NameInput): Promise<StoredArtifact> {
  const [row] = await read<StoredArtifact>(reader, "name_bytes", BYTES, [project_id, area, name]);
  if (!row) throw noName({ project_id, area, name });
  return row;
}

export type NamesQuery = { project_id: string; area?: string; limit: number; cursor?: string };

/** bad_request for a cursor of another project. */
export async function listNames(
  reader: Reader,
  { project_id, area, limit, cursor }: NamesQuery,
): Promise<Page<NamedArtifact>> {
  const after = parseNameCursor(project_id, cursor);
  const rows = await read<NameRow & { at: string }>(reader, "names_list", LIST, [
    project_id,
    area ?? null,
    after?.at ?? null,
    after?.area ?? null,
    after?.name ?? null,
    limit + 1,
  ]);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(({ at: _at, ...row }) => toNamed(row)),
    ...(last && { next_cursor: formatNameCursor(project_id, last) }),
  };
}

export const noName = ({ project_id, area, name }: NameInput): KernelError =>
  new KernelError(
    "not_found",
    `artifact://${area}/${name} not found in project ${project_id}; GET /artifacts lists them`,
  );
