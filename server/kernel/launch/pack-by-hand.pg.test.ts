// Packing by hand: one order of boxes and cards, a recipe by name, the same receipt dry and real, and nothing written when it
// is refused or dry.
import { afterAll, beforeAll, expect, test } from "vitest";
import { Handover } from "@/server/contract/pack";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";

import { createBoxes } from "../cardbox/create-boxes";
import { gatherBox } from "../cardbox/gather-box";
import { getCards } from "../cardbox/get-cards";
import { insertCards } from "../cardbox/insert-cards";
import { readBox } from "../cardbox/read-box";
import { saveRecipe } from "../roster/save-recipe";
import { readOffers } from "../tools/read-offers";
import { withUnit } from "../unit";
import { packByHand, previewPack } from "./pack-by-hand";

let kernel: TestKernel;
const P = "packed_by_hand";
let box = "";
let cards: string[] = [];

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Reader" }]);
  await seedProject(kernel, "elsewhere", [{ name: "Reader" }]);
  await saveRecipe(kernel, {
    project_id: P,
    name: "brief",
    user: "ann",
    handover: Handover.parse({
      context_packing_config: {
        pack_arguments: [{ arg_key: "tone", as_card_type: "task.tone" }],
        inherit_context: { exclude_types: ["agent.thought"] },
      },
    }),
  });
  await withUnit(kernel, async (unit) => {
    const made = await insertCards(unit, {
      project_id: P,
      cards: ["agent.note", "agent.thought", "agent.note"].map((type, i) => ({
        type,
        content: `${i}`,
        author_id: "x",
      })),
    });
    cards = made.map((card) => card.card_id);
    const [first] = await createBoxes(unit, {
      project_id: P,
      boxes: [{ kind: "plain", items: made.slice(0, 2).map((card) => ({ ...card, origin: "given" })) }],
    });
    box = first?.box_id ?? "";
  });
});
afterAll(() => kernel.close());

const who = { project_id: P, user: "ann", profile_name: "Reader" };
const load = () => [{ card_id: cards[2] ?? "" }, { box_id: box }];
const typesOf = async (card_ids: string[]) =>
  (await getCards(kernel, { project_id: P, card_ids })).map((card) => card.type);

test("boxes and cards are packed in their one order, and the dry run told the same", async () => {
  const dry = await previewPack(kernel, { ...who, load: load(), offer: readOffers });
  const made = await packByHand(kernel, { ...who, load: load() });
  if (!dry.ok) throw new Error(dry.error);
  // The hash is of what is packed; the pointer is a new card each time.
  expect(dry.pack.receipt.hash).toBe(made.receipt.hash);
  expect(dry.pack.rendered?.messages.length).toBeGreaterThan(0);
  const { card_ids } = await readBox(kernel, { project_id: P, box_id: made.context_box_id });
  expect(card_ids.slice(0, 3)).toEqual([cards[2], cards[0], cards[1]]);
});

test("a recipe by name leaves out what it says, takes its own argument, and stands in the receipt", async () => {
  const made = await packByHand(kernel, { ...who, load: load(), recipe: "brief@1", arguments: { tone: "dry" } });
  const { card_ids } = await readBox(kernel, { project_id: P, box_id: made.context_box_id });
  expect(await typesOf(card_ids)).toEqual(["task.tone", "agent.note", "agent.note"]);
  expect(made.receipt.recipe).toEqual({ name: "brief", version: 1 });
  expect(made.receipt.left_out_cards).toBe(1);
});

test("an instruction is a card if there is one", async () => {
  const { card_ids } = await packByHand(kernel, { ...who, load: [], instruction: "Read it" });
  expect(await typesOf(card_ids)).toContain("task.instruction");
});

test("a dry run and a refusal write nothing; the refusal names its field", async () => {
  const before = await countRows(kernel);
  await previewPack(kernel, { ...who, load: load() });
  expect(await previewPack(kernel, { ...who, load: [], recipe: "none" })).toMatchObject({
    ok: false,
    error_code: "not_found",
    field: "recipe",
  });
  expect(await previewPack(kernel, { ...who, load: [], arguments: { tone: "dry" } })).toMatchObject({
    ok: false,
    field: "arguments.tone",
  });
  expect(await previewPack(kernel, { ...who, load: [], profile_name: "Nobody" })).toMatchObject({
    ok: false,
    field: "profile_name",
  });
  await expect(packByHand(kernel, { ...who, load: [{ card_id: "card_of_nobody" }] })).rejects.toMatchObject({
    detail: { card_id: "card_of_nobody" },
  });
  expect(await countRows(kernel)).toEqual(before);
});

test("another project's boxes and cards look missing", async () => {
  const theirs = { ...who, project_id: "elsewhere" };
  await expect(packByHand(kernel, { ...theirs, load: [{ box_id: box }] })).rejects.toThrow(box);
  await expect(packByHand(kernel, { ...theirs, load: [], recipe: "brief" })).rejects.toThrow("brief");
  await expect(packByHand(kernel, { ...theirs, project_id: "gone", load: [] })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a box is made of chosen cards in the order in which they are named", async () => {
  const [one = "", , three = ""] = cards;
  const made = await withUnit(kernel, (unit) => gatherBox(unit, { project_id: P, card_ids: [three, one] }));
  expect((await readBox(kernel, { project_id: P, box_id: made.box_id })).card_ids).toEqual([three, one]);
  const before = await countRows(kernel);
  for (const [project_id, id] of [
    [P, "card_of_nobody"],
    ["elsewhere", one],
  ] as const)
    await expect(withUnit(kernel, (unit) => gatherBox(unit, { project_id, card_ids: [id] }))).rejects.toMatchObject({
      code: "not_found",
      detail: { missing_ids: [id] },
    });
  expect(await countRows(kernel)).toEqual(before);
});
