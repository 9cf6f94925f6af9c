// Stored packs: a list with the newest first, one with its content, its sidecar.
import type { ContextPack } from "@/server/contract/context-pack/pack";
import type { PackRecord } from "@/server/contract/context-pack/record";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import { PACKS_LOOKED_AT, type PacksPage } from "@/server/contract/pack-list";
import { AT, formatPageCursor, NEWEST_PLACE, parsePageCursor } from "../cardbox/page-cursor";
import { type Reader, read } from "../reader";
import { BY_DIGITS, findPack } from "./find-packs";
import { readPackBytes } from "./pack-bytes";
import { PACK_COLUMNS, type PackRow, toRecord } from "./pack-row";

const OF = "p.project_id = $1 AND ($2::text IS NULL OR p.root_turn_id = $2)";
const AFTER = "($3::timestamptz IS NULL OR (p.created_at, p.sha256) < ($3::timestamptz, $4::text))";
const LIST = `
  SELECT ${PACK_COLUMNS}, ${AT("p.created_at")} FROM resource.context_packs p
  WHERE ${OF} AND ${AFTER} ORDER BY p.created_at DESC, p.sha256 DESC LIMIT $5`;

// Goals have no index: their words were looked for in all packs of the project. A number is found by the key, however old the pack
// is, and comes first: on the pages that go on from there it is left out.
const FIND = `
  WITH looked AS MATERIALIZED (
    SELECT p.sha256, p.goal, p.created_at FROM resource.context_packs p
    WHERE ${OF} AND ${AFTER} ORDER BY p.created_at DESC, p.sha256 DESC LIMIT ${PACKS_LOOKED_AT}
  ), numbered AS MATERIALIZED (
    SELECT p.sha256 FROM resource.context_packs p
    WHERE ${OF} AND $3::timestamptz IS NULL AND ${BY_DIGITS("$7::text")} ORDER BY p.created_at DESC, p.sha256 DESC LIMIT $5
  ), hit AS (
    SELECT n.sha256, true AS is_numbered FROM numbered n
    UNION ALL
    (SELECT l.sha256, false FROM looked l WHERE strpos(lower(l.goal), lower($6)) > 0 AND ($7::text IS NULL OR NOT starts_with(l.sha256, $7::text))
      ORDER BY l.created_at DESC, l.sha256 DESC LIMIT $5)
  )
  SELECT ${PACK_COLUMNS}, ${AT("p.created_at")}, h.is_numbered FROM hit h JOIN resource.context_packs p ON p.project_id = $1 AND p.sha256 = h.sha256
  ORDER BY h.is_numbered DESC, p.created_at DESC, p.sha256 DESC LIMIT $5`;
const LOOKED = `
  SELECT p.sha256, ${AT("p.created_at")} FROM resource.context_packs p
  WHERE ${OF} AND ${AFTER} ORDER BY p.created_at DESC, p.sha256 DESC OFFSET ${PACKS_LOOKED_AT} - 1 LIMIT 2`;

export type PacksQuery = { project_id: string; root_turn_id?: string; q?: string; limit: number; cursor?: string };

/** "P-31D0", "31d0" or more of the digest; null for other words. */
const digitsOf = (q = ""): string | null => /^\s*(?:P-)?([0-9a-f]{4,64})\s*$/i.exec(q)?.[1]?.toLowerCase() ?? null;

type ListRow = PackRow & { at: string };

/** `q`: words of the goal, or the number. bad_request for a cursor of another project. One statement, two with `q`. */
export async function listPacks(reader: Reader, query: PacksQuery): Promise<PacksPage<PackRecord>> {
  const { project_id, root_turn_id, q, limit } = query;
  const after = parsePageCursor(project_id, query.cursor);
  const of = [project_id, root_turn_id ?? null, after?.at ?? null, after?.id ?? null];
  if (q === undefined)
    return pageOf(project_id, await read<ListRow>(reader, "packs_list", LIST, [...of, limit + 1]), limit);
  const rows = await read<ListRow & { is_numbered: boolean }>(reader, "packs_search", FIND, [
    ...of,
    limit + 1,
    q,
    digitsOf(q),
  ]);
  if (rows.length > limit) return pageOf(project_id, rows, limit);
  const [end, further] = await read<{ sha256: string; at: string }>(reader, "packs_looked_at", LOOKED, of);
  return {
    items: rows.map(itemOf),
    ...(end &&
      further && {
        next_cursor: formatPageCursor(project_id, { at: end.at, id: end.sha256 }),
        is_partial: true as const,
        looked_at: PACKS_LOOKED_AT,
      }),
  };
}

type FoundRow = ListRow & { is_numbered?: boolean };

const itemOf = ({ at: _at, is_numbered: _numbered, ...row }: FoundRow): PackRecord => toRecord(row);

function pageOf(project_id: string, rows: readonly FoundRow[], limit: number): PacksPage<PackRecord> {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const place = last?.is_numbered ? NEWEST_PLACE : last && { at: last.at, id: last.sha256 };
  return { items: page.map(itemOf), ...(place && { next_cursor: formatPageCursor(project_id, place) }) };
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
