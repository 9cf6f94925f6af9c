// The [pack] cases of the kernel's list, by number, on a real database. A refusal writes nothing (K10).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { instructionRecipe } from "@/server/contract/built-in-recipe";
import { countRows } from "@/server/testing/kernel";
import { openPackYard, type PackYard, packProject, packRecipe } from "@/server/testing/packing";
import { readBox } from "../cardbox/read-box";
import { readBoxCards } from "../cardbox/read-box-cards";

let yard: PackYard;
beforeAll(async () => {
  yard = await openPackYard();
});
afterAll(() => yard.kernel.close());

describe("kernel cases", () => {
  test("1 inherited, instruction, pointer: two new cards, one new box", async () => {
    const before = await countRows(yard.kernel);
    const packed = await yard.pack({ arguments: { instruction: "do work", input_box_ids: ["box_context"] } });
    const after = await countRows(yard.kernel);
    expect(packed.card_ids).toHaveLength(3);
    expect(packed.card_ids[0]).toBe("c_ctx");
    expect(await yard.typesOf(packed.card_ids)).toEqual(["task.context", "task.instruction", "meta.parent_pointer"]);
    expect(packed.target_profile_box_id).toBe(yard.delegatee);
    expect(after["public.cards"]).toBe((before["public.cards"] ?? 0) + 2);
    expect(after["public.card_boxes"]).toBe((before["public.card_boxes"] ?? 0) + 1);
    const box = await readBox(yard.kernel, { project_id: packProject, box_id: packed.context_box_id ?? "" });
    expect(box).toMatchObject({ kind: "context", card_ids: packed.card_ids, length: 3, receipt: packed.receipt });
    const { cards } = await readBoxCards(yard.kernel, { project_id: packProject, box_id: box.box_id });
    expect(cards.map((c) => c.origin)).toEqual(["box:box_context", "arg:instruction", "ptr"]);
  });
  test("3 a box that exists but that the caller may not hand over", async () => {
    await yard.put("box_clone", ["x3"]);
    const error = await yard.refused({ arguments: { instruction: "x", input_box_ids: ["box_clone"] } });
    expect(error).toMatchObject({ code: "bad_request", message: "unauthorized box_id: box_clone" });
  });
  test("5 nothing to inherit, nothing authorised", async () => {
    const packed = await yard.pack({ handover: packRecipe({ include_boxes_from_args: [] }) });
    expect(await yard.typesOf(packed.card_ids)).toEqual(["task.instruction", "meta.parent_pointer"]);
  });
  test("7 an authorised id that does not exist is not_found naming the id", async () => {
    const error = await yard.refused({
      arguments: { instruction: "x", input_box_ids: ["box_gone"] },
      kernel_box_ids: ["box_gone"],
    });
    expect(error.code).toBe("not_found");
    expect(error.message).toContain("box_gone");
  });
  test("9 one box [a,a,b] is inherited as [a,b]", async () => {
    await yard.put("box9", ["a9", "a9", "b9"]);
    const packed = await yard.packAny({ arguments: { instruction: "x", input_box_ids: "box9" } });
    expect(packed.card_ids.slice(0, -2)).toEqual(["a9", "b9"]);
    expect(packed.receipt.lines.slice(0, 3)).toMatchObject([
      { verdict: "included", box_id: "box9", from: 0, to: 0, cards: 1 },
      { verdict: "duplicate", card_id: "a9", from: 1, to: 1 },
      { verdict: "included", from: 2, to: 2 },
    ]);
  });
  test("11 the order is the recipe's list's, not the arguments'", async () => {
    await yard.put("b1", ["c11_1"]);
    await yard.put("b2", ["c11_2"]);
    const packed = await yard.packAny({
      handover: packRecipe({ include_boxes_from_args: ["x_ids", "y_id"] }),
      arguments: { instruction: "x", y_id: "b1", x_ids: ["b2"] },
    });
    expect(packed.card_ids.slice(0, 2)).toEqual(["c11_2", "c11_1"]);
  });
  test.each([
    ["13 null in the list", ["box_context", null, { x: 1 }, ""], "input_box_ids.1"],
    ["an object", { x: 1 }, "input_box_ids"],
    ["null", null, "input_box_ids"],
    ["true", true, "input_box_ids"],
    ["half a number", [1.5], "input_box_ids.0"],
    ["a list in the list", [["box_context"]], "input_box_ids.0"],
    ["an empty id", ["box_context", ""], "input_box_ids.1"],
  ])("%s is bad_request with its place", async (_what, input_box_ids, place) => {
    const error = await yard.refused({ arguments: { instruction: "x", input_box_ids } });
    expect(error).toMatchObject({ code: "bad_request", detail: { path: place } });
    expect(error.message).toContain(place);
  });
  test("an integer is an id", async () => {
    await yard.put("7", ["c_seven"]);
    const packed = await yard.packAny({ arguments: { instruction: "x", input_box_ids: [7] } });
    expect(packed.card_ids[0]).toBe("c_seven");
  });
  test("15 the recipe's shape is checked first", async () => {
    for (const bad of [7, ""]) {
      const handover = packRecipe({ include_boxes_from_args: ["input_box_ids", bad] });
      const error = await yard.refused({
        handover,
        arguments: { instruction: "x", profile_name: "nobody", input_box_ids: null },
      });
      expect(error).toMatchObject({ code: "bad_request" });
      expect(error.message).toContain("include_boxes_from_args.1");
    }
    const rule = packRecipe({}, { pack_arguments: ["instruction"] });
    expect((await yard.refused({ handover: rule })).message).toContain("pack_arguments.0");
    const unknown = { ...packRecipe(), colour: "red" };
    expect((await yard.refused({ handover: unknown })).message).toContain("handover.colour");
  });
  test("17 profile names are trimmed and matched in any case; the arguments' name overrides the recipe's", async () => {
    const handover = { ...packRecipe(), target_profile_config: { profile_name: "Boss" } };
    const packed = await yard.pack({ handover, arguments: { instruction: "x", profile_name: "  DelegaTee " } });
    expect(packed.target_profile_box_id).toBe(yard.delegatee);
  });
  test("profile: a missing name is bad_request, an unknown or foreign one is not_found naming profile and project", async () => {
    const bare = { context_packing_config: {} };
    expect((await yard.refused({ handover: bare })).code).toBe("bad_request");
    for (const profile_name of ["nobody", "only_there"]) {
      const error = await yard.refused({ handover: bare, arguments: { profile_name } });
      expect(error.code).toBe("not_found");
      expect(error.message).toContain(`profile ${profile_name} not found in project proj_1`);
    }
  });
  test("19 a null hand-over is bad_request, and nothing is persisted", async () => {
    for (const handover of [null, undefined]) {
      const error = await yard.refused({ handover, arguments: { instruction: "x", profile_name: "delegatee" } });
      expect(error.code).toBe("bad_request");
    }
  });
  test("21 objects become json, numbers text; null is refused, an absent argument skips its rule", async () => {
    const one = (value: unknown) =>
      yard.pack({ handover: packRecipe({ include_parent: false }), arguments: { instruction: value } });
    const content = async (value: unknown) => (await yard.cardsOf((await one(value)).card_ids))[0]?.content;
    expect(await content({ a: 1 })).toEqual({ kind: "json", data: { a: 1 } });
    expect(await content([1, 2])).toEqual({ kind: "json", data: [1, 2] });
    expect(await content(3)).toEqual({ kind: "text", text: "3" });
    expect(await content(false)).toEqual({ kind: "text", text: "false" });
    expect(await yard.refused({ arguments: { instruction: null } })).toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("arguments.instruction"),
    });
    expect((await yard.pack({ arguments: {} })).card_ids).toHaveLength(1);
  });
  test("23 two rules of one argument are two cards", async () => {
    const pack_arguments = [{ arg_key: "instruction" }, { arg_key: "instruction", as_card_type: "task.context" }];
    const { card_ids } = await yard.pack({ handover: packRecipe({ include_parent: false }, { pack_arguments }) });
    expect(new Set(card_ids).size).toBe(2);
    expect(await yard.typesOf(card_ids)).toEqual(["task.instruction", "task.context"]);
  });
  test("25 authors, and the pointer", async () => {
    const packed = await yard.pack({});
    const [instruction, pointer] = await yard.cardsOf(packed.card_ids);
    expect(instruction).toMatchObject({ author_id: "delegate_async", role: "user" });
    expect(pointer).toMatchObject({
      author_id: "agent_parent",
      role: "system",
      content: { kind: "json", data: { parent_agent_id: "agent_parent" } },
    });
    expect(packed.instruction_card_id).toBe(instruction?.card_id);
  });
  test("27 an old instruction and pointer stay, the new ones come after them", async () => {
    const first = await yard.packAny({ arguments: { instruction: "old", input_box_ids: "box_context" } });
    const second = await yard.packAny({ arguments: { instruction: "new", input_box_ids: first.context_box_id } });
    expect(second.card_ids.slice(0, 3)).toEqual(first.card_ids);
    const cards = await yard.cardsOf(second.card_ids);
    expect(cards.findLast((c) => c.role === "user")?.content).toEqual({ kind: "text", text: "new" });
  });
  test("29 offered ids: blanks and repeats do not matter", async () => {
    await yard.put("box29", ["c29"]);
    const packed = await yard.pack({
      kernel_box_ids: ["box29", "", "box29"],
      arguments: { instruction: "x", input_box_ids: ["box29", "box29"] },
    });
    expect(packed.card_ids).toHaveLength(3);
  });
  test("31 a box of another project with the same id is missing", async () => {
    await yard.put("box_there", ["c31"], "other");
    const asked = { instruction: "x", input_box_ids: ["box_there"] };
    expect(await yard.refused({ source_agent_id: "human_ann", arguments: asked })).toMatchObject({
      code: "not_found",
      message: "box box_there not found",
    });
    expect(await yard.refused({ arguments: asked })).toMatchObject({
      code: "bad_request",
      message: "unauthorized box_id: box_there",
    });
    expect(await yard.refused({ source_agent_id: "nobody", arguments: asked })).toMatchObject({ code: "not_found" });
  });
});

