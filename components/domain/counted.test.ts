import { expect, test } from "vitest";
import { countedText } from "./counted";

test("a count above the limit says that there are more", () => {
  expect(countedText(1, "turn")).toBe("1 turn");
  expect(countedText(1_000, "box", "boxes")).toBe("1,000 boxes");
  expect(countedText(1_001, "box", "boxes")).toBe("1,000+ boxes");
});
