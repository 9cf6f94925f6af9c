// Lines of a box for the requested positions, however far apart: a list sorted by weight jumps around.
import type { BoxLine } from "@/server/contract/line";
import { type Reader, read } from "../reader";
import { CARD_LINE, type CardLineRow, cardLine } from "./card-line";

export type BoxLinesQuery = { project_id: string; box_id: string; positions: number[] };

// A chunk holds at most 64 cards, so only chunks between the first and the last position are read.
const LINES = `
  SELECT p.position, b.start, b.origins, ${CARD_LINE}
  FROM unnest($3::int[]) AS p(position)
  CROSS JOIN LATERAL (SELECT b.start, b.origins, b.card_ids FROM card_box_chunks b WHERE b.tenant_id = $1 AND b.box_id = $2
    AND b.start BETWEEN p.position - 63 AND p.position AND p.position < b.start + cardinality(b.card_ids) OFFSET 0) b
  JOIN cards c ON c.tenant_id = $1 AND c.card_id = b.card_ids[p.position - b.start + 1]
  ORDER BY p.position`;

type Row = CardLineRow & { position: number; start: number; origins: [number, string][] };

/** In order of position; a place past the end has no line. An unknown box has none. */
export async function readBoxLines(reader: Reader, query: BoxLinesQuery): Promise<BoxLine[]> {
  const places = [...new Set(query.positions)];
  const rows = await read<Row>(reader, "box_lines", LINES, [query.project_id, query.box_id, places]);
  return rows.map((row) => ({
    ...cardLine(row),
    position: row.position,
    origin: originAt(row.origins, row.position - row.start),
  }));
}

/** Origins are kept as runs: [[count, origin], ...]. */
function originAt(runs: [number, string][], offset: number): string {
  let end = 0;
  for (const [count, origin] of runs) {
    end += count;
    if (offset < end) return origin;
  }
  return "given";
}
