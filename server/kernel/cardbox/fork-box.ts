// A new box that shares the first cards of another one: whole chunks are copied inside the database.
import type { BoxKind } from "@/server/contract/box";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import { CHUNK_MAX } from "./box-chunks";
import type { BoxSize } from "./create-boxes";
import { findItems } from "./get-cards";
import { layBox, type Piece, sliceConsist } from "./lay-box";
import { boxMissing } from "./read-box";
import { writeNewBoxes } from "./write-boxes";

export type ForkBoxInput = {
  project_id: string;
  box_id: string;
  /** How many cards the fork shares; all of them by default. */
  upto?: number;
  /** A plain box can be appended to, whatever the original was. */
  kind?: BoxKind;
  owner_agent_id?: string;
  owner_turn_id?: string;
};

// The last shared chunk is read with its ids: it may be cut, and the source's last one may still grow.
const READ = `
  SELECT b.length, b.consist, b.has_repeats OR b.rev > 1 AS has_repeats, c.n, c.start, c.card_ids,
    (SELECT coalesce(sum(p.tokens), 0)::int FROM card_box_chunks p WHERE p.tenant_id = $1 AND p.box_id = $2 AND p.n < c.n) AS before_tokens
  FROM card_boxes b
  LEFT JOIN LATERAL (SELECT c.n, c.start, c.card_ids FROM card_box_chunks c WHERE c.tenant_id = $1 AND c.box_id = $2 AND c.start < coalesce($3, b.length)
    ORDER BY c.n DESC LIMIT 1) c ON true
  WHERE b.tenant_id = $1 AND b.box_id = $2 AND b.deletion_id IS NULL`;

type Row = {
  length: number;
  consist: string;
  /** It may: appending does not check earlier cards. */
  has_repeats: boolean;
  n: number | null;
  start: number;
  card_ids: string[];
  before_tokens: number;
};

/** not_found for a missing box; bad_request if it has fewer cards than requested. */
export async function forkBox(unit: Unit, input: ForkBoxInput): Promise<BoxSize> {
  const { project_id, box_id, upto, kind = "plain", owner_agent_id, owner_turn_id } = input;
  if (upto !== undefined && (!Number.isSafeInteger(upto) || upto < 0))
    throw new KernelError("bad_request", "upto must be a whole number of cards, 0 or more");
  const [row] = await unit.query<Row>("box_fork_read", READ, [project_id, box_id, upto ?? null]);
  if (!row) throw boxMissing(box_id);
  if (upto !== undefined && upto > row.length)
    throw new KernelError("bad_request", `upto is ${upto}, but box ${box_id} has ${row.length} cards`);
  const layout = layBox(await piecesOf(unit, input, row));
  const fork = {
    box_id: unit.kernel.newId(),
    kind,
    owner_agent_id,
    owner_turn_id,
    has_repeats: row.has_repeats,
    ...layout,
  };
  writeNewBoxes(unit, { project_id, boxes: [fork] });
  const { length, token_sum, consist } = layout;
  return { box_id: fork.box_id, length, token_sum, consist };
}

async function piecesOf(unit: Unit, input: ForkBoxInput, row: Row): Promise<Piece[]> {
  const { project_id, box_id } = input;
  if (row.n === null) return [];
  const shared = row.card_ids.slice(0, Math.min((input.upto ?? row.length) - row.start, CHUNK_MAX));
  const tail = await findItems(unit, { project_id, card_ids: shared, origin: `box:${box_id}` });
  const { n, start, before_tokens, consist } = row;
  const head = {
    box_id,
    from_n: 0,
    to_n: n - 1,
    start: 0,
    cards: start,
    tokens: before_tokens,
    runs: sliceConsist(consist, 0, before_tokens),
  };
  return n === 0 ? [{ items: tail }] : [{ copy: head }, { items: tail }];
}
