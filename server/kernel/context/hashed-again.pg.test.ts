// A long box that is handed over again is not hashed again, unless something was written to it (hashed-boxes.ts).
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inputOf, openPackYard, type PackYard, packProject, packRecipe } from "@/server/testing/packing";
import { appendToBox } from "../cardbox/append-to-box";
import type { BoxItem } from "../cardbox/box-chunks";
import { sha256 } from "../cardbox/canonical-json";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { createHashedBoxes } from "../hashed-boxes";
import { type Unit, withUnit } from "../unit";
import { packContexts } from "./pack-context";

let yard: PackYard;
let items: BoxItem[];
const project_id = packProject;

beforeAll(async () => {
  yard = await openPackYard();
  const cards = await withUnit(yard.kernel, (unit) =>
    insertCards(unit, {
      project_id,
      cards: Array.from({ length: 700 }, (_, i) => ({
        card_id: `h${i}`,
        type: "task.context",
        content: `card number ${i}`,
        author_id: "me",
      })),
    }),
  );
  items = cards.map((card) => ({ ...card, origin: "given" }));
}, 60_000);
afterAll(() => yard.kernel.close());
beforeEach(() => {
  yard.kernel.hashedBoxes = createHashedBoxes();
});

const make = async (given: BoxItem[], box_id?: string) => {
  const made = await withUnit(yard.kernel, (unit) =>
    createBoxes(unit, { project_id, boxes: [{ box_id, kind: "output", items: given }] }),
  );
  return made[0]?.box_id ?? "";
};

const pack = async (unit: Unit, box_id: string, how: { dry_run?: boolean } = {}) => {
  const { arguments: _args, handover: _handover, ...common } = inputOf({ source_agent_id: "human_ann" });
  const handover = packRecipe({}, { order: "inherited_first" });
  return packContexts(unit, {
    ...common,
    ...how,
    items: [{ arguments: { instruction: "x", input_box_ids: [box_id] }, handover }],
  });
};

/** The hash of its receipt. */
const handOver = (box_id: string, how: { dry_run?: boolean } = {}) =>
  withUnit(yard.kernel, async (unit) => (await pack(unit, box_id, how))[0]?.receipt.hash);
const kept = (box_id: string) => yard.kernel.hashedBoxes.of(project_id, [box_id]).get(box_id);
const hashOf = (given: BoxItem[]) => sha256(given.map((item) => item.card_id).join("\n"));

test("the second hand-over uses the hash of the first, and says the same as a dry run, which reads the ids", async () => {
  const box_id = await make(items.slice(0, 300));
  const first = await handOver(box_id);
  expect(kept(box_id)?.ids_hash).toBe(hashOf(items.slice(0, 300)));
  expect(await handOver(box_id)).toBe(first);
  expect(await handOver(box_id, { dry_run: true })).toBe(first);
  // Proof that it is used: a wrong one is believed.
  const { version = "" } = kept(box_id) ?? {};
  yard.kernel.hashedBoxes.keep(project_id, box_id, { version, ids_hash: "wrong" });
  expect(await handOver(box_id)).not.toBe(first);
});

test("a box that has grown is hashed again, also where it grew in the unit that hands it over", async () => {
  const box_id = await make(items.slice(0, 300));
  const before = await handOver(box_id);
  await withUnit(yard.kernel, (unit) => appendToBox(unit, { project_id, box_id, items: items.slice(300, 301) }));
  const after = await handOver(box_id);
  expect(after).not.toBe(before);
  expect(kept(box_id)?.ids_hash).toBe(hashOf(items.slice(0, 301)));
  expect(await handOver(box_id, { dry_run: true })).toBe(after);
  await withUnit(yard.kernel, async (unit) => {
    await appendToBox(unit, { project_id, box_id, items: items.slice(301, 302) });
    await pack(unit, box_id);
    expect(kept(box_id)?.ids_hash).toBe(hashOf(items.slice(0, 302)));
    await appendToBox(unit, { project_id, box_id, items: items.slice(302, 303) });
    await pack(unit, box_id);
    expect(kept(box_id)?.ids_hash).toBe(hashOf(items.slice(0, 303)));
  });
});

test("another box under the same id and of the same length is hashed for itself, also where the first was never committed", async () => {
  await expect(
    withUnit(yard.kernel, async (unit) => {
      await createBoxes(unit, { project_id, boxes: [{ box_id: "again", kind: "output", items: items.slice(0, 300) }] });
      await pack(unit, "again");
      throw new Error("refused afterwards");
    }),
  ).rejects.toThrow("refused afterwards");
  expect(kept("again")?.ids_hash).toBe(hashOf(items.slice(0, 300)));
  await make(items.slice(400, 700), "again");
  await handOver("again");
  expect(kept("again")?.ids_hash).toBe(hashOf(items.slice(400, 700)));
});

test("a box with a card that never travels, or with repeats, is not remembered as a clean one", async () => {
  const repeats = await make([...items.slice(0, 299), ...items.slice(0, 1)]);
  await handOver(repeats);
  expect(kept(repeats)).toBeUndefined();
  const [facts] = await withUnit(yard.kernel, (unit) =>
    insertCards(unit, {
      project_id,
      cards: [{ card_id: "stays", type: "meta.delegation_context", content: "stays here", author_id: "me" }],
    }),
  );
  if (!facts) throw new Error("no card");
  const withFacts = await make([...items.slice(0, 299), { ...facts, origin: "given" }]);
  await handOver(withFacts);
  expect(kept(withFacts)).toBeUndefined();
});
