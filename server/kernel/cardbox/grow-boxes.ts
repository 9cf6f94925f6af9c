// How boxes grow: their rows are locked, what is added is cut into chunks in memory, and the ids that are there stay in the
// database. The caller writes, as parts of its own or a larger statement.
import type { BoxKind, Origin } from "@/server/contract/box";
import { appendConsist } from "@/server/contract/consist";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import { addToChunk, type BoxItem, CHUNK_MAX, type Chunk, runsOf, tokensOf } from "./box-chunks";
import { TAIL_FIELDS } from "./box-tail";
import type { BoxSize } from "./create-boxes";

/** `born`: ids that are stored with this box as their first one, in the same unit. */
export type Append = { box_id: string; items: readonly BoxItem[]; born?: ReadonlySet<string> };

/** A box and what of its tail it takes to add to it: not the ids. */
export type LockedBox = BoxSize & {
  kind: BoxKind;
  owner_turn_id: string | null;
  rev: number;
  chunk_count: number;
  tail_size: number;
  tail_origins: [number, Origin][] | null;
  tail_tokens: number | null;
  tail_untravelled: boolean | null;
};
/** `card_ids`: those that are added. `size` counts those before them too. */
type Growing = Chunk & { size: number; carried: string[] };
type Grown = { box: LockedBox; chunks: Chunk[]; tail: Growing };

/** `chunks` and `sizes`: JSON, for grownSql. */
export type Growth = { boxes: Map<string, LockedBox>; chunks: string; sizes: string };

/** Columns of `card_boxes b`: a LockedBox. */
export const LOCKED_BOX = `b.box_id, b.kind, b.owner_turn_id, b.length, b.token_sum, b.consist, b.rev, b.chunk_count,
    coalesce(cardinality(b.tail), 0) AS tail_size, b.tail_origins, b.tail_tokens, b.tail_untravelled`;

const LOCK = `
  SELECT ${LOCKED_BOX} FROM card_boxes b
  WHERE b.tenant_id = $1 AND b.box_id = ANY($2)
  ORDER BY b.box_id
  FOR UPDATE OF b`;

export async function lockBoxes(
  unit: Unit,
  { project_id, box_ids }: { project_id: string; box_ids: string[] },
): Promise<Map<string, LockedBox>> {
  const rows = await unit.query<LockedBox>("boxes_lock", LOCK, [project_id, [...new Set(box_ids)]]);
  return new Map(rows.map((r) => [r.box_id, r]));
}

/** not_found for a missing box; conflict for one that can be written only once. */
export function grow(locked: Map<string, LockedBox>, appends: Append[]): Growth {
  const grown = new Map<string, Grown>();
  for (const { box_id, items, born } of appends) {
    const state = grown.get(box_id) ?? start(box_id, locked.get(box_id));
    fill(state, items, born);
    grown.set(box_id, state);
  }
  const all = [...grown.values()];
  return {
    boxes: new Map(all.map(({ box }) => [box.box_id, box])),
    chunks: JSON.stringify(all.flatMap(({ box, chunks }) => chunks.map((c) => ({ ...c, box_id: box.box_id })))),
    sizes: JSON.stringify(all.map(sizesOf)),
  };
}

/**
 * Two parts of a WITH; they take a Growth's `chunks` and `sizes` as values. $1 is the project. The first chunk that overflows begins
 * with the tail as it was. `carried` stays the same value where nothing is added to it: then no index is touched.
 */
