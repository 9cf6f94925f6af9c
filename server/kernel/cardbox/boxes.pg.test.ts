// Boxes compared with the plain list they represent: append, fork and read in any order and at any length.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseConsist } from "@/server/contract/consist";
import type { KernelError } from "@/server/contract/errors";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { withUnit } from "../unit";
import { appendToBox, appendToBoxes } from "./append-to-box";
import { batchBoxes } from "./batch-boxes";
import type { BoxItem } from "./box-chunks";
import { createBoxes, type NewBox } from "./create-boxes";
import { forkBox } from "./fork-box";
import { insertCards } from "./insert-cards";
import { findBoxes, readBox } from "./read-box";
import { readBoxCards, readBoxStretches } from "./read-box-cards";

let kernel: TestKernel;
const project_id = "proj_1";
let items: BoxItem[];

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id);
  await seedProject(kernel, "other");
  const cards = await withUnit(kernel, (unit) =>
    insertCards(unit, {
      project_id,
      cards: Array.from({ length: 700 }, (_, i) => ({
        card_id: `c${i}`,
        type: i % 5 === 0 ? "task.instruction" : "agent.thought",
        content: "word ".repeat((i % 9) + 1),
        author_id: "me",
      })),
    }),
  );
  items = cards.map((card, i) => ({ ...card, origin: i % 3 === 0 ? "given" : `turn:t${i % 7}` }));
});
afterAll(() => kernel.close());

const create = async (box: Partial<NewBox> = {}) => {
  const [made] = await withUnit(kernel, (unit) =>
    createBoxes(unit, { project_id, boxes: [{ kind: "output", items: [], ...box }] }),
  );
  return made?.box_id ?? "";
};
const append = (box_id: string, given: BoxItem[]) =>
  withUnit(kernel, (unit) => appendToBox(unit, { project_id, box_id, items: given }));
const refusal = (work: Promise<unknown>): Promise<KernelError> =>
  work.then(
    () => expect.fail("not refused"),
    (e) => e,
  );
const whole = async (box_id: string) => {
  const [box] = await readBoxStretches(kernel, { project_id, stretches: [{ box_id, from: 0, limit: 100_000 }] });
  return box;
};

/** The box is exactly this list: ids, origins, places, tokens, and everything stored with it. */
async function expectIs(box_id: string, list: BoxItem[]): Promise<void> {
  const box = await readBox(kernel, { project_id, box_id });
  const tokens = list.reduce((n, i) => n + i.token_count, 0);
  expect(box.card_ids).toEqual(list.map((i) => i.card_id));
  expect([box.length, box.token_sum]).toEqual([list.length, tokens]);
  expect(parseConsist(box.consist).reduce((n, r) => n + r.tokens, 0)).toBe(tokens);
  const read = (await whole(box_id))?.cards ?? [];
  expect(read.map((c) => [c.card_id, c.origin, c.position])).toEqual(list.map((i, p) => [i.card_id, i.origin, p]));
  let before = 0;
  for (const card of read) {
    expect(card.before_tokens).toBe(before);
    before += card.token_count;
  }
  const { rows } = await kernel.db.pool.query(
    "SELECT n, start, cardinality(card_ids) AS size FROM card_box_chunks WHERE tenant_id = $1 AND box_id = $2 ORDER BY n",
    [project_id, box_id],
  );
  let start = 0;
  for (const [n, row] of rows.entries()) {
    expect(row).toMatchObject({ n, start });
    start += row.size;
  }
}

