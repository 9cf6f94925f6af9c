import { expect, test } from "vitest";
import { type BranchSort, sortBranches } from "./sort-branches";
import { at, branchAt, FORKED_AT, turnAt } from "./testing/sample-batch";

const branches = [
  branchAt(0, turnAt(0, "success", { started_at: at(0), ended_at: at(5) })),
  branchAt(1, turnAt(1, "running", { started_at: at(0) })),
  branchAt(2, turnAt(2, "failed", { started_at: at(0), ended_at: at(20) })),
  branchAt(3),
];

test.each<[BranchSort, number[]]>([
  ["index", [0, 1, 2, 3]],
  ["status", [2, 1, 3, 0]],
  ["time", [1, 2, 0, 3]],
  ["load", [2, 1, 0, 3]],
])("by %s: %j", (sort, order) => {
  expect(sortBranches(branches, sort, FORKED_AT + 60_000).map((branch) => branch.task_index)).toEqual(order);
});
