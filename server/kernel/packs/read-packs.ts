// Stored packs: a list with the newest first, one with its content, its sidecar.
import type { ContextPack } from "@/server/contract/context-pack/pack";
import type { PackRecord } from "@/server/contract/context-pack/record";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import type { Page } from "@/server/contract/page";
import { AT, formatPageCursor, parsePageCursor } from "../cardbox/page-cursor";
import { type Reader, read } from "../reader";
import { findPack } from "./find-packs";
import { readPackBytes } from "./pack-bytes";
import { PACK_COLUMNS, type PackRow, toRecord } from "./pack-row";

const LIST = `
  SELECT ${PACK_COLUMNS}, ${AT("p.created_at")} FROM resource.context_packs p
  WHERE p.project_id = $1 AND ($2::text IS NULL OR p.root_turn_id = $2)
    AND ($3::text IS NULL OR strpos(lower(p.goal), lower($3)) > 0 OR p.sha256 LIKE $7::text || '%')
    AND ($4::timestamptz IS NULL OR (p.created_at, p.sha256) < ($4::timestamptz, $5::text))
  ORDER BY p.created_at DESC, p.sha256 DESC
  LIMIT $6`;

export type PacksQuery = { project_id: string; root_turn_id?: string; q?: string; limit: number; cursor?: string };

/** "P-31D0", "31d0" or more of the digest; null for other words. */
const digitsOf = (q = ""): string | null => /^\s*(?:P-)?([0-9a-f]{4,64})\s*$/i.exec(q)?.[1]?.toLowerCase() ?? null;

/** `q`: words of the goal, or the number. bad_request for a cursor of another project. */
export async function listPacks(reader: Reader, query: PacksQuery): Promise<Page<PackRecord>> {
  const { project_id, root_turn_id, q, limit } = query;
  const after = parsePageCursor(project_id, query.cursor);
  const rows = await read<PackRow & { at: string }>(reader, "packs_list", LIST, [
    project_id,
    root_turn_id ?? null,
    q ?? null,
    after?.at ?? null,
    after?.id ?? null,
    limit + 1,
    digitsOf(q),
  ]);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(({ at: _at, ...row }) => toRecord(row)),
    ...(last && { next_cursor: formatPageCursor(project_id, { at: last.at, id: last.sha256 }) }),
  };
}

type One = { project_id: string; pack: string };

export async function readPack(
  reader: Reader,
  { project_id, pack }: One,
): Promise<{ record: PackRecord; pack: ContextPack; sidecar: Sidecar }> {
  const record = await findPack(reader, { project_id, pack });
  const [found] = await readPackBytes(reader, { project_id, records: [record] });
  if (!found) throw new Error("one pack was asked for and none came back");
  return found;
}
