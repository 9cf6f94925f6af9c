// Boxes and the ids in them, without the cards.
import type { Box, BoxKind } from "@/server/contract/box";
import { KernelError } from "@/server/contract/errors";
import type { Receipt } from "@/server/contract/pack";
import { askableIds, type Reader, read } from "../reader";

export const BOX_COLUMNS = `
  b.box_id, b.tenant_id AS project_id, b.kind, b.owner_agent_id, b.owner_turn_id, b.length, b.token_sum, b.consist, b.rev,
  b.created_at, b.updated_at`;

/** The columns of `card_boxes b` that BOX_COLUMNS needs, for a subquery. */
export const STORED_BOX = `b.box_id, b.tenant_id, b.kind, b.owner_agent_id, b.owner_turn_id, b.length, b.token_sum, b.consist, b.rev,
  b.created_at, b.updated_at`;

export type BoxRow = Omit<Box, "owner_agent_id" | "owner_turn_id"> & {
  kind: BoxKind;
  owner_agent_id: string | null;
  owner_turn_id: string | null;
};

export function toBox(row: BoxRow): Box {
  const { owner_agent_id, owner_turn_id, ...box } = row;
  return { ...box, ...(owner_agent_id && { owner_agent_id }), ...(owner_turn_id && { owner_turn_id }) };
}

const FIND = `SELECT ${BOX_COLUMNS} FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = ANY($2) AND b.deletion_id IS NULL`;

/** In request order without repeats; ids that do not exist in this project are in missing_box_ids. */
export async function findBoxes(
  reader: Reader,
  input: { project_id: string; box_ids: string[] },
): Promise<{ boxes: Box[]; missing_box_ids: string[] }> {
  const ids = [...new Set(input.box_ids)];
  const asked = askableIds(ids);
  const rows = asked.length > 0 ? await read<BoxRow>(reader, "boxes_find", FIND, [input.project_id, asked]) : [];
  const found = new Map(rows.map((row) => [row.box_id, toBox(row)]));
  return { boxes: ids.flatMap((id) => found.get(id) ?? []), missing_box_ids: ids.filter((id) => !found.has(id)) };
}

// Ids contain no spaces, and one text per chunk is read ten times faster than an array of texts.
const IDS = `
  SELECT box_id, string_agg(array_to_string(card_ids, ' '), ' ' ORDER BY n) AS ids
  FROM card_box_chunks WHERE tenant_id = $1 AND box_id = ANY($2) GROUP BY box_id`;

/** Card ids in order, by box. A box that is empty or missing has none. */
export async function readBoxIds(
  reader: Reader,
  input: { project_id: string; box_ids: string[] },
): Promise<Map<string, string[]>> {
  const rows = await read<{ box_id: string; ids: string }>(reader, "boxes_ids", IDS, [
    input.project_id,
    askableIds(input.box_ids),
  ]);
  const found = new Map(rows.map((row) => [row.box_id, row.ids.split(" ")]));
  return new Map(input.box_ids.map((id) => [id, found.get(id) ?? []]));
}

export type BoxWithIds = Box & { card_ids: string[]; receipt?: Receipt };

const RECEIPT = "SELECT receipt FROM card_boxes WHERE tenant_id = $1 AND box_id = $2";

/** not_found for an unknown box, and also for one of another project. */
export async function readBox(reader: Reader, input: { project_id: string; box_id: string }): Promise<BoxWithIds> {
  const { project_id, box_id } = input;
  const { boxes } = await findBoxes(reader, { project_id, box_ids: [box_id] });
  const [box] = boxes;
  if (!box) throw boxMissing(box_id);
  const ids = await readBoxIds(reader, { project_id, box_ids: [box_id] });
  const [row] = await read<{ receipt: Receipt | null }>(reader, "box_receipt", RECEIPT, [project_id, box_id]);
  return { ...box, card_ids: ids.get(box_id) ?? [], ...(row?.receipt && { receipt: row.receipt }) };
}

export const boxMissing = (boxId: string): KernelError =>
  new KernelError("not_found", `box ${boxId} not found`, { box_id: boxId });
