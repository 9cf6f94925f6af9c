// What `h` opens of several turns, and which two branches of a fork are compared.
import { expect, test } from "vitest";
import { handOverOf, siblingPair } from "./hand-over-of";
import { at, sampleTurn } from "./testing/sample-frames";

const branch = (id: string, task_index: number, more = {}) =>
  sampleTurn(id, { batch_id: "b", task_index, parent_turn_id: "boss", ...more });
const turns = [branch("x", 0), branch("y", 1), branch("z", 2), branch("other", 0, { batch_id: "c" })];
const ids = (pair: ReturnType<typeof siblingPair>) => pair?.map(({ agent_turn_id }) => agent_turn_id);

test("the hand-over is of the first that somebody called, by headcode", () => {
  const root = sampleTurn("a", { parent_turn_id: undefined });
  expect(handOverOf([branch("z", 2), branch("y", 1), root], () => true)?.agent_turn_id).toBe("y");
  expect(handOverOf([root], () => true)).toBeNull();
  // Its caller is in no picture: there is nothing to compare it with.
  expect(handOverOf([branch("y", 1)], () => false)).toBeNull();
});

test("a branch is compared with the next, the last with the one before", () => {
  expect(ids(siblingPair(turns, "b", "x"))).toEqual(["x", "y"]);
  expect(ids(siblingPair(turns, "b", "z"))).toEqual(["z", "y"]);
  expect(ids(siblingPair(turns, "b", undefined))).toEqual(["x", "y"]);
  expect(siblingPair(turns, "c", "other")).toBeNull();
});

test("of a task that was tried again the newest turn is compared, unless an older is looked at", () => {
  const again = branch("y2", 1, { created_at: at(50) });
  expect(ids(siblingPair([...turns, again], "b", "x"))).toEqual(["x", "y2"]);
  expect(ids(siblingPair([...turns, again], "b", "y"))).toEqual(["y", "z"]);
});
