// Boxes, the newest first.
import type { Box, BoxKind } from "@/server/contract/box";
import type { Page } from "@/server/contract/page";
import { type Reader, read, UNPREPARED } from "../reader";
import { AT, type Place } from "./page-cursor";
import { BOX_COLUMNS, type BoxRow, STORED_BOX, toBox } from "./read-box";
import { type WalkPieces, walk } from "./walk";

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

/** Boxes of these kinds have an index of their own; of the others every third or so is one. */
const RARE_KINDS = new Set<BoxKind>(["profile", "pack", "import", "plain"]);

const LIST = (p: WalkPieces) => `
  SELECT ${BOX_COLUMNS}, ${AT("b.created_at")} FROM (
    SELECT ${STORED_BOX} FROM card_boxes b WHERE b.tenant_id = $1 AND ${p.within}
    ORDER BY b.created_at DESC, b.box_id DESC LIMIT ${p.window}
  ) b WHERE ${p.where} ORDER BY b.created_at DESC, b.box_id DESC LIMIT ${p.limit}`;
const END = (p: WalkPieces) => `
  SELECT b.box_id AS id, ${AT("b.created_at")} FROM (SELECT b.box_id, b.created_at FROM card_boxes b WHERE b.tenant_id = $1 AND ${p.within}
    ORDER BY b.created_at DESC, b.box_id DESC OFFSET ${p.window} - 1 LIMIT 2) b ORDER BY b.created_at DESC, b.box_id DESC`;

/** bad_request for a cursor of another project. */
export async function listBoxes(reader: Reader, query: BoxQuery): Promise<Page<Box>> {
  const isRare = query.kind !== undefined && RARE_KINDS.has(query.kind);
  const { rows, next_cursor } = await walk<BoxRow & { at: string }>({
    ...query,
    limit: query.limit ?? 50,
    cursor: query.cursor,
    time: "b.created_at",
    id: "b.box_id",
    idOf: (box) => box.box_id,
    keyed: [
      ["b.owner_turn_id = ?", query.owner_turn_id],
      ["b.owner_agent_id = ?", query.owner_agent_id],
      ["b.kind = ?", isRare ? query.kind : undefined],
    ],
    asked: [
      ["b.kind = ?", isRare ? undefined : query.kind],
      ["b.kind <> ALL (?::text[])", query.without],
    ],
    rows: (pieces, values) => read<BoxRow & { at: string }>(reader, UNPREPARED, LIST(pieces), values),
    end: (pieces, values) => read<Place>(reader, UNPREPARED, END(pieces), values),
  });
  return { items: rows.map(({ at: _at, ...row }) => toBox(row)), next_cursor };
}
