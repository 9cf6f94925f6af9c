// Lines, weights and places of boxes, compared with readBoxCards where both return the same.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { deleteCard } from "../artifacts/delete-card";
import { withUnit } from "../unit";
import { createBoxes } from "./create-boxes";
import { findInBox } from "./find-in-box";
import { insertCards } from "./insert-cards";
import { readBoxCards } from "./read-box-cards";
import { readBoxLines } from "./read-box-lines";
import { readBoxWeights } from "./read-box-weights";
import { readCardFacets } from "./read-card-facets";

let kernel: TestKernel;
const project_id = "lines";
const box_id = "long";
const COUNT = 150;
const roles = ["system", "user", "assistant", "tool"] as const;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id);
  await seedProject(kernel, "other");
  await withUnit(kernel, async (unit) => {
    const cards = await insertCards(unit, {
      project_id,
      cards: Array.from({ length: COUNT }, (_, i) => ({
        card_id: `c${i}`,
        type: "note",
        role: roles[i % 4],
        content: `card ${i} ${"word ".repeat(i % 9)}`,
        author_id: i % 2 ? "ann" : "bob",
      })),
    });
    // Chunks of 64 whose origins change inside them.
    const items = cards.map((card, i) => ({
      ...card,
      origin: i % 50 < 20 ? "given" : `box:source${Math.floor(i / 50)}`,
    }));
    await createBoxes(unit, { project_id, boxes: [{ box_id, kind: "plain", items }] });
    // The same card twice, as in some imports.
    const first = items.slice(0, 1);
    await createBoxes(unit, {
      project_id,
      boxes: [{ box_id: "twice", kind: "plain", items: [...first, ...items.slice(1, 70), ...first] }],
    });
  });
});
afterAll(() => kernel.close());

const every = Array.from({ length: COUNT }, (_, i) => i);

test("lines match the cards in place, origin, weight and role, across chunk boundaries", async () => {
  const [a, b] = await Promise.all([
    readBoxLines(kernel, { project_id, box_id, positions: every.slice(0, 100) }),
    readBoxLines(kernel, { project_id, box_id, positions: every.slice(100) }),
  ]);
  const { cards } = await readBoxCards(kernel, { project_id, box_id, from: 0, limit: COUNT });
  expect([...a, ...b].map((l) => [l.position, l.card_id, l.origin, l.token_count, l.role])).toEqual(
    cards.map((c) => [c.position, c.card_id, c.origin, c.token_count, c.role]),
  );
});

test("places may be requested in any order and twice; past the end and in other projects there is nothing", async () => {
  const lines = await readBoxLines(kernel, { project_id, box_id, positions: [149, 3, 3, 150, 9999] });
  expect(lines.map((line) => line.position)).toEqual([3, 149]);
  expect(lines[0]?.title).toBe("card 3 word word word");
  expect(await readBoxLines(kernel, { project_id: "other", box_id, positions: [0] })).toEqual([]);
  expect(await readBoxLines(kernel, { project_id, box_id: "none", positions: [0] })).toEqual([]);
});

test("weights from any place on match the rest of all weights", async () => {
  const all = await readBoxWeights(kernel, { project_id, box_id, from: 0 });
  const lines = await readBoxLines(kernel, { project_id, box_id, positions: every.slice(0, 100) });
  expect(all.tokens).toHaveLength(COUNT);
  expect(all.tokens.slice(0, 100)).toEqual(lines.map((line) => line.token_count));
  expect(all.roles.slice(0, 8)).toBe("SUATSUAT");
  for (const from of [1, 63, 64, 65, 149, 150, 500]) {
    const rest = await readBoxWeights(kernel, { project_id, box_id, from });
    expect(rest.tokens).toEqual(all.tokens.slice(from));
    expect(rest.roles).toBe(all.roles.slice(from));
  }
  expect((await readBoxWeights(kernel, { project_id: "other", box_id, from: 0 })).tokens).toEqual([]);
});

test("a card is found at its first place, and not in boxes that lack it", async () => {
  expect(await findInBox(kernel, { project_id, box_id, card_id: "c100" })).toBe(100);
  expect(await findInBox(kernel, { project_id, box_id: "twice", card_id: "c0" })).toBe(0);
  expect(await findInBox(kernel, { project_id, box_id: "twice", card_id: "c100" })).toBeNull();
  expect(await findInBox(kernel, { project_id: "other", box_id, card_id: "c100" })).toBeNull();
});

test("facets count existing values, and nothing of another project", async () => {
  const facets = await readCardFacets(kernel, { project_id });
  expect(facets).toMatchObject({ counted: COUNT, is_all: true, types: [{ value: "note", cards: COUNT }] });
  expect(facets.roles.map((facet) => facet.cards)).toEqual([38, 38, 37, 37]);
  expect(facets.authors.map((facet) => facet.value).toSorted()).toEqual(["ann", "bob"]);
  expect(facets.authors.some((facet) => "name" in facet)).toBe(false);
  expect(await readCardFacets(kernel, { project_id: "other" })).toMatchObject({ counted: 0, types: [], authors: [] });
});

test("an author that is an agent of this project has its name", async () => {
  await kernel.test.pool.query(
    `INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target, display_name)
     VALUES ($1, 'ann', $2, 'Reader', 'worker_generic', 'Reader Ann'), ('other', 'bob', $2, 'Reader', 'worker_generic', 'Bob')`,
    [project_id, box_id],
  );
  const { authors } = await readCardFacets(kernel, { project_id });
  expect(authors).toContainEqual({ value: "ann", name: "Reader Ann", cards: COUNT / 2 });
  expect(authors).toContainEqual({ value: "bob", cards: COUNT / 2 });
});

test("a deleted card keeps its line and its weight and loses its text", async () => {
  const [before] = await readBoxLines(kernel, { project_id, box_id, positions: [7] });
  await withUnit(kernel, (unit) => deleteCard(unit, { project_id, card_id: "c7", by: "human_local" }));
  const [after] = await readBoxLines(kernel, { project_id, box_id, positions: [7] });
  expect(after).toEqual({ ...before, title: "", gone: "deleted" });
});
