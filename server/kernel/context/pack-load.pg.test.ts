// An ordered list of boxes and cards is packed in exactly the order it was given, under the same rights, rules and receipts as
// boxes and cards that are named apart.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { instructionRecipe } from "@/server/contract/built-in-recipe";
import { inputOf, openPackYard, type PackYard, packRecipe, textCard } from "@/server/testing/packing";
import { withUnit } from "../unit";
import { packContexts } from "./pack-context";
import type { PackItem } from "./pack-item";

let yard: PackYard;
const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `n${from + i}`);
const loads = packRecipe({ include_from_args: ["load"] });

beforeAll(async () => {
  yard = await openPackYard();
  await yard.put("one", ["a", "b"]);
  await yard.put("two", ["c", "d"]);
  // Several chunks, so that whole ones could be copied unread.
  await yard.put("long", names(0, 300));
  await yard.put("mixed", [
    { ...textCard("thought"), type: "agent.thought" },
    textCard("token", "key sk-abcdefghijklmnopqrstuvwxyz0123456789"),
  ]);
}, 60_000);
afterAll(() => yard.kernel.close());

const load = (...parts: string[]) =>
  parts.map((part) => (part.startsWith("#") ? { card_id: part.slice(1) } : { box_id: part }));
const packed = (args: object, handover: unknown = loads) =>
  yard.packAny({ handover, arguments: { instruction: "x", ...args } });
const inherited = async (args: object, handover?: unknown) => (await packed(args, handover)).card_ids.slice(0, -2);

describe("the order", () => {
  test("is the one that was asked for: cards before, between and after boxes", async () => {
    expect(await inherited({ load: load("#c", "one", "#n7", "two") })).toEqual(["c", "a", "b", "n7", "d"]);
    expect(await inherited({ load: load("two", "#n7", "one") })).toEqual(["c", "d", "n7", "a", "b"]);
  });
  test("begins with boxes and cards that are named apart; what is named twice stands where it is named first", async () => {
    const args = { input_box_ids: "two", cards: ["n9"], load: load("#n9", "one", "two", "#n1") };
    const handover = packRecipe({ include_cards_from_args: ["cards"], include_from_args: ["load"] });
    expect(await inherited(args, handover)).toEqual(["c", "d", "n9", "a", "b", "n1"]);
  });
  test("a card before the long box it is in is a duplicate there, also deep inside", async () => {
    const { card_ids, receipt } = await packed({ load: load("#n70", "long", "#n3") });
    expect(card_ids.slice(0, -2)).toEqual(["n70", ...names(0, 70), ...names(71, 300)]);
    expect(receipt.lines.filter((line) => line.verdict === "duplicate")).toMatchObject([
      { card_id: "n70", origin: "box:long", from: 70 },
      { card_id: "n3", origin: "card" },
    ]);
  });
  test("is the receipt's, and the hash follows it", async () => {
    const first = await packed({ load: load("#n7", "one") });
    const other = await packed({ load: load("one", "#n7") });
    expect(first.receipt.lines.slice(0, 2).map((line) => line.origin)).toEqual(["card", "box:one"]);
    expect(first.receipt.hash).not.toBe(other.receipt.hash);
    const dry = await yard.packAny({
      handover: loads,
      arguments: { instruction: "x", load: load("#n7", "one") },
      dry_run: true,
    });
    expect(dry.receipt.hash).toBe(first.receipt.hash);
  });
});

test("boxes and cards of a load are hashed as the same ones named apart", async () => {
  const apart = await packed({ input_box_ids: ["one", "two"], input_card_ids: ["n7"] }, instructionOf());
  const together = await packed({ load: load("one", "two", "#n7") }, instructionOf());
  expect(together.receipt.hash).toBe(apart.receipt.hash);
});
const instructionOf = () => ({ ...instructionRecipe, target_profile_config: { profile_name: "delegatee" } });

test("types, redaction and repeats count in it as anywhere", async () => {
  const handover = packRecipe({ include_from_args: ["load"], exclude_types: ["agent.thought"], redact: true });
  const { card_ids, receipt } = await packed({ load: load("#token", "mixed", "#thought", "one") }, handover);
  expect(card_ids.slice(0, -2)).toEqual([expect.stringMatching(/^red_/), "a", "b"]);
  expect(receipt.lines.map((line) => line.verdict)).toEqual([
    "redacted",
    "withheld",
    "duplicate",
    "withheld",
    ...Array(3).fill("included"),
  ]);
});

describe("the rights of its boxes and cards (K15)", () => {
  const refused = (entries: object) =>
    yard.refused({ handover: loads, arguments: { instruction: "x", load: entries } });
  test("are the ones of boxes and cards that are named apart", async () => {
    for (const [entries, message] of [
      [load("box_context", "one"), "unauthorized box_id: one"],
      [load("#c_ctx", "#a"), "unauthorized card_id: a"],
      [load("nowhere"), "unauthorized box_id: nowhere"],
      [load("#nowhere"), "unauthorized card_id: nowhere"],
    ] as const)
      expect(await refused(entries)).toMatchObject({ code: "bad_request", message });
    const own = await yard.pack({
      handover: loads,
      arguments: { instruction: "x", load: load("#c_ctx", "box_context") },
    });
    expect(own.card_ids.slice(0, -2)).toEqual(["c_ctx"]);
  });
  test.each([
    ["a word", "one", "arguments.load must be a list of {box_id} or {card_id}; it is string"],
    ["null", null, "arguments.load must be a list of {box_id} or {card_id}; it is null"],
    ["an id", ["one"], "arguments.load.0 must be exactly one of"],
    ["both", [{ box_id: "one" }, { box_id: "one", card_id: "a" }], "arguments.load.1 must be exactly one of"],
    ["neither", [{}], "arguments.load.0 must be exactly one of"],
  ])("%s is refused with its place", async (_what, entries, message) => {
    expect((await refused(entries as object)).message).toContain(message);
  });
});

test("as many statements for a load as for boxes and cards named apart, and for 64 as for one", async () => {
  const { arguments: _args, handover: _handover, ...common } = inputOf({ source_agent_id: "human_ann" });
  const statements = (items: PackItem[]) =>
    withUnit(yard.kernel, async (unit) => {
      await packContexts(unit, { ...common, items });
      return unit.statements();
    });
  const apart = {
    arguments: { instruction: "x", input_box_ids: ["long", "one"], input_card_ids: ["c"] },
    handover: instructionOf(),
  };
  const item = { arguments: { instruction: "x", load: load("#c", "long", "one") }, handover: instructionOf() };
  const counts = [
    await statements([apart]),
    await statements([item]),
    await statements(Array.from({ length: 64 }, () => item)),
  ];
  const alone = { ...item, arguments: { instruction: "x", load: load("long") } };
  expect([...counts, await statements([alone])]).toEqual([2, 2, 2, 2]);
});
