// The picture of two runs: no two turns stand in one place, and each hangs at its caller.
import { expect, test } from "vitest";
import type { CompareRow } from "@/server/contract/run-compare/run-comparison";
import { layTree } from "./lay-tree";

const row = (at: number, depth: number, below?: number): CompareRow => ({
  ...{ verdict: "same", at, depth },
  ...(below !== undefined && { below }),
});

test("a first callee stands beside its caller, the next one a line down", () => {
  const { nodes, tracks, height } = layTree([row(0, 0), row(1, 1, 0), row(2, 2, 1), row(3, 2, 1), row(4, 1, 0)]);
  expect(nodes.map(({ x, y }) => `${x} ${y}`)).toEqual(["10 10", "128 10", "246 10", "246 40", "128 70"]);
  expect(tracks.map(({ key }) => key)).toEqual([1, 2, 3, 4]);
  expect(tracks[0]?.path).toBe("M102 21L128 21");
  expect(height).toBe(102);
});
test("without their caller, as on a later page or under a filter, turns stand at their depth and have no track", () => {
  const { nodes, tracks } = layTree([row(7, 2, 3), row(9, 1, 0)]);
  expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(2);
  expect(tracks).toEqual([]);
});
test("nothing is an empty picture", () => expect(layTree([])).toMatchObject({ nodes: [], tracks: [] }));
