// Recipe regression: what another hand-over would have left out, added and kept, of hand-overs that were really made.
import { afterAll, beforeAll, expect, test } from "vitest";
import { Handover } from "@/server/contract/pack";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countUnits } from "@/server/testing/statements";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import type { Kernel } from "../kernel";
import { launch } from "../launch/launch";
import { saveRecipe } from "../roster/save-recipe";
import { withUnit } from "../unit";
import { regressRecipe } from "./regress-recipe";

let kernel: TestKernel;
const project_id = "regressed";
const plain = Handover.parse({
  context_packing_config: {
    pack_arguments: [{ arg_key: "tone", as_card_type: "task.context" }, { arg_key: "instruction" }],
    inherit_context: { include_from_args: ["load"] },
  },
});
const without = (type: string) =>
  Handover.parse({
    context_packing_config: {
      ...plain.context_packing_config,
      inherit_context: { include_from_args: ["load"], exclude_types: [type] },
    },
  });
let box = "";

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Plain" }, { name: "Other" }]);
  await seedProject(kernel, "regressed_by_others");
  await saveRecipe(kernel, { project_id, user: "ann", name: "toned", handover: plain });
  await withUnit(kernel, async (unit) => {
    const cards = await insertCards(unit, {
      project_id,
      cards: [
        { type: "task.input", author_id: "ann", content: "what to read" },
        { type: "agent.thought", author_id: "ann", content: "a thought of several words" },
      ],
    });
    const [made] = await createBoxes(unit, {
      project_id,
      boxes: [{ kind: "plain", items: cards.map((card) => ({ ...card, origin: "given" })) }],
    });
    box = made?.box_id ?? "";
  });
  for (const [target_ref, instruction] of [
    ["Plain", "first"],
    ["Other", "second"],
    ["Plain", "third"],
  ] as const)
    await launch(kernel, {
      project_id,
      tool: "delegate_async",
      user: "ann",
      args: {
        target_strategy: "new",
        target_ref,
        instruction,
        recipe: "toned",
        arguments: { tone: "warm" },
        load: [{ box_id: box }],
      },
    });
  await launch(kernel, {
    project_id,
    tool: "delegate_async",
    user: "ann",
    args: { target_strategy: "new", target_ref: "Plain", instruction: "by the built-in recipe" },
  });
});
afterAll(() => kernel.close());

const regress = (more: object = {}, by: Kernel = kernel) =>
  regressRecipe(by, { project_id, name: "toned", last: 20, user: "ann", ...more });

test("the recipe as it is keeps everything, and nothing is written", async () => {
  const before = await countRows(kernel);
  const { items, total } = await regress();
  expect(items.map(({ profile_name }) => profile_name)).toEqual(["Plain", "Other", "Plain"]);
  expect(total).toMatchObject({ left_out: { cards: 0 }, added: { cards: 0 }, refused: 0, changed: 0 });
  // The thought, the input, the tone and the instruction.
  expect(items.map(({ same }) => same.cards)).toEqual([4, 4, 4]);
  expect(total.same.tokens).toBeGreaterThan(10);
  expect(await countRows(kernel)).toEqual(before);
});

test("another hand-over leaves out what it excludes, and brings back what it takes again", async () => {
  const { items, total } = await regress({ handover: without("agent.thought"), last: 2 });
  expect(items).toHaveLength(2);
  expect(items[0]).toMatchObject({ left_out: { cards: 1 }, added: { cards: 0 }, same: { cards: 3 } });
  expect(items[0]?.left_out.tokens).toBeGreaterThan(3);
  expect(total.changed).toBe(2);
  const silent = Handover.parse({ context_packing_config: { pack_arguments: [{ arg_key: "instruction" }] } });
  expect((await regress({ handover: silent })).items[0]).toMatchObject({ left_out: { cards: 1 }, same: { cards: 3 } });
});

test("a second card of one argument is one that was added, with its tokens", async () => {
  const handover = Handover.parse({
    context_packing_config: {
      ...plain.context_packing_config,
      pack_arguments: [...plain.context_packing_config.pack_arguments, { arg_key: "instruction" }],
    },
  });
  const [same] = (await regress({ last: 1 })).items;
  const { items, total } = await regress({ handover, last: 1 });
  expect(items[0]).toMatchObject({ left_out: { cards: 0 }, added: { cards: 1 }, same: same?.same });
  expect(items[0]?.added.tokens).toBeGreaterThan(0);
  expect(total.changed).toBe(1);
});

test("a hand-over that cannot be packed so is told for each, and counts for nothing", async () => {
  const handover = Handover.parse({
    context_packing_config: {
      pack_arguments: [{ arg_key: "tone", as_card_type: "sys.profile" }, { arg_key: "instruction" }],
    },
  });
  const { items, total } = await regress({ handover });
  expect(items[0]?.refused).toContain("written by the kernel alone");
  expect(total).toMatchObject({ refused: 3, changed: 0 });
});

test("by profile: what was handed to it, whatever it was packed with", async () => {
  const { items } = await regress({ profile: "plain" });
  expect(items.map(({ profile_name }) => profile_name)).toEqual(["Plain", "Plain", "Plain"]);
  expect((await regress({ profile: "Nobody" })).items).toEqual([]);
});

test("an unknown recipe and another project's look missing; the statements do not grow", async () => {
  await expect(regress({ name: "nope" })).rejects.toMatchObject({ code: "not_found" });
  await expect(regress({ project_id: "regressed_by_others" })).rejects.toMatchObject({ code: "not_found" });
  const count = (last: number) =>
    countUnits(kernel, (counting) => regress({ handover: without("agent.thought"), last }, counting));
  expect(await count(3)).toEqual(await count(1));
});
