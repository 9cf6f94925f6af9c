// The rows of one page with the lines of their cards: one statement.
import type { HandoverRow } from "@/server/contract/handover-diff";
import type { CardLine } from "@/server/contract/line";
import { CARD_LINE, type CardLineRow, cardLine } from "../cardbox/card-line";
import { type Reader, read } from "../reader";
import { type JudgedRow, REQUEST_ONLY } from "./judge-handover";
import type { HandoverBoxes } from "./read-handover-boxes";
import type { HandoverEdge } from "./read-handover-edge";

const LINES = `SELECT ${CARD_LINE} FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])`;

type Columns = { had: readonly string[]; saw: readonly string[]; edge: HandoverEdge; boxes: HandoverBoxes };

export async function handoverRows(
  reader: Reader,
  { project_id, page, columns }: { project_id: string; page: readonly JudgedRow[]; columns: Columns },
): Promise<HandoverRow[]> {
  const { had, saw, edge, boxes } = columns;
  const ids = page.flatMap(({ had_id, packed_id, saw_id, card_id }) =>
    [had_id, packed_id, saw_id, card_id].filter((id) => id !== undefined),
  );
  const rows = await read<CardLineRow>(reader, "handover_lines", LINES, [project_id, [...new Set(ids)]]);
  const lines = new Map(rows.map((row): [string, CardLine] => [row.card_id, cardLine(row)]));
  const at = (list: readonly string[]) => new Map(list.map((id, i) => [id, i]));
  const [had_at, saw_at] = [at(had), at(saw)];
  const packed_at = at(boxes.packed.map(({ card_id }) => card_id));
  const of_caller = new Set(boxes.ids(edge.caller_context_box_id));
  const of_callee = new Set(boxes.ids(edge.context_box_id));
  const isOfRequest = (line: CardLine) => REQUEST_ONLY.has(line.type);
  return page.map(({ verdict, had_id, packed_id, saw_id, card_id, origin, reason }): HandoverRow => {
    const line = (id: string | undefined) => (id === undefined ? undefined : (lines.get(id) ?? missing(id)));
    const [mine, packed, theirs, other] = [line(had_id), line(packed_id), line(saw_id), line(card_id)];
    const of_mine = (l: CardLine) => (of_caller.has(l.card_id) ? "context" : "output");
    const of_theirs = (l: CardLine) => (of_callee.has(l.card_id) ? "context" : "memory");
    return {
      verdict,
      ...(mine && {
        had: { ...mine, at: had_at.get(mine.card_id) ?? 0, in: isOfRequest(mine) ? "system" : of_mine(mine) },
      }),
      ...(packed && { packed: { ...packed, at: packed_at.get(packed.card_id) ?? 0, origin: origin ?? "given" } }),
      ...(theirs && {
        saw: { ...theirs, at: saw_at.get(theirs.card_id) ?? 0, in: isOfRequest(theirs) ? "system" : of_theirs(theirs) },
      }),
      ...(other && { card: other }),
      ...(reason !== undefined && { reason }),
    };
  });
}

/** A position whose card is not stored. */
const missing = (card_id: string): CardLine => ({
  card_id,
  type: "unknown",
  role: "user",
  author_id: "",
  token_count: 0,
  title: "This card is not stored",
  created_at: new Date(0).toISOString(),
});