describe("compared with a plain list", () => {
  const some = fc.tuple(fc.nat({ max: 500 }), fc.nat({ max: 150 }));
  const step = fc.oneof(
    { weight: 4, arbitrary: some.map((range) => ({ kind: "append" as const, range })) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }).map((at) => ({ kind: "fork" as const, at })) },
  );
  test("any sequence of appends and forks reads back as the same list", async () => {
    await fc.assert(
      fc.asyncProperty(some, fc.array(step, { maxLength: 6 }), async ([from, n], steps) => {
        let list = items.slice(from, from + n);
        let box_id = await create({ items: list });
        for (const s of steps) {
          if (s.kind === "append") {
            const more = items.slice(s.range[0], s.range[0] + s.range[1]);
            const size = await append(box_id, more);
            list = [...list, ...more];
            expect(size).toMatchObject({ box_id, length: list.length });
          } else {
            const upto = Math.floor(s.at * list.length);
            const fork = await withUnit(kernel, (unit) => forkBox(unit, { project_id, box_id, upto }));
            await expectIs(box_id, list);
            list = list.slice(0, upto).map((i) => ({ ...i, origin: `box:${box_id}` }));
            box_id = fork.box_id;
          }
        }
        await expectIs(box_id, list);
      }),
      { numRuns: 25 },
    );
  }, 60_000);
  test("143 append keeps order and does not deduplicate; a box with a taken id is a conflict", async () => {
    const box_id = await create({ box_id: "x" });
    await append(box_id, items.slice(3, 5));
    await append(box_id, items.slice(3, 5));
    await expectIs(box_id, [...items.slice(3, 5), ...items.slice(3, 5)]);
    expect(await refusal(create({ box_id: "x", items: items.slice(0, 9) }))).toMatchObject({
      code: "conflict",
      detail: { box_id: "x" },
    });
    await expectIs("x", [...items.slice(3, 5), ...items.slice(3, 5)]);
  });
  test("several boxes in one call, one of them twice", async () => {
    const [a, b] = [await create(), await create({ items: items.slice(0, 63) })];
    const sizes = await withUnit(kernel, (unit) =>
      appendToBoxes(unit, {
        project_id,
        appends: [
          { box_id: a, items: items.slice(0, 2) },
          { box_id: b, items: items.slice(10, 80) },
          { box_id: a, items: items.slice(5, 6) },
        ],
      }),
    );
    expect(sizes.map((s) => s.length)).toEqual([3, 133, 3]);
    await expectIs(a, [...items.slice(0, 2), ...items.slice(5, 6)]);
    await expectIs(b, [...items.slice(0, 63), ...items.slice(10, 80)]);
  });
  test("concurrent writers: nothing is lost, each one's cards stay together and in order", async () => {
    const box_id = await create();
    const runs = Array.from({ length: 12 }, (_, w) => items.slice(w * 20, w * 20 + 20));
    await Promise.all(runs.map((run) => append(box_id, run)));
    const { card_ids } = await readBox(kernel, { project_id, box_id });
    expect(card_ids).toHaveLength(240);
    for (const run of runs) {
      const at = card_ids.indexOf(run[0]?.card_id ?? "");
      expect(card_ids.slice(at, at + 20)).toEqual(run.map((i) => i.card_id));
    }
    await expectIs(
      box_id,
      card_ids.map((id) => items.find((i) => i.card_id === id) as BoxItem),
    );
  });
});

describe("refusals", () => {
  test.each(["context", "request", "profile", "pack"] as const)("K4 a %s box is written once", async (kind) => {
    const box_id = await create({ kind, items: items.slice(0, 2) });
    const before = await countRows(kernel);
    expect(await refusal(append(box_id, items.slice(2, 3)))).toMatchObject({ code: "conflict" });
    expect(await countRows(kernel)).toEqual(before);
    await expectIs(box_id, items.slice(0, 2));
  });
  test("K11 a foreign box looks missing everywhere", async () => {
    const box_id = await create({ items: items.slice(0, 3) });
    const from = { project_id: "other", box_id };
    const work = [
      () => readBox(kernel, from),
      () => readBoxCards(kernel, from),
      () => withUnit(kernel, (unit) => appendToBox(unit, { ...from, items: [] })),
      () => withUnit(kernel, (unit) => forkBox(unit, from)),
    ];
    for (const one of work)
      expect(await refusal(one())).toMatchObject({ code: "not_found", message: `box ${box_id} not found` });
    expect(await findBoxes(kernel, { project_id: "other", box_ids: [box_id] })).toEqual({
      boxes: [],
      missing_box_ids: [box_id],
    });
  });
  test("a fork beyond the end, or of half a card", async () => {
    const box_id = await create({ items: items.slice(0, 3) });
    const fork = (upto: number) => refusal(withUnit(kernel, (unit) => forkBox(unit, { project_id, box_id, upto })));
    for (const upto of [4, -1, 0.5]) expect(await fork(upto)).toMatchObject({ code: "bad_request" });
  });
});

