import { expect, test } from "vitest";
import { boxListQuery } from "./box-list-query";
import { rowOf } from "./use-choice";

test("requests come only when they are asked for, and a kind that is none is no filter", () => {
  expect(boxListQuery("p", { kind: null })).toMatchObject({ kind: undefined, without: ["request"] });
  expect(boxListQuery("p", { kind: "request" })).toMatchObject({ kind: "request", without: undefined });
  expect(boxListQuery("p", { kind: "shoe", agent: "a" })).toMatchObject({
    kind: undefined,
    without: ["request"],
    owner_agent_id: "a",
  });
});

test.each([
  ["4", 3],
  ["1", 0],
  ["0", null],
  ["04", null],
  ["0199d1f37e1a7cc8a1b2c3d4e5f60718", null],
  ["12345678901234567890", null],
  ["-1", null],
  ["", null],
  [null, null],
])("?card=%s is place %s", (card, place) => {
  expect(rowOf(card)).toBe(place);
});
