// Which cards of a box are which when it is packed again.
import { expect, test } from "vitest";
import { type PackedCard, pairPacks } from "./pair-packs";

const card = (card_id: string, origin: string, more: Partial<PackedCard> = {}): PackedCard => ({
  ...{ card_id, origin, type: "note" },
  ...more,
});
const told = (held: PackedCard[], now: PackedCard[], rewritten: string[] = []) =>
  pairPacks(held, now, new Set(rewritten)).map(
    ({ verdict, held: one, now: other }) => `${verdict} ${one?.card_id ?? "-"} ${other?.card_id ?? "-"}`,
  );

test("what was made here is the same by its argument, what was inherited by its id", () => {
  const held = [card("i1", "arg:instruction"), card("a", "box:b"), card("b", "box:b")];
  const now = [card("i2", "arg:instruction"), card("b", "box:b"), card("c", "box:b")];
  expect(told(held, now)).toEqual(["same i1 i2", "left_out a -", "same b b", "added - c"]);
});

test("the kernel's own cards stay where they were, and the pointer last", () => {
  const held = [card("i1", "arg:instruction"), card("f", "sys"), card("a", "box:b"), card("p", "ptr")];
  const now = [card("a", "box:b"), card("x", "box:b"), card("i2", "arg:instruction")];
  expect(told(held, now)).toEqual(["same a a", "added - x", "same i1 i2", "same f f", "same p p"]);
});

test("a copy belongs to its original on both sides", () => {
  const plain = [card("a", "box:b")];
  const copy = [card("a2", "box:b", { original: "a" })];
  expect(told(plain, copy)).toEqual(["changed a a2"]);
  expect(told(copy, plain)).toEqual(["changed a2 a"]);
  expect(told(copy, copy)).toEqual(["same a2 a2"]);
});

test("another type and other words are changes", () => {
  const held = [card("t", "arg:tone")];
  expect(told(held, [card("u", "arg:tone", { type: "task.context" })])).toEqual(["changed t u"]);
  expect(told(held, [card("u", "arg:tone")], ["arg:tone"])).toEqual(["changed t u"]);
});

test("what is left out stands at the beginning if nothing stood before it", () => {
  expect(told([card("a", "box:b"), card("b", "box:b")], [card("b", "box:b")])).toEqual(["left_out a -", "same b b"]);
  expect(told([card("a", "card")], [])).toEqual(["left_out a -"]);
});
