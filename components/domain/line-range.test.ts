import { expect, test } from "vitest";
import { lineRange } from "./line-range";

test("the range of a line, and of one past the end", () => {
  const text = "ab\ncde\n";
  expect(lineRange(text, 1)).toEqual({ start: 0, end: 2 });
  expect(lineRange(text, 2)).toEqual({ start: 3, end: 6 });
  expect(lineRange(text, 9)).toEqual({ start: 7, end: 7 });
});
