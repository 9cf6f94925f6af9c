import { describe, expect, test } from "vitest";
import { joinStatus, outcomesOf } from "./outcomes";
import { at, branchAt, sheetOf, turnAt } from "./testing/sample-batch";

describe("what ended branches make of their batch", () => {
  test.each([
    [["success", "success"], "success"],
    [["success", "failed"], "partial"],
    [["failed", "timeout"], "failed"],
    [["timeout", "canceled"], "timeout"],
    [["partial", "partial"], "partial"],
    [["partial", "success"], "partial"],
    [["canceled", "canceled"], "failed"],
  ] as const)("%j is %s", (ends, status) => {
    expect(joinStatus(ends, false)).toBe(status);
  });
  test("failing fast, one failure is the whole's", () => {
    for (const status of ["failed", "canceled", "timeout"] as const)
      expect(joinStatus(["success", status], true), status).toBe("failed");
    expect(joinStatus(["success", "partial"], true)).toBe("partial");
  });
});

const one = [branchAt(0, turnAt(0, "success")), branchAt(1, turnAt(1, "failed")), branchAt(2, turnAt(2, "running"))];

test("one branch out: it delivers, it fails, or the deadline comes first", () => {
  expect(outcomesOf(sheetOf(one, { deadline_at: at(900) }), one)).toEqual([
    { when: "2S03 delivers", status: "partial", what: "2 of 3" },
    { when: "2S03 fails", status: "partial", what: "1 of 3" },
    { when: "comes first", at: at(900), status: "timeout", what: "stops 2S03" },
  ]);
});

test("several out: all deliver, one fails, all fail; failing fast, any of them ends it", () => {
  const several = [branchAt(0, turnAt(0, "running")), branchAt(1)];
  expect(outcomesOf(sheetOf(several), several)).toEqual([
    { when: "The 2 branches still running deliver", status: "success", what: "2 of 2" },
    { when: "One branch fails", status: "partial", what: "1 of 2" },
    { when: "All branches fail", status: "failed", what: "0 of 2" },
  ]);
  expect(outcomesOf(sheetOf(several, { fail_fast: true }), several).map((outcome) => outcome.what)).toEqual([
    "2 of 2",
    "the rest is stopped",
  ]);
});

test("failing fast, a branch that ran out of time fails the whole, whatever the last one does", () => {
  const late = [
    branchAt(0, turnAt(0, "success")),
    branchAt(1, turnAt(1, "timeout")),
    branchAt(2, turnAt(2, "running")),
  ];
  const outcomes = outcomesOf(sheetOf(late, { fail_fast: true }), late);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["failed", "failed"]);
});

test("an ended batch has no outcomes left", () => {
  expect(outcomesOf(sheetOf(one, { status: "partial" }), one)).toEqual([]);
});
