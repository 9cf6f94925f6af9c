import { expect, test } from "vitest";
import { countedSum, countedText } from "./counted";

test("a count above the limit says that there are more", () => {
  expect(countedText(1, "turn")).toBe("1 turn");
  expect(countedText(1_000, "box", "boxes")).toBe("1,000 boxes");
  expect(countedText(1_001, "box", "boxes")).toBe("1,000+ boxes");
});

test("a sum says that there are more where one of its counts does", () => {
  expect(countedSum([3, 1_000])).toBe("1,003");
  expect(countedSum([3, 1_001])).toBe("1,003+");
});
