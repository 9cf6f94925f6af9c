import { expect, test } from "vitest";
import { blockWords } from "./block-words";

test("a name that fits stays whole, a longer one ends where the wagon does", () => {
  expect(blockWords("Wagon 299")).toBe("Wagon 299");
  const long = blockWords("Summarise what the flow batteries of the last ten years have in common");
  expect(long.length).toBeGreaterThan(9);
  expect(long.length).toBeLessThan(20);
  expect("Summarise what the flow").toContain(long);
});

test("letters as wide as they are high take more room, and none is cut in half", () => {
  expect(blockWords("電池電池電池電池電池")).toBe("電池電池電池");
  expect([...blockWords("🚆".repeat(20))]).toHaveLength(6);
});
