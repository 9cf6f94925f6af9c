// How boxes grow: they are locked with their last chunks, extended in memory, and written by the caller, as parts of its own
// or a larger statement.
import type { BoxKind } from "@/server/contract/box";
import { appendConsist } from "@/server/contract/consist";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import { addToChunk, type BoxItem, CHUNK_MAX, type Chunk, chunkItems, runsOf, tokensOf } from "./box-chunks";
import type { BoxSize } from "./create-boxes";

export type Append = { box_id: string; items: readonly BoxItem[] };

type LastChunk = { [K in keyof Chunk]: Chunk[K] | null };
/** A box and its last chunk. */
export type LockedBox = LastChunk & BoxSize & { kind: BoxKind; owner_turn_id: string | null; rev: number };
type Grown = { box: LockedBox; chunks: Chunk[] };

/** `chunks` and `sizes`: JSON, for grownSql. */
export type Growth = { boxes: Map<string, LockedBox>; chunks: string; sizes: string };

/** Columns of `card_boxes b` and, below it, its last chunk: a LockedBox. */
export const LOCKED_BOX = `b.box_id, b.kind, b.owner_turn_id, b.length, b.token_sum, b.consist, b.rev,
    c.n, c.start, c.card_ids, c.origins, c.tokens, c.has_untravelled`;
export const LAST_CHUNK = `LEFT JOIN LATERAL (SELECT c.n, c.start, c.card_ids, c.origins, c.tokens, c.has_untravelled FROM card_box_chunks c WHERE c.tenant_id = b.tenant_id AND c.box_id = b.box_id
    ORDER BY c.n DESC LIMIT 1) c ON true`;

const LOCK = `
  SELECT ${LOCKED_BOX} FROM card_boxes b ${LAST_CHUNK}
  WHERE b.tenant_id = $1 AND b.box_id = ANY($2)
  ORDER BY b.box_id
  FOR UPDATE OF b`;

/** After waiting for the lock, a statement sees the new row but the old chunk. */
export const isWhole = (box: LockedBox): boolean => box.length === (box.start ?? 0) + (box.card_ids?.length ?? 0);

export async function lockBoxes(
  unit: Unit,
  { project_id, box_ids }: { project_id: string; box_ids: string[] },
): Promise<Map<string, LockedBox>> {
  const ids = [...new Set(box_ids)];
  let rows = await unit.query<LockedBox>("boxes_lock", LOCK, [project_id, ids]);
  // Someone appended while we waited for the row, so the chunk we read is old. Now that we hold the lock, read again.
  if (!rows.every(isWhole)) rows = await unit.query<LockedBox>("boxes_lock", LOCK, [project_id, ids]);
  return new Map(rows.map((r) => [r.box_id, r]));
}

/** not_found for a missing box; conflict for one that can be written only once. */
export function grow(locked: Map<string, LockedBox>, appends: Append[]): Growth {
  const grown = new Map<string, Grown>();
  for (const { box_id, items } of appends) {
    const state = grown.get(box_id) ?? start(box_id, locked.get(box_id));
    fill(state, items);
    grown.set(box_id, state);
  }
  const all = [...grown.values()];
  return {
    boxes: new Map(all.map(({ box }) => [box.box_id, box])),
    chunks: JSON.stringify(all.flatMap(({ box, chunks }) => chunks.map((c) => ({ ...c, box_id: box.box_id })))),
    sizes: JSON.stringify(
      all.map(({ box: { box_id, length, token_sum, consist, rev } }) => ({ box_id, length, token_sum, consist, rev })),
    ),
  };
}

/** Two parts of a WITH; they take a Growth's `chunks` and `sizes` as values. $1 is the project. */
export const grownSql = (chunks: string, sizes: string) => `grown_chunks AS (
    INSERT INTO card_box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled)
    SELECT $1, g.* FROM jsonb_to_recordset(${chunks}::jsonb) AS g(box_id text, n int, start int, card_ids text[], origins jsonb,
      tokens int, has_untravelled boolean)
    ON CONFLICT (tenant_id, box_id, n) DO UPDATE SET card_ids = excluded.card_ids, origins = excluded.origins,
      tokens = excluded.tokens, has_untravelled = excluded.has_untravelled
  ), grown_boxes AS (
    UPDATE card_boxes b SET length = g.length, token_sum = g.token_sum, consist = g.consist, rev = g.rev, updated_at = now()
    FROM jsonb_to_recordset(${sizes}::jsonb) AS g(box_id text, length int, token_sum bigint, consist text, rev bigint)
    WHERE b.tenant_id = $1 AND b.box_id = g.box_id
    RETURNING b.tenant_id, b.box_id, b.kind, b.owner_turn_id, b.length, b.token_sum, b.consist, b.rev
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

export function sizeOf({ boxes }: Growth, boxId: string): BoxSize {
  const box = boxes.get(boxId);
  if (!box) throw new Error(`box ${boxId} was appended to and was not found`);
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
  return { box: { ...box, rev: box.rev + 1 }, chunks: [] };
}

function fill(state: Grown, items: readonly BoxItem[]): void {
  const { box } = state;
  const last = state.chunks.at(-1) ?? lastChunk(box);
  const room = last ? CHUNK_MAX - last.card_ids.length : 0;
  if (last && room > 0 && items.length > 0) {
    for (const item of items.slice(0, room)) addToChunk(last, item);
    if (state.chunks.length === 0) state.chunks.push(last);
  }
  const next = last ? last.n + 1 : 0;
  state.chunks.push(...chunkItems(items.slice(room), next, box.length + Math.min(room, items.length)));
  box.length += items.length;
  box.token_sum += tokensOf(items);
  box.consist = appendConsist(box.consist, runsOf(items));
}

function lastChunk(box: LockedBox): Chunk | undefined {
  const { n, start, card_ids, origins, tokens, has_untravelled } = box;
  if (n === null || start === null || card_ids === null || origins === null || tokens === null) return undefined;
  return { n, start, card_ids, origins, tokens, has_untravelled: has_untravelled ?? false };
}
