// A receipt for reading: one line per card. It is stored with consecutive cards that simply passed as one entry; boxes only
// grow, so the positions in it stay valid.
import { KernelError } from "@/server/contract/errors";
import type { Receipt, ReceiptLine } from "@/server/contract/pack";
import { readBox, readBoxIds } from "../cardbox/read-box";
import { type Reader, read } from "../reader";

export type ExpandedReceipt = Omit<Receipt, "lines"> & { lines: (ReceiptLine & { card_id: string; cards: 1 })[] };

const WEIGHTS = "SELECT card_id, token_count FROM cards WHERE tenant_id = $1 AND card_id = ANY ($2::text[])";

/** not_found for a missing box, and for one that was not packed. */
export async function readExpandedReceipt(
  reader: Reader,
  input: { project_id: string; box_id: string },
): Promise<ExpandedReceipt> {
  const { project_id, box_id } = input;
  const { receipt } = await readBox(reader, input);
  if (!receipt)
    throw new KernelError("not_found", `box ${box_id} has no receipt because it was not packed from a hand-over`);
  const sources = sourcesOf(receipt);
  const ids = await readBoxIds(reader, { project_id, box_ids: sources });
  const bare = expandLines(receipt, ids);
  const rows = await read<{ card_id: string; token_count: number }>(reader, "receipt_weights", WEIGHTS, [
    project_id,
    [...new Set(bare.map((line) => line.card_id))],
  ]);
  const weights = new Map(rows.map((row) => [row.card_id, row.token_count]));
  const lines = bare.map((line) => ({ ...line, tokens: weights.get(line.card_id) ?? line.tokens }));
  return { ...receipt, lines };
}

/** Boxes that the lines name. */
export const sourcesOf = (receipt: Receipt): string[] => [
  ...new Set(receipt.lines.flatMap((line) => line.box_id ?? [])),
];

/** One line a card. `ids`: those of every box that the lines name. Tokens of stretches are 0. */
export const expandLines = (receipt: Receipt, ids: ReadonlyMap<string, string[]>): ExpandedReceipt["lines"] =>
  receipt.lines.flatMap((line) => placesOf(line, ids));

function placesOf(line: ReceiptLine, ids: ReadonlyMap<string, string[]>): ExpandedReceipt["lines"] {
  const { box_id, from, to, card_id } = line;
  if (card_id !== undefined) return [{ ...line, card_id, cards: 1 }];
  if (box_id === undefined || from === undefined || to === undefined) return [];
  const held = (ids.get(box_id) ?? []).slice(from, to + 1);
  return held.map((id, i) => ({ ...line, card_id: id, from: from + i, to: from + i, cards: 1 as const, tokens: 0 }));
}
