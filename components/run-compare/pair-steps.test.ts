// Steps of two turns by number, and of a fork by the step that it continues.
import { expect, test } from "vitest";
import { pairSteps } from "./pair-steps";

const turn = (agent_turn_id: string, steps: number, from?: { of: string; ordinal: number }) =>
  ({
    agent_turn_id,
    ...(from && { forked_from: { agent_turn_id: from.of, ordinal: from.ordinal } }),
    steps: Array.from({ length: steps }, (_, i) => ({
      ...{ ordinal: i + 1, step_id: `${agent_turn_id}${i + 1}` },
      ...(i !== 4 && { request_box_id: "box" }),
    })),
  }) as Parameters<typeof pairSteps>[0];
const told = (...two: [Parameters<typeof pairSteps>[0], Parameters<typeof pairSteps>[0]]) =>
  pairSteps(...two).map(({ a, b }) => `${a} ${b}`);

test("the same number; a step without a request has none", () => {
  expect(told(turn("a", 3), turn("b", 2))).toEqual(["a1 b1", "a2 b2"]);
  expect(told(turn("a", 6), turn("b", 6))).toEqual(["a1 b1", "a2 b2", "a3 b3", "a4 b4", "a6 b6"]);
});
test("a fork begins at the step that it continues, from both sides", () => {
  const [original, fork] = [turn("a", 4), turn("b", 2, { of: "a", ordinal: 3 })];
  expect(told(original, fork)).toEqual(["a3 b1", "a4 b2"]);
  expect(told(fork, original)).toEqual(["b1 a3", "b2 a4"]);
  expect(told(fork, turn("c", 2, { of: "a", ordinal: 2 }))).toEqual(["b1 c2"]);
});