describe("ranges", () => {
  test("the last N, those before a place, and those from a place on", async () => {
    const box_id = await create({ items: items.slice(0, 200) });
    const at = async (query: object) =>
      (await readBoxCards(kernel, { project_id, box_id, ...query })).cards.map((c) => c.position);
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
    expect(await at({})).toEqual(range(0, 200));
    expect(await at({ limit: 3 })).toEqual([197, 198, 199]);
    expect(await at({ limit: 0 })).toEqual([199]);
    expect(await at({ limit: 70, before: 130 })).toEqual(range(60, 130));
    expect(await at({ limit: 5, before: 2 })).toEqual([0, 1]);
    expect(await at({ limit: 5, before: 0 })).toEqual([]);
    expect(await at({ limit: 5, before: 999 })).toEqual(range(195, 200));
    expect(await at({ limit: 66, from: 63 })).toEqual(range(63, 129));
    expect(await at({ limit: 66, from: 200 })).toEqual([]);
  });
  test("an empty box has length and no cards", async () => {
    const box_id = await create();
    expect(await readBoxCards(kernel, { project_id, box_id })).toEqual({
      box_id,
      length: 0,
      token_sum: 0,
      cards: [],
      missing_ids: [],
    });
  });
  test("149 batch: bare, hydrated, limits clamped, missing named once", async () => {
    const a = await create({ items: items.slice(0, 3) });
    const b = await create({ items: [...items.slice(2, 4), { ...items[0], card_id: "ghost" } as BoxItem] });
    const bare = await batchBoxes(kernel, { project_id, box_ids: [b, "nope", a, b, "nope"] });
    expect(bare.boxes.map((x) => x.box_id)).toEqual([b, a]);
    expect(bare.boxes[0]?.card_ids).toEqual(["c2", "c3", "ghost"]);
    expect(bare.boxes.every((x) => !("hydrated_cards" in x))).toBe(true);
    expect([bare.missing_box_ids, bare.missing_card_ids]).toEqual([["nope"], []]);
    const hydrated = async (limit: number) => {
      const { boxes, missing_card_ids } = await batchBoxes(kernel, {
        project_id,
        box_ids: [a, b],
        hydrate: true,
        limit,
      });
      return [...boxes.map((x) => x.hydrated_cards?.map((c) => c.card_id)), missing_card_ids];
    };
    expect(await hydrated(0)).toEqual([["c2"], [], ["ghost"]]);
    expect(await hydrated(9999)).toEqual([["c0", "c1", "c2"], ["c2", "c3"], ["ghost"]]);
    const long = await create({ items: items.slice(0, 600) });
    expect(
      (await batchBoxes(kernel, { project_id, box_ids: [long], hydrate: true, limit: 9999 })).boxes[0]?.hydrated_cards,
    ).toHaveLength(500);
    expect(await batchBoxes(kernel, { project_id, box_ids: [], hydrate: true })).toEqual({
      boxes: [],
      missing_box_ids: [],
      missing_card_ids: [],
    });
    const many = Array.from({ length: 101 }, (_, i) => `b${i}`);
    expect(await refusal(batchBoxes(kernel, { project_id, box_ids: many }))).toMatchObject({ code: "bad_request" });
  });
});

describe("statements do not grow", () => {
  const counted = (work: Parameters<typeof withUnit>[1]) =>
    withUnit(kernel, async (unit) => {
      await work(unit);
      return unit.statements();
    });
  test("with boxes created, cards in them, or the length of what is appended to and forked", async () => {
    const [short, long] = [await create({ items: items.slice(0, 1) }), await create({ items })];
    const boxes = (n: number): NewBox[] =>
      Array.from({ length: n }, () => ({ kind: "plain" as const, items: items.slice(0, n * 3) }));
    expect(await counted((u) => createBoxes(u, { project_id, boxes: boxes(1) }))).toBe(1);
    expect(await counted((u) => createBoxes(u, { project_id, boxes: boxes(50) }))).toBe(1);
    for (const box_id of [short, long]) {
      expect(await counted((u) => appendToBox(u, { project_id, box_id, items: items.slice(0, 300) }))).toBe(2);
      expect(await counted((u) => forkBox(u, { project_id, box_id }))).toBe(3);
    }
  });
});

test("an owned box is announced when it is made and when it grows", async () => {
  const box_id = await create({ owner_turn_id: "turn_1", items: items.slice(0, 1) });
  await append(box_id, items.slice(1, 3));
  await create({ items: items.slice(0, 1) });
  const { rows } = await kernel.db.pool.query(
    "SELECT frame FROM state.journal WHERE kind = 'box' AND entity_id = $1 ORDER BY event_id",
    [box_id],
  );
  expect(rows.map(({ frame }) => [frame.rev, frame.length, frame.owner_turn_id, frame.box_kind])).toEqual([
    [1, 1, "turn_1", "output"],
    [2, 3, "turn_1", "output"],
  ]);
});
