// What a gate that does not wait for all may come to, and which branch counted.
import { describe, expect, test } from "vitest";
import { gateMark } from "./gate-outcomes";
import { outcomesOf } from "./outcomes";
import { at, branchAt, sheetOf, turnAt } from "./testing/sample-batch";

const branches = [
  branchAt(0, turnAt(0, "failed")),
  branchAt(1, turnAt(1, "success")),
  branchAt(2, turnAt(2, "running")),
  branchAt(3, turnAt(3, "running")),
];
const quorum = { policy: { kind: "quorum" as const, k: 2 }, needed: 2, arrivals: [0, 1] };

describe("outcomes", () => {
  test("of a quorum: enough deliver, too few still can, its time passes, the deadline passes", () => {
    const sheet = sheetOf(branches, { ...quorum, gate_at: at(60), deadline_at: at(900) });
    expect(outcomesOf(sheet, branches)).toEqual([
      { when: "1 more branch delivers", status: "success", what: "the rest is stopped" },
      { when: "More than 1 of 2 fail", status: "failed", what: "the rest is stopped" },
      { when: "comes first", at: at(60), status: "partial", what: "the rest is stopped" },
      { when: "comes first", at: at(900), status: "timeout", what: "all are stopped" },
    ]);
  });
  test("count ended cannot be out of reach; late branches may go on", () => {
    const policy = { kind: "quorum" as const, k: 4, count: "ended" as const, late: "run" as const };
    expect(outcomesOf(sheetOf(branches, { policy, needed: 4, arrivals: [0, 1] }), branches)).toEqual([
      { when: "2 more branches end", status: "success", what: "the rest goes on" },
    ]);
  });
});

test("each branch says what it was to the gate", () => {
  const sheet = sheetOf(branches, { ...quorum, arrivals: [0, 1, 3], late: [3], status: "success" });
  expect([0, 1, 2, 3].map((i) => gateMark(sheet, branches, i))).toEqual([
    "did not count",
    "counted, 1st",
    null,
    "late",
  ]);
  expect(gateMark(sheetOf(branches), branches, 1)).toBeNull();
});
