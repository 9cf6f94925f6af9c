// Boxes, the newest first.
import type { Box, BoxKind } from "@/server/contract/box";
import type { Page } from "@/server/contract/page";
import { type Reader, read } from "../reader";
import { AT, formatPageCursor, parsePageCursor } from "./page-cursor";
import { BOX_COLUMNS, type BoxRow, toBox } from "./read-box";

export type BoxQuery = {
  project_id: string;
  kind?: BoxKind;
  /** Kinds to leave out: every step has a request box, and those would hide the boxes they were made from. */
  without?: BoxKind[];
  owner_agent_id?: string;
  owner_turn_id?: string;
  limit?: number;
  cursor?: string;
};

const LIST = `
  SELECT ${BOX_COLUMNS}, ${AT("b.created_at")}
  FROM card_boxes b
  WHERE b.tenant_id = $1 AND ($2::text IS NULL OR b.kind = $2) AND ($3::text IS NULL OR b.owner_agent_id = $3)
    AND ($4::text IS NULL OR b.owner_turn_id = $4)
    AND ($8::text[] IS NULL OR b.kind <> ALL ($8))
    AND ($5::timestamptz IS NULL OR (b.created_at, b.box_id) < ($5::timestamptz, $6::text))
  ORDER BY b.created_at DESC, b.box_id DESC
  LIMIT $7`;

/** bad_request for a cursor of another project. */
export async function listBoxes(reader: Reader, query: BoxQuery): Promise<Page<Box>> {
  const { project_id, limit = 50 } = query;
  const after = parsePageCursor(project_id, query.cursor);
  const rows = await read<BoxRow & { at: string }>(reader, "boxes_list", LIST, [
    project_id,
    query.kind ?? null,
    query.owner_agent_id ?? null,
    query.owner_turn_id ?? null,
    after?.at ?? null,
    after?.id ?? null,
    limit + 1,
    query.without ?? null,
  ]);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(({ at: _at, ...row }) => toBox(row)),
    ...(last && { next_cursor: formatPageCursor(project_id, { at: last.at, id: last.box_id }) }),
  };
}
