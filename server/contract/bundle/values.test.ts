// Figures of a line end in columns and sums of whole numbers: what those cannot hold is refused when it is imported, not when it is read.
import { expect, test } from "vitest";
import { ForkedFrom, Receipt, Usage } from "./values";

test.each([1.5, 1e300, -1, 2 ** 63])("a step cannot have used %s tokens", (input_tokens) => {
  expect(Usage.safeParse({ input_tokens }).success).toBe(false);
});

test("a step has used whole tokens, or nobody knows how many", () => {
  expect(Usage.safeParse({ input_tokens: 12, output_tokens: 0 }).success).toBe(true);
  expect(Usage.safeParse({}).success).toBe(true);
});

test("a fork begins at a step that a turn can have", () => {
  const from = { agent_turn_id: "a", root_turn_id: "a", headcode: "1P01", step_id: "s" };
  expect(ForkedFrom.safeParse({ ...from, ordinal: 3 }).success).toBe(true);
  expect(ForkedFrom.safeParse({ ...from, ordinal: 4_503_599_627_370_496 }).success).toBe(false);
});

test.each([
  ["no lines", {}],
  ["lines that are none", { lines: null }],
  ["a line that is no object", { lines: [1] }],
  ["a card that is no id", { lines: [{ verdict: "included", origin: "card", card_id: [1], cards: 1, tokens: 1 }] }],
  ["a figure that is none", { lines: [{ verdict: "included", origin: "card", cards: "NaN", tokens: 1 }] }],
])("a receipt with %s is refused", (_what, part) => {
  const whole = { included_cards: 1, included_tokens: 1, left_out_cards: 0, order: "arguments_first", hash: "x" };
  const line = { verdict: "included", origin: "card", cards: 1, tokens: 1 };
  expect(Receipt.safeParse({ ...whole, lines: [line] }).success).toBe(true);
  expect(Receipt.safeParse(Object.keys(part).length === 0 ? whole : { ...whole, ...part }).success).toBe(false);
});