export const grownSql = (chunks: string, sizes: string) => `grown_chunks AS (
    INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled)
    SELECT $1, g.box_id, g.n, g.start, CASE WHEN g.n = b.chunk_count THEN b.tail || g.card_ids ELSE g.card_ids END, g.origins, g.tokens,
      g.has_untravelled
    FROM jsonb_to_recordset(${chunks}::jsonb) AS g(box_id text, n int, start int, card_ids text[], origins jsonb, tokens int,
      has_untravelled boolean)
    CROSS JOIN LATERAL (SELECT chunk_count, tail FROM card_boxes WHERE tenant_id = $1 AND box_id = g.box_id OFFSET 0) b
  ), grown_boxes AS (
    UPDATE card_boxes b SET length = g.length, token_sum = g.token_sum, consist = g.consist, rev = g.rev, updated_at = now(),
      chunk_count = g.chunk_count, tail = CASE WHEN g.chunk_count = b.chunk_count THEN b.tail || g.tail ELSE g.tail END,
      carried = CASE WHEN g.chunk_count > b.chunk_count THEN g.carried WHEN g.carried IS NULL THEN b.carried ELSE b.carried || g.carried END,
      tail_origins = g.tail_origins, tail_tokens = g.tail_tokens, tail_untravelled = g.tail_untravelled
    FROM jsonb_to_recordset(${sizes}::jsonb) AS g(box_id text, length int, token_sum bigint, consist text, rev bigint, ${TAIL_FIELDS})
    WHERE b.tenant_id = $1 AND b.box_id = g.box_id
    RETURNING b.box_id
  )`;

export function tellBoxes(unit: Unit, project_id: string, { boxes }: Growth): void {
  for (const box of boxes.values())
    unit.frame(project_id, {
      kind: "box",
      id: box.box_id,
      rev: box.rev,
      box_kind: box.kind,
      owner_turn_id: box.owner_turn_id ?? undefined,
      length: box.length,
      token_sum: box.token_sum,
    });
}

/** The box as it is when the growth has been written. */
export function grownBox({ boxes }: Growth, boxId: string): LockedBox {
  const box = boxes.get(boxId);
  if (!box) throw new Error(`box ${boxId} was appended to and was not found`);
  return box;
}

export function sizeOf(growth: Growth, boxId: string): BoxSize {
  const box = grownBox(growth, boxId);
  return { box_id: boxId, length: box.length, token_sum: box.token_sum, consist: box.consist };
}

const WRITTEN_ONCE: ReadonlySet<BoxKind> = new Set<BoxKind>(["context", "request", "pack", "profile"]);

function start(boxId: string, box: LockedBox | undefined): Grown {
  if (!box) throw new KernelError("not_found", `box ${boxId} not found`, { box_id: boxId });
  if (WRITTEN_ONCE.has(box.kind))
    throw new KernelError(
      "conflict",
      `box ${boxId} is a ${box.kind} box, which can't be appended to; fork it and append to the fork`,
      {
        box_id: boxId,
      },
    );
  const tail = {
    ...emptyAt(box.chunk_count, box.length - box.tail_size),
    size: box.tail_size,
    origins: box.tail_origins ?? [],
    tokens: box.tail_tokens ?? 0,
    has_untravelled: box.tail_untravelled ?? false,
  };
  return { box: { ...box, rev: box.rev + 1 }, chunks: [], tail };
}

const emptyAt = (n: number, start: number): Growing => ({
  n,
  start,
  size: 0,
  card_ids: [],
  carried: [],
  origins: [],
  tokens: 0,
  has_untravelled: false,
});

function fill(state: Grown, items: readonly BoxItem[], born: ReadonlySet<string> = new Set()): void {
  const { box } = state;
  for (const item of items) {
    if (state.tail.size === CHUNK_MAX) {
      const { size, carried, ...full } = state.tail;
      state.chunks.push(full);
      state.tail = emptyAt(full.n + 1, full.start + size);
    }
    addToChunk(state.tail, item);
    state.tail.size++;
    if (!born.has(item.card_id)) state.tail.carried.push(item.card_id);
  }
  box.length += items.length;
  box.token_sum += tokensOf(items);
  box.consist = appendConsist(box.consist, runsOf(items));
}

/** What is absent is null in the row. */
function sizesOf({ box, tail }: Grown) {
  const { box_id, length, token_sum, consist, rev } = box;
  const { n, size, card_ids, carried, origins, tokens, has_untravelled } = tail;
  const isEmpty = size === 0;
  return {
    box_id,
    length,
    token_sum,
    consist,
    rev,
    chunk_count: n,
    tail: card_ids.length > 0 ? card_ids : undefined,
    carried: carried.length > 0 ? carried : undefined,
    tail_origins: isEmpty ? undefined : origins,
    tail_tokens: isEmpty ? undefined : tokens,
    tail_untravelled: isEmpty ? undefined : has_untravelled,
  };
}
