// Appends to boxes at a cost that does not depend on their length: the rows are locked, the last chunk is filled, the
// rest goes into new ones. Order is kept and nothing is deduplicated.
import type { BoxKind } from "@/server/contract/box";
import { appendConsist } from "@/server/contract/consist";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import { addToChunk, type BoxItem, CHUNK_MAX, type Chunk, chunkItems, runsOf, tokensOf } from "./box-chunks";
import type { BoxSize } from "./create-boxes";

export type Append = { box_id: string; items: readonly BoxItem[] };

/** not_found for a missing box; conflict for one that is written once (a turn's context, a request, a pack). */
export async function appendToBox(unit: Unit, input: { project_id: string } & Append): Promise<BoxSize> {
  const [size] = await appendToBoxes(unit, { project_id: input.project_id, appends: [input] });
  if (!size) throw new Error("one append was given and no box came back");
  return size;
}

// A waiter sees the row as its forerunner left it, but the chunk as it was before: `length` tells (see lastChunks).
const LOCK = `
  SELECT b.box_id, b.kind, b.owner_turn_id, b.length, b.token_sum, b.consist, b.rev,
    c.n, c.start, c.card_ids, c.origins, c.tokens, c.has_untravelled
  FROM card_boxes b
  LEFT JOIN LATERAL (SELECT * FROM card_box_chunks c WHERE c.tenant_id = b.tenant_id AND c.box_id = b.box_id
    ORDER BY c.n DESC LIMIT 1) c ON true
  WHERE b.tenant_id = $1 AND b.box_id = ANY($2)
  ORDER BY b.box_id
  FOR UPDATE OF b`;

const WRITE = `
  WITH chunk AS (
    INSERT INTO card_box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled)
    SELECT $1, g.* FROM jsonb_to_recordset($2::jsonb) AS g(box_id text, n int, start int, card_ids text[], origins jsonb,
      tokens int, has_untravelled boolean)
    ON CONFLICT (tenant_id, box_id, n) DO UPDATE SET card_ids = excluded.card_ids, origins = excluded.origins,
      tokens = excluded.tokens, has_untravelled = excluded.has_untravelled
  )
  UPDATE card_boxes b SET length = g.length, token_sum = g.token_sum, consist = g.consist, rev = g.rev, updated_at = now()
  FROM jsonb_to_recordset($3::jsonb) AS g(box_id text, length int, token_sum bigint, consist text, rev bigint)
  WHERE b.tenant_id = $1 AND b.box_id = g.box_id`;

type LastChunk = { [K in keyof Chunk]: Chunk[K] | null };
type Locked = LastChunk & BoxSize & { kind: BoxKind; owner_turn_id: string | null; rev: number };
type Grown = { box: Locked; chunks: Chunk[] };

/** The set-wise form: several boxes, the same two statements. The same box twice appends twice, in order. */
export async function appendToBoxes(unit: Unit, input: { project_id: string; appends: Append[] }): Promise<BoxSize[]> {
  const { project_id, appends } = input;
  if (appends.length === 0) return [];
  const locked = await lock(unit, project_id, [...new Set(appends.map((a) => a.box_id))]);
  const grown = new Map<string, Grown>();
  for (const { box_id, items } of appends) {
    const state = grown.get(box_id) ?? start(box_id, locked.get(box_id));
    grow(state, items);
    grown.set(box_id, state);
  }
  const boxes = [...grown.values()].map((g) => g.box);
  await unit.query("boxes_append", WRITE, [
    project_id,
    JSON.stringify([...grown.values()].flatMap((g) => g.chunks.map((c) => ({ ...c, box_id: g.box.box_id })))),
    JSON.stringify(
      boxes.map(({ box_id, length, token_sum, consist, rev }) => ({ box_id, length, token_sum, consist, rev })),
    ),
  ]);
  for (const box of boxes) {
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
  return appends.map(({ box_id }) => sizeOf(grown.get(box_id)?.box, box_id));
}

async function lock(unit: Unit, projectId: string, boxIds: string[]): Promise<Map<string, Locked>> {
  let rows = await unit.query<Locked>("boxes_lock", LOCK, [projectId, boxIds]);
  // Somebody appended while we waited for the row: the chunk read with it is the old one. Now the lock is ours, read again.
  if (rows.some((r) => r.length !== (r.start ?? 0) + (r.card_ids?.length ?? 0)))
    rows = await unit.query<Locked>("boxes_lock", LOCK, [projectId, boxIds]);
  return new Map(rows.map((r) => [r.box_id, r]));
}

const WRITTEN_ONCE: ReadonlySet<BoxKind> = new Set<BoxKind>(["context", "request", "pack", "profile"]);

function start(boxId: string, box: Locked | undefined): Grown {
  if (!box) throw new KernelError("not_found", `box ${boxId} is not there`, { box_id: boxId });
  if (WRITTEN_ONCE.has(box.kind))
    throw new KernelError(
      "conflict",
      `box ${boxId} is a ${box.kind} box and is written once; fork it and append to the fork`,
      {
        box_id: boxId,
      },
    );
  return { box: { ...box, rev: box.rev + 1 }, chunks: [] };
}

function grow(state: Grown, items: readonly BoxItem[]): void {
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

function lastChunk(box: Locked): Chunk | undefined {
  const { n, start, card_ids, origins, tokens, has_untravelled } = box;
  if (n === null || start === null || card_ids === null || origins === null || tokens === null) return undefined;
  return { n, start, card_ids, origins, tokens, has_untravelled: has_untravelled ?? false };
}

function sizeOf(box: Locked | undefined, boxId: string): BoxSize {
  if (!box) throw new Error(`box ${boxId} was appended to and is not there`);
  return { box_id: boxId, length: box.length, token_sum: box.token_sum, consist: box.consist };
}
