import { expect, test } from "vitest";
import { foldedText } from "./folded-text";

test("a short text is not folded, nor one that is a little longer", () => {
  expect(foldedText("one\ntwo")).toBeNull();
  expect(foldedText("x".repeat(1_400))).toBeNull();
  expect(foldedText("a\n".repeat(20))).toBeNull();
});

test("a long text is folded to its first letters, a tall one to its first lines, and no sign is cut in two", () => {
  expect(foldedText("x".repeat(5_000))).toBe(`${"x".repeat(1_200)}…`);
  expect(foldedText(`${"line of words\n".repeat(60)}`)?.split("\n").length).toBe(14);
  expect(foldedText(`${"x".repeat(1_199)}${"😀".repeat(500)}`)).toBe(`${"x".repeat(1_199)}…`);
});
