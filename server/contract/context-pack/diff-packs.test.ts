// Differences between two packs, item by item.
import { expect, test } from "vitest";
import { diffPacks } from "./diff-packs";
import type { ContextPack } from "./pack";

const pack: ContextPack = {
  packId: "11111111-1111-1111-1111-111111111111",
  goal: "g",
  definitionOfDone: ["a", "b"],
  globalMode: "planning",
  docsRoot: "/docs",
  docRefs: [{ path: "/docs/PLAN.md", priority: "high" }, { path: "/docs/x.md" }],
  constraints: { "a/b": 1, same: true },
};

test("equal packs have none, in whatever order their keys are", () => {
  expect(diffPacks(pack, { ...pack, constraints: { same: true, "a/b": 1 } })).toEqual([]);
});

test("each change has its place and both values", () => {
  const after: ContextPack = {
    ...pack,
    goal: "h",
    definitionOfDone: ["b", "c"],
    docRefs: [{ path: "/docs/x.md" }, { path: "/docs/PLAN.md", priority: "low" }],
    constraints: { "a/b": 2, same: true },
    decisions: [{ id: "D1", summary: "use X" }],
  };
  expect(diffPacks(pack, after)).toEqual([
    { kind: "changed", pointer: "/constraints/a~1b", key: "a/b", before: 1, after: 2 },
    { kind: "added", pointer: "/decisions/0", key: "D1", after: { id: "D1", summary: "use X" } },
    { kind: "added", pointer: "/definitionOfDone/1", key: "c", after: "c" },
    { kind: "removed", pointer: "/definitionOfDone/0", key: "a", before: "a" },
    {
      kind: "changed",
      pointer: "/docRefs/1",
      key: "/docs/PLAN.md",
      before: { path: "/docs/PLAN.md", priority: "high" },
      after: { path: "/docs/PLAN.md", priority: "low" },
    },
    { kind: "reordered", pointer: "/docRefs", key: "docRefs" },
    { kind: "changed", pointer: "/goal", key: "goal", before: "g", after: "h" },
  ]);
});

test("two items of one name are two", () => {
  const twice = { ...pack, definitionOfDone: ["a", "a"] };
  expect(diffPacks({ ...pack, definitionOfDone: ["a"] }, twice)).toEqual([
    { kind: "added", pointer: "/definitionOfDone/1", key: "a", after: "a" },
  ]);
});
