// Lists, search and sightings: nothing is skipped between two pages, nothing of another project is seen.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "@/server/contract/page";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { deleteCard } from "../artifacts/delete-card";
import { withUnit } from "../unit";
import { createBoxes } from "./create-boxes";
import { indexCards } from "./index-cards";
import { insertCards } from "./insert-cards";
import { listBoxes } from "./list-boxes";
import { type CardQuery, listCards } from "./list-cards";
import { readSightings } from "./read-sightings";

let kernel: TestKernel;
const project_id = "lists";
const words = ["apple", "pear", "plum"];

beforeAll(async () => {
  kernel = await openTestKernel();
  for (const id of [project_id, "other"]) {
    await seedProject(kernel, id, [{ name: "Boss" }]);
    // One unit, one time: order within it is by id alone.
    await withUnit(kernel, async (unit) => {
      const cards = await insertCards(unit, {
        project_id: id,
        cards: Array.from({ length: 30 }, (_, i) => ({
          card_id: `c${String(i).padStart(2, "0")}`,
          type: i % 2 ? "agent.thought" : "task.context",
          content: `the ${words[i % 3]} number${i}`,
          author_id: i % 5 ? "ann" : "bob",
          metadata: { agent_turn_id: `turn_${i % 4}`, trace_id: `trace_${i % 2}` },
        })),
      });
      await createBoxes(unit, {
        project_id: id,
        boxes: cards.map((card, i) => ({
          box_id: `b${String(i).padStart(2, "0")}`,
          kind: i % 2 ? ("output" as const) : ("plain" as const),
          owner_agent_id: i % 3 ? "ann_1" : undefined,
          items: [{ ...card, origin: "given" }],
        })),
      });
    });
  }
});
afterAll(() => kernel.close());

async function everyPage<T>(list: (cursor?: string) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | undefined, rounds = 0; rounds < 50; rounds++) {
    const page = await list(cursor);
    all.push(...page.items);
    if (!page.next_cursor) return all;
    cursor = page.next_cursor;
  }
  return expect.fail("the pages do not end");
}
const cards = async (query: Partial<CardQuery> = {}) =>
  (await everyPage((cursor) => listCards(kernel, { project_id, limit: 7, ...query, cursor })))
    .map((c) => c.card_id)
    .filter((id) => /^c\d\d$/.test(id));
const expected = (is: (i: number) => boolean) =>
  Array.from({ length: 30 }, (_, i) => i)
    .filter(is)
    .map((i) => `c${String(i).padStart(2, "0")}`)
    .toReversed();

describe("pages", () => {
  test("cards of the same moment: newest first by id, each once", async () => {
    expect(await cards()).toEqual(expected(() => true));
  });
  test("facets", async () => {
    expect(await cards({ type: "agent.thought" })).toEqual(expected((i) => i % 2 === 1));
    expect(await cards({ role: "user", author_id: "bob" })).toEqual(expected((i) => i % 10 === 0));
    expect(await cards({ agent_turn_id: "turn_3", trace_id: "trace_1" })).toEqual(expected((i) => i % 4 === 3));
    const now = new Date(Date.now() + 60_000).toISOString();
    expect(await cards({ created_before: now })).toHaveLength(30);
    expect(await cards({ created_after: now })).toEqual([]);
  });
  test("boxes", async () => {
    const boxes = async (query: object) =>
      (await everyPage((cursor) => listBoxes(kernel, { project_id, limit: 4, ...query, cursor }))).map((b) => b.box_id);
    expect(await boxes({ kind: "output" })).toEqual(expected((i) => i % 2 === 1).map((id) => id.replace("c", "b")));
    expect(await boxes({ kind: "plain", owner_agent_id: "ann_1" })).toEqual(
      expected((i) => i % 2 === 0 && i % 3 !== 0).map((id) => id.replace("c", "b")),
    );
  });
  test("a cursor of another project, or a made-up one, is bad_request", async () => {
    const { next_cursor } = await listCards(kernel, { project_id: "other", limit: 1 });
    expect(next_cursor).toBeDefined();
    for (const cursor of [
      next_cursor,
      "nonsense",
      "",
      Buffer.from("12345678 2026-99-99T00:00:00.000000Z x").toString("base64url"),
    ]) {
      await expect(listCards(kernel, { project_id, cursor })).rejects.toMatchObject({ code: "bad_request" });
      await expect(listBoxes(kernel, { project_id, cursor })).rejects.toMatchObject({ code: "bad_request" });
    }
  });
});

