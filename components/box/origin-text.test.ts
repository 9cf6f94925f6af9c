import { expect, test } from "vitest";
import { legendOf, originWords } from "./origin-text";

const known = [
  { origin: "box:019a00009c41", cards: 2, headcode: "1P01" },
  { origin: "turn:turn_019a0000aaaa", cards: 1, headcode: "2S04" },
];

test.each([
  ["box:019a00009c41", { text: "inherited from", code: "9C41", headcode: "1P01" }],
  ["turn:turn_019a0000aaaa", { text: "written by", headcode: "2S04" }],
  ["turn:turn_019a0000bbbb", { text: "written by", headcode: "BBBB" }],
  ["arg:instruction", { text: "packed argument", code: "instruction" }],
  ["ptr", { text: "parent pointer" }],
  ["sys", { text: "added by Switchyard" }],
  ["something new", { text: "added" }],
])("%s", (origin, words) => {
  expect(originWords(origin, known)).toEqual(words);
});

test("the legend names each mark once", () => {
  const origins = ["box:a", "box:b", "arg:instruction", "given", "ptr"].map((origin) => ({ origin, cards: 1 }));
  expect(legendOf(origins).map((entry) => entry.word)).toEqual(["inherited", "packed", "pointer"]);
  expect(legendOf([{ origin: "import", cards: 3 }])).toEqual([{ kind: "produced", word: "imported" }]);
});
