// Writes a plan's cards and boxes in units of bounded size. Nothing refers to them yet, and a repeat after a crash keeps
// those that exist.
import type { Origin } from "@/server/contract/box";
import type { Card } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { type BoxItem, CHUNK_MAX, chunkItems } from "@/server/kernel/cardbox/box-chunks";
import { storeCards } from "@/server/kernel/cardbox/insert-cards";
import { type BoxToWrite, writeNewBoxes } from "@/server/kernel/cardbox/write-boxes";
import type { Kernel } from "@/server/kernel/kernel";
import { type Unit, withUnit } from "@/server/kernel/unit";
import type { ImportPlan, PlannedBox } from "./plan";
import { cardAt, type Weights } from "./weigh";

export type Store = { kernel: Kernel; project_id: string; plan: ImportPlan; weights: Weights };

/** How many cards and boxes already existed. */
export async function writeStore(store: Store, onPart: (done: number) => void): Promise<number> {
  let known = 0;
  let done = 0;
  const write = async <T>(items: T[], put: (items: T[]) => Promise<number>) => {
    known += await put(items);
    done += items.length;
    onPart(done);
  };
  for (const part of partsOf([...store.weights.cards.values()], cardCost)) await write(part, (p) => putCards(store, p));
  // A chunk must exist before the statement that copies it.
  for (const part of partsOf(
    store.plan.boxes.filter((b) => b.prefix_of === undefined),
    boxCost,
  ))
    await write(part, (p) => putBoxes(store, p));
  for (const part of partsOf(
    store.plan.boxes.filter((b) => b.prefix_of !== undefined),
    boxCost,
  ))
    await write(part, (p) => putBoxes(store, p));
  return known;
}

const PART_ITEMS_MAX = 500;
const PART_COST_MAX = 1_000_000;

const cardCost = (card: Card): number => 600 + 4 * card.token_count;
/** An id and its position in the index. */
const boxCost = (box: PlannedBox): number => 400 + 40 * box.length;

function* partsOf<T>(items: T[], costOf: (item: T) => number): Generator<T[]> {
  let part: T[] = [];
  let cost = 0;
  for (const item of items) {
    if (part.length > 0 && (part.length === PART_ITEMS_MAX || cost + costOf(item) > PART_COST_MAX)) {
      yield part;
      part = [];
      cost = 0;
    }
    part.push(item);
    cost += costOf(item);
  }
  if (part.length > 0) yield part;
}

const KNOWN_CARDS = "SELECT count(*)::int AS n FROM cards WHERE tenant_id = $1 AND card_id = ANY($2)";
const KNOWN_BOXES = "SELECT box_id, length FROM card_boxes WHERE tenant_id = $1 AND box_id = ANY($2)";

async function putCards({ kernel, project_id }: Store, cards: Card[]): Promise<number> {
  return withUnit(
    kernel,
    async (unit) => {
      await holdProject(unit, project_id);
      const [known] = await unit.query<{ n: number }>("import_known_cards", KNOWN_CARDS, [
        project_id,
        cards.map((c) => c.card_id),
      ]);
      await storeCards(unit, { project_id, drafts: cards });
      await unit.probe("import-part");
      return known?.n ?? 0;
    },
    { statementMs: kernel.tunables.longStatementMs },
  );
}

async function putBoxes(store: Store, boxes: PlannedBox[]): Promise<number> {
  const { kernel, project_id, plan } = store;
  return withUnit(
    kernel,
    async (unit) => {
      await holdProject(unit, project_id);
      await lockImport(unit, project_id, plan.digest);
      const rows = await unit.query<{ box_id: string; length: number }>("import_known_boxes", KNOWN_BOXES, [
        project_id,
        boxes.map((b) => b.box_id),
      ]);
      const known = new Map(rows.map((row) => [row.box_id, row.length]));
      for (const { box_id, length } of boxes)
        if ((known.get(box_id) ?? length) !== length)
          throw new KernelError("conflict", `box ${box_id} exists with other cards; import into another project`, {
            box_id,
          });
      const fresh = boxes.filter((b) => !known.has(b.box_id)).map((box) => toWrite(store, box));
      // Under the lock of the import, of ids that are not there.
      writeNewBoxes(unit, { project_id, boxes: fresh });
      await unit.probe("import-part");
      return rows.length;
    },
    { statementMs: kernel.tunables.longStatementMs },
  );
}

/** Keeps the project from being deleted during the unit; not_found if it is deleted. */
export async function holdProject(unit: Unit, project_id: string): Promise<void> {
  const [row] = await unit.query("project_hold", "SELECT 1 FROM projects WHERE project_id = $1 FOR KEY SHARE", [
    project_id,
  ]);
  if (!row) throw new KernelError("not_found", `project ${project_id} not found`);
}

/** Two imports of one file into one project write one after the other. */
export async function lockImport(unit: Unit, project_id: string, digest: string): Promise<void> {
  await unit.query("import_lock", "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `import ${project_id} ${digest}`,
  ]);
}

function toWrite({ weights }: Store, box: PlannedBox): BoxToWrite {
  const { box_id, kind, owner_agent_id, owner_turn_id, prefix_of } = box;
  const size = weights.boxes.get(box_id) ?? { length: 0, token_sum: 0, consist: "" };
  const copied = prefix_of === undefined ? 0 : Math.floor(box.length / CHUNK_MAX);
  const origins = box.origins.flatMap(([count, origin]) => Array<Origin>(count).fill(origin));
  const rest: BoxItem[] = [];
  for (let at = copied * CHUNK_MAX; at < box.length; at++) {
    const { card_id, role, token_count, type } = cardAt(weights.cards, box.card_ids, at);
    rest.push({ card_id, role, token_count, type, origin: origins[at] ?? "import" });
  }
  const copies =
    prefix_of !== undefined && copied > 0
      ? [
          {
            source_box_id: prefix_of,
            from_n: 0,
            to_n: copied - 1,
            upto: copied * CHUNK_MAX,
            n_shift: 0,
            start_shift: 0,
          },
        ]
      : [];
  const chunks = chunkItems(rest, copied, copied * CHUNK_MAX);
  const has_repeats = new Set(box.card_ids.slice(0, box.length)).size < box.length;
  return { ...size, box_id, kind, owner_agent_id, owner_turn_id, has_repeats, chunks, copies };
}