describe("search", () => {
  test("finds cards that are indexed, not indexed yet, or both, each once", async () => {
    expect(await cards({ q: "plum" })).toEqual(expected((i) => i % 3 === 2));
    const { indexed } = await indexCards(kernel, { limit: 25 });
    expect(indexed).toBe(25);
    expect(await cards({ q: "plum" })).toEqual(expected((i) => i % 3 === 2));
    while ((await indexCards(kernel, { limit: 25 })).indexed === 25);
    expect(await cards({ q: "plum" })).toEqual(expected((i) => i % 3 === 2));
    expect(await cards({ q: "PLUM -number5", type: "agent.thought" })).toEqual(expected((i) => i % 6 === 5 && i !== 5));
    expect(await cards({ q: '"pear number1"' })).toEqual(["c01"]);
    expect(await cards({ q: "kiwi" })).toEqual([]);
    expect(await cards({ q: "the" })).toHaveLength(30);
    expect(await indexCards(kernel)).toEqual({ indexed: 0 });
  });
  test("any text is a query, none is an error", async () => {
    for (const q of ["'", '"', "((", "a & | !", "%_\\", "<->"]) expect(await cards({ q })).toEqual(expect.any(Array));
  });
  test("a deleted card is found by no search and listed as a tombstone", async () => {
    await withUnit(kernel, (unit) =>
      insertCards(unit, {
        project_id: "other",
        cards: [{ card_id: "d1", type: "task.context", content: "zebra", author_id: "a" }],
      }),
    );
    const found = async () => (await listCards(kernel, { project_id: "other", q: "zebra" })).items.length;
    expect(await found()).toBe(1);
    await indexCards(kernel);
    expect(await found()).toBe(1);
    await withUnit(kernel, (unit) => deleteCard(unit, { project_id: "other", card_id: "d1", by: "human_local" }));
    expect(await found()).toBe(0);
    expect(await indexCards(kernel)).toEqual({ indexed: 0 });
    expect((await listCards(kernel, { project_id: "other", limit: 1 })).items[0]).toMatchObject({
      card_id: "d1",
      gone: "deleted",
    });
  });
  test("a common word uses the other plan and finds the same", async () => {
    await seedProject(kernel, "common");
    await withUnit(kernel, (unit) =>
      insertCards(unit, {
        project_id: "common",
        cards: Array.from({ length: 2_100 }, (_, i) => ({
          card_id: `w${i}`,
          type: "task.context",
          content: `word ${i % 2 ? "odd" : "even"} n${i}`,
          author_id: "a",
        })),
      }),
    );
    while ((await indexCards(kernel, { limit: 2_000 })).indexed === 2_000);
    const all = await everyPage((cursor) => listCards(kernel, { project_id: "common", q: "word", limit: 500, cursor }));
    expect(new Set(all.map((c) => c.card_id)).size).toBe(2_100);
    expect((await listCards(kernel, { project_id: "common", q: "word odd", limit: 3 })).items).toHaveLength(3);
  });
});

describe("sightings", () => {
  const { running, deliver } = callersOf(() => kernel, project_id);
  test("the boxes that hold a card, the turns that were given them, and the agents", async () => {
    const turn = await running("Boss");
    const card_id = turn.turn.instruction_card_id ?? "";
    const seen = await readSightings(kernel, { project_id, card_id });
    expect(seen.boxes).toMatchObject([
      { box_id: turn.turn.context_box_id, kind: "context", origin: "arg:instruction" },
    ]);
    expect(seen.turns).toMatchObject([{ agent_turn_id: turn.agent_turn_id, as: ["context"] }]);
    expect(seen.agents).toEqual([{ agent_id: turn.agent_id, turns: 1 }]);
    expect([seen.boxes_total, seen.turns_total, seen.first_seen === seen.last_seen]).toEqual([1, 1, true]);
    await deliver(turn, "done");
    const { rows } = await kernel.db.pool.query(
      "SELECT deliverable_card_id FROM state.agent_turns WHERE agent_turn_id = $1",
      [turn.agent_turn_id],
    );
    const own = await readSightings(kernel, { project_id, card_id: rows[0].deliverable_card_id });
    expect(own.turns).toMatchObject([{ agent_turn_id: turn.agent_turn_id, as: ["output"] }]);
  });
  test("only this project's; a foreign card looks missing", async () => {
    const seen = await readSightings(kernel, { project_id, card_id: "c00" });
    expect(seen.boxes.map((b) => b.box_id)).toEqual(["b00"]);
    expect([seen.turns, seen.boxes_total]).toEqual([[], 1]);
    await expect(readSightings(kernel, { project_id, card_id: "d1" })).rejects.toMatchObject({ code: "not_found" });
  });
});
