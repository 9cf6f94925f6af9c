// A box of up to 64 cards is its row alone, is found by every card that it holds, and grows without touching an index.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { type Unit, withUnit } from "../unit";
import { appendToBox } from "./append-to-box";
import type { BoxItem } from "./box-chunks";
import { createBoxes } from "./create-boxes";
import { findPlaces } from "./find-places";
import { heldIn } from "./held-in";
import { insertCards, insertCardsFor } from "./insert-cards";

let kernel: TestKernel;
const project_id = "tails";
const P = [project_id];
let others: BoxItem[];

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id);
  others = await withUnit(kernel, async (unit) => itemsOf(await insertCards(unit, { project_id, cards: drafts(40) })));
});
afterAll(() => kernel.close());

const drafts = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ type: "agent.thought", content: `thought ${i}`, author_id: "me" }));
const itemsOf = (cards: Omit<BoxItem, "origin">[]): BoxItem[] => cards.map((card) => ({ ...card, origin: "given" }));

const create = async (unit: Unit, items: BoxItem[] = []): Promise<string> => {
  const [box] = await createBoxes(unit, { project_id, boxes: [{ kind: "output", items }] });
  return box?.box_id ?? "";
};
/** Cards written for the box. */
async function write(unit: Unit, box_id: string, n: number): Promise<string[]> {
  const { cards, born } = await insertCardsFor(unit, { project_id, cards: drafts(n), born_box: box_id });
  await appendToBox(unit, { project_id, box_id, items: itemsOf(cards), born });
  return cards.map((card) => card.card_id);
}
const take = (unit: Unit, box_id: string, items: BoxItem[]) => appendToBox(unit, { project_id, box_id, items });

type Stored = { chunk_count: number; tail: string[] | null; carried: string[] | null; chunks: number };
async function storedOf(box_id: string): Promise<Stored> {
  const { rows } = await kernel.db.pool.query<Stored>(
    `SELECT b.chunk_count, b.tail, b.carried, (SELECT count(*)::int FROM box_chunks k WHERE k.tenant_id = $1 AND k.box_id = $2) AS chunks
     FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = $2`,
    [project_id, box_id],
  );
  const [row] = rows;
  if (!row) throw new Error(`no box ${box_id}`);
  return row;
}

describe("what is stored", () => {
  // First: later ones leave pages with little room.
  test("a box's own cards are added without touching an index", async () => {
    const updated = (unit: Unit) =>
      unit.query<{ all: number; hot: number }>(
        "test_hot",
        `SELECT pg_stat_get_xact_tuples_updated('card_boxes'::regclass)::int AS all,
           pg_stat_get_xact_tuples_hot_updated('card_boxes'::regclass)::int AS hot`,
        [],
      );
    const box_id = await withUnit(kernel, (unit) => create(unit));
    await withUnit(kernel, async (unit) => {
      const [before] = await updated(unit);
      for (let i = 0; i < 5; i++) await write(unit, box_id, 1);
      const [after] = await updated(unit);
      expect([before, after]).toEqual([before, { all: (before?.all ?? 0) + 5, hot: (before?.hot ?? 0) + 5 }]);
    });
  });

  test("64 cards are one row; the next makes a full chunk of them, and begins a tail that carries nothing", async () => {
    const box_id = await withUnit(kernel, (unit) => create(unit));
    expect(await storedOf(box_id)).toEqual({ chunk_count: 0, tail: null, carried: null, chunks: 0 });
    const first = await withUnit(kernel, async (unit) => {
      await take(unit, box_id, others.slice(0, 1));
      return write(unit, box_id, 63);
    });
    const carried = others.slice(0, 1).map((item) => item.card_id);
    expect(await storedOf(box_id)).toEqual({ chunk_count: 0, tail: [...carried, ...first], carried, chunks: 0 });
    const [last = ""] = await withUnit(kernel, (unit) => write(unit, box_id, 1));
    expect(await storedOf(box_id)).toEqual({ chunk_count: 1, tail: [last], carried: null, chunks: 1 });
    const more = await withUnit(kernel, (unit) => write(unit, box_id, 150));
    expect(await storedOf(box_id)).toEqual({ chunk_count: 3, tail: more.slice(-23), carried: null, chunks: 3 });
  });

  test("a card that was there before is carried, also when a writer gives its id again", async () => {
    const box_id = await withUnit(kernel, (unit) => create(unit));
    const [known] = others;
    const born = await withUnit(kernel, async (unit) => {
      const given = {
        ...drafts(1)[0],
        card_id: known?.card_id,
        type: "agent.thought",
        content: "thought 0",
        author_id: "me",
      };
      const stored = await insertCardsFor(unit, { project_id, cards: [given, ...drafts(1)], born_box: box_id });
      await appendToBox(unit, { project_id, box_id, items: itemsOf(stored.cards), born: stored.born });
      return [...stored.born];
    });
    expect(await storedOf(box_id)).toMatchObject({ tail: [known?.card_id, ...born], carried: [known?.card_id] });
  });
});

