import { expect, test } from "vitest";
import { beside } from "./beside";

test("filters stand beside a query, which is bracketed where OR would take them along", () => {
  expect(beside("iron air", "run:3")).toBe("iron air run:3");
  expect(beside("iron OR zinc", "run:3")).toBe("(iron OR zinc) run:3");
  expect(beside("iron OR zinc", "")).toBe("iron OR zinc");
  expect(beside("", "run:3")).toBe("run:3");
  expect(beside("ORDER of iron", "run:3")).toBe("ORDER of iron run:3");
});
