// The rows of one page with the lines of their cards: one statement.
import type { HandoverRow } from "@/server/contract/handover-diff";
import type { CardLine } from "@/server/contract/line";
import type { Reader } from "../reader";
import { type JudgedRow, REQUEST_ONLY } from "./judge-handover";
import { missingLine, readCardLines } from "./read-card-lines";
import type { HandoverBoxes } from "./read-handover-boxes";
import type { HandoverEdge } from "./read-handover-edge";

type Columns = { had: readonly string[]; saw: readonly string[]; edge: HandoverEdge; boxes: HandoverBoxes };

export async function handoverRows(
  reader: Reader,
  { project_id, page, columns }: { project_id: string; page: readonly JudgedRow[]; columns: Columns },
): Promise<HandoverRow[]> {
  const { had, saw, edge, boxes } = columns;
  const card_ids = page.flatMap(({ had_id, packed_id, saw_id, card_id }) => [had_id, packed_id, saw_id, card_id]);
  const lines = await readCardLines(reader, { project_id, card_ids });
  const at = (list: readonly string[]) => new Map(list.map((id, i) => [id, i]));
  const [had_at, saw_at] = [at(had), at(saw)];
  const packed_at = at(boxes.packed.map(({ card_id }) => card_id));
  const of_caller = new Set(boxes.ids(edge.caller_context_box_id));
  const of_callee = new Set(boxes.ids(edge.context_box_id));
  const isOfRequest = (line: CardLine) => REQUEST_ONLY.has(line.type);
  return page.map(({ verdict, had_id, packed_id, saw_id, card_id, origin, reason }): HandoverRow => {
    const line = (id: string | undefined) => (id === undefined ? undefined : (lines.get(id) ?? missingLine(id)));
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