test("whatever is written, taken over or appended: every card's boxes are found, each chunk once", async () => {
  const step = fc.tuple(fc.constantFrom("write", "take", "new"), fc.integer({ min: 1, max: 70 }), fc.nat(39));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const boxes: string[] = [];
      await withUnit(kernel, async (unit) => {
        boxes.push(await create(unit));
        for (const [what, n, at] of steps) {
          const box_id = boxes.at(-1) ?? "";
          if (what === "write") await write(unit, box_id, n);
          else if (what === "take") await take(unit, box_id, others.slice(at, at + n));
          else boxes.push(await create(unit, others.slice(at, at + n)));
        }
      });
      const { rows: held } = await kernel.db.pool.query<{ box_id: string; n: number; card_ids: string[] }>(
        "SELECT box_id, n, card_ids FROM card_box_chunks WHERE tenant_id = $1 ORDER BY box_id, n",
        P,
      );
      const ids = [...new Set(held.filter((row) => boxes.includes(row.box_id)).flatMap((row) => row.card_ids))];
      const asked = ids.filter((_, i) => i % 7 === 0);
      for (const some of [asked, ...asked.slice(0, 3).map((id) => [id])]) {
        const { rows } = await kernel.db.pool.query(
          `SELECT h.box_id, h.n FROM ${heldIn("$2::text[]")} h ORDER BY h.box_id, h.n`,
          [project_id, some],
        );
        const expected = held.filter((row) => row.card_ids.some((id) => some.includes(id)));
        expect(rows).toEqual(expected.map(({ box_id, n }) => ({ box_id, n })));
        const { places, total } = await findPlaces(kernel, { project_id, card_ids: some });
        expect(total).toBe(expected.length);
        const all = expected.flatMap(({ box_id, n, card_ids }) =>
          [...new Set(card_ids)].flatMap((card_id) => (some.includes(card_id) ? `${box_id} ${n} ${card_id}` : [])),
        );
        expect(places.map((place) => `${place.box_id} ${place.n} ${place.card_id}`).sort()).toEqual(all.sort());
      }
    }),
    { numRuns: 15 },
  );
});

test("the list may be a column outside, whatever its table is called there", async () => {
  const id = others[0]?.card_id;
  for (const name of ["b", "c", "k", "o"]) {
    const { rows } = await kernel.db.pool.query<{ same: boolean; n: number }>(
      `SELECT count(*)::int AS n, (SELECT count(*) FROM ${heldIn("ARRAY[$2::text]")} x) = count(*) AS same
       FROM (SELECT $2::text AS card_id) ${name} CROSS JOIN LATERAL ${heldIn(`ARRAY[${name}.card_id]`)} h`,
      [project_id, id],
    );
    expect(rows).toEqual([{ same: true, n: expect.any(Number) }]);
    expect(rows[0]?.n).toBeGreaterThan(0);
  }
});