describe("shape", () => {
  test("the default order is arguments first; in any order the pointer is last", async () => {
    const handover = packRecipe({}, { order: "arguments_first" });
    const packed = await yard.pack({ handover, arguments: { instruction: "x", input_box_ids: "box_context" } });
    expect(await yard.typesOf(packed.card_ids)).toEqual(["task.instruction", "task.context", "meta.parent_pointer"]);
    const bare = { target_profile_config: { profile_name: "delegatee" } };
    expect((await yard.pack({ handover: bare })).receipt).toMatchObject({
      order: "arguments_first",
      lines: [],
      included_cards: 0,
    });
  });
  test("the built-in recipe: inherited, instruction, pointer", async () => {
    const packed = await yard.pack({
      handover: instructionRecipe,
      arguments: { instruction: "x", profile_name: "delegatee", input_box_ids: "box_context" },
    });
    expect(await yard.typesOf(packed.card_ids)).toEqual(["task.context", "task.instruction", "meta.parent_pointer"]);
  });
  test("result fields must be a list of name and description", async () => {
    const handover = packRecipe(
      { include_parent: false },
      { pack_arguments: [{ arg_key: "fields", as_card_type: "task.result_fields" }] },
    );
    const packed = await yard.pack({ handover, arguments: { fields: [{ name: "a", description: "the a" }] } });
    expect((await yard.cardsOf(packed.card_ids))[0]?.content).toEqual({
      kind: "fields_schema",
      fields: [{ name: "a", description: "the a" }],
    });
    for (const fields of ["a", [{ name: "a" }], [1], [{ name: "", description: "x" }]])
      expect(await yard.refused({ handover, arguments: { fields } })).toMatchObject({ code: "bad_request" });
  });
  test("card_metadata is copied; its role is used, an invalid one refused", async () => {
    const rule = (card_metadata: object) =>
      packRecipe({ include_parent: false }, { pack_arguments: [{ arg_key: "instruction", card_metadata }] });
    const packed = await yard.pack({ handover: rule({ role: "system", lang: "de" }) });
    expect((await yard.cardsOf(packed.card_ids))[0]).toMatchObject({
      role: "system",
      metadata: { lang: "de", type: "task.instruction" },
    });
    expect(await yard.refused({ handover: rule({ role: "boss" }) })).toMatchObject({ code: "bad_request" });
  });
  test("no argument can pose as a card of the kernel", async () => {
    for (const as_card_type of ["meta.delegation_context", "meta.parent_pointer", "sys.profile"])
      expect(
        await yard.refused({
          handover: packRecipe({}, { pack_arguments: [{ arg_key: "instruction", as_card_type }] }),
        }),
      ).toMatchObject({ code: "bad_request" });
  });
  test("empty instructions, 5 MB, NUL, and endless nesting", async () => {
    expect(await yard.refused({ arguments: { instruction: " \n" } })).toMatchObject({ code: "bad_request" });
    expect(await yard.refused({ arguments: { instruction: "x".repeat(5_000_000) } })).toMatchObject({
      code: "payload_too_large",
    });
    expect(await yard.refused({ arguments: { instruction: "a\u0000" } })).toMatchObject({ code: "bad_request" });
    let deep: unknown = 1;
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(await yard.refused({ arguments: { instruction: deep } })).toMatchObject({ code: "bad_request" });
  });
  test("a refusal for authorisation comes before one for existence or arguments", async () => {
    const args = { instruction: null, input_box_ids: ["box_gone", "box_clone"] };
    expect(await yard.refused({ arguments: args, kernel_box_ids: ["box_gone"] })).toMatchObject({
      message: "unauthorized box_id: box_clone",
    });
  });
});
