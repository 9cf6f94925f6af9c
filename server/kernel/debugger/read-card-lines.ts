// Cards of one page as lines, by id: one statement.
import type { CardLine } from "@/server/contract/line";
import { CARD_LINE, type CardLineRow, cardLine } from "../cardbox/card-line";
import { type Reader, read } from "../reader";

const LINES = `SELECT ${CARD_LINE} FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])`;

export async function readCardLines(
  reader: Reader,
  { project_id, card_ids }: { project_id: string; card_ids: readonly (string | undefined)[] },
): Promise<Map<string, CardLine>> {
  const ids = [...new Set(card_ids)].filter((id) => id !== undefined);
  const rows = await read<CardLineRow>(reader, "debugger_lines", LINES, [project_id, ids]);
  return new Map(rows.map((row) => [row.card_id, cardLine(row)]));
}

/** A position whose card is not stored. */
export const missingLine = (card_id: string): CardLine => ({
  card_id,
  type: "unknown",
  role: "user",
  author_id: "",
  token_count: 0,
  title: "This card is not stored",
  created_at: new Date(0).toISOString(),
});
