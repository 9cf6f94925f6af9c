import { describe, expect, test } from "vitest";
import type { TurnFrame } from "@/server/contract/frame";
import { callersOf, treeKey, treeRows } from "./tree-rows";

const turn = (id: string, parent?: string, more: Partial<TurnFrame> = {}): TurnFrame =>
  ({ agent_turn_id: id, parent_turn_id: parent, primitive: "delegate_async", is_human: false, ...more }) as TurnFrame;

const turns = [
  turn("p", undefined, { is_human: true, primitive: "ui_action" }),
  turn("a", "p"),
  turn("b", "a"),
  turn("c", "a"),
  turn("d", "b"),
  turn("e", "p"),
  turn("p2", "p", { is_human: true, primitive: "ui_action" }),
];
const none: ReadonlySet<string> = new Set();
const ids = (rows: { turn: TurnFrame }[]) => rows.map((row) => row.turn.agent_turn_id);

describe("the rows", () => {
  test("stand under their callers, siblings in the order of time", () => {
    const rows = treeRows({ turns, closed: none, matches: null });
    expect(ids(rows)).toEqual(["p", "a", "b", "d", "c", "e", "p2"]);
    expect(rows.map((row) => row.level)).toEqual([1, 2, 3, 4, 3, 2, 1]);
    expect(rows.map((row) => `${row.position} of ${row.siblings}`)).toEqual([
      "1 of 2",
      "1 of 2",
      "1 of 2",
      "1 of 1",
      "2 of 2",
      "2 of 2",
      "2 of 2",
    ]);
    expect(rows[0]?.below).toBe(5);
  });

  test("below a closed one are not listed", () => {
    const rows = treeRows({ turns, closed: new Set(["a"]), matches: null });
    expect(ids(rows)).toEqual(["p", "a", "e", "p2"]);
    expect(rows.map((row) => row.isOpen)).toEqual([true, false, null, null]);
  });

  test("of a filter keep the way to what it finds", () => {
    const rows = treeRows({ turns, closed: none, matches: new Set(["d", "e"]) });
    expect(ids(rows)).toEqual(["p", "a", "b", "d", "e"]);
    expect(rows.filter((row) => row.isPath).map((row) => row.turn.agent_turn_id)).toEqual(["p", "a", "b"]);
  });

  test("without a caller that is known stand at the left", () => {
    expect(treeRows({ turns: [turn("x", "gone"), turn("y", "x")], closed: none, matches: null })).toMatchObject([
      { level: 1, parent: null },
      { level: 2, parent: "x" },
    ]);
  });

  test("of a chain of 10,000 are all there", () => {
    const chain = Array.from({ length: 10_000 }, (_, i) => turn(`t${i}`, i === 0 ? undefined : `t${i - 1}`));
    const flat = chain.map((one, i) => (i === 0 ? one : turn(one.agent_turn_id, "t0")));
    expect(treeRows({ turns: flat, closed: none, matches: null })).toHaveLength(10_000);
    expect(treeRows({ turns: chain.slice(0, 2_000), closed: none, matches: null }).at(-1)?.level).toBe(2_000);
  });
});

test("callers of a turn, the nearest first, and none twice in a circle", () => {
  const byId = new Map(turns.map((one) => [one.agent_turn_id, one]));
  expect(callersOf(byId, "d")).toEqual(["b", "a", "p"]);
  const circle = new Map([turn("x", "y"), turn("y", "x")].map((one) => [one.agent_turn_id, one]));
  expect(callersOf(circle, "x")).toEqual(["y"]);
});

describe("a key", () => {
  const rows = treeRows({ turns, closed: new Set(["b"]), matches: null });
  const at = (id: string) => rows.findIndex((row) => row.turn.agent_turn_id === id);

  test.each([
    ["ArrowDown", "p", { select: "a" }],
    ["ArrowUp", "a", { select: "p" }],
    ["ArrowUp", "p", { select: "p" }],
    ["ArrowRight", "b", { toggle: "b" }],
    ["ArrowRight", "a", { select: "b" }],
    ["ArrowRight", "c", {}],
    ["ArrowLeft", "a", { toggle: "a" }],
    ["ArrowLeft", "b", { select: "a" }],
    ["ArrowLeft", "p2", {}],
    ["End", "p", { select: "p2" }],
    ["Home", "c", { select: "p" }],
    ["PageDown", "p", { select: "b" }],
    ["x", "p", null],
  ])("%s at %s", (key, from, expected) => {
    expect(treeKey(rows, at(from), key, 2)).toEqual(expected);
  });

  test("without a selection begins at the top", () => {
    expect(treeKey(rows, -1, "ArrowDown", 2)).toEqual({ select: "p" });
    expect(treeKey(rows, -1, "ArrowRight", 2)).toBeNull();
  });
});
