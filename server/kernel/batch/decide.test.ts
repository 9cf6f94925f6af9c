// Whether a batch has ended and how: the table by example, and what must hold of every batch.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aggregate } from "@/server/contract/aggregate";
import type { TaskStatus } from "@/server/contract/batch";
import { type DecideInput, decide } from "./decide";

const ended: TaskStatus[] = ["success", "failed", "canceled", "timeout", "partial"];
const batch = (tasks: TaskStatus[], more: Partial<DecideInput> = {}): DecideInput => ({
  tasks,
  fail_fast: false,
  is_overdue: false,
  max_parallel: null,
  ...more,
});
const anyBatch = fc.record({
  tasks: fc.array(fc.constantFrom<TaskStatus>("pending", "dispatched", ...ended), { minLength: 1, maxLength: 12 }),
  fail_fast: fc.boolean(),
  is_overdue: fc.boolean(),
  max_parallel: fc.option(fc.integer({ min: 1, max: 12 })),
});
const isOpen = ({ tasks }: DecideInput) => tasks.some((status) => status === "pending" || status === "dispatched");

describe("73 all branches have ended", () => {
  test.each<[TaskStatus[], string]>([
    [["success", "success"], "success"],
    [["success", "failed"], "partial"],
    [["failed", "timeout"], "failed"],
    [["timeout", "canceled"], "timeout"],
    [["partial", "partial"], "partial"],
    [["partial", "success"], "partial"],
    [["partial", "failed"], "failed"],
    [["partial", "timeout"], "timeout"],
    [["partial", "canceled"], "partial"],
    [["canceled", "canceled"], "failed"],
    [["success", "canceled"], "partial"],
  ])("%j is %s", (tasks, status) => {
    expect(aggregate(tasks)).toBe(status);
    expect(decide(batch(tasks))).toEqual({ kind: "end", status, cause: "all" });
  });
  test("independent of the order of the branches", () => {
    const shuffled = fc
      .array(fc.constantFrom(...ended), { minLength: 1, maxLength: 10 })
      .chain((tasks) => fc.tuple(fc.constant(tasks), fc.shuffledSubarray(tasks, { minLength: tasks.length })));
    fc.assert(fc.property(shuffled, ([tasks, other]) => aggregate(tasks) === aggregate(other)));
  });
});

describe("while branches are open", () => {
  test("it waits, and says how many more may run", () => {
    expect(decide(batch(["dispatched", "success"]))).toMatchObject({ kind: "wait" });
    const held: TaskStatus[] = ["success", "dispatched", "pending", "pending", "pending"];
    expect(decide(batch(held, { max_parallel: 2 }))).toEqual({ kind: "wait", free_slots: 1 });
    expect(decide(batch(["dispatched", "dispatched", "pending"], { max_parallel: 1 }))).toEqual({
      kind: "wait",
      free_slots: 0,
    });
  });
  test.each<TaskStatus>(["failed", "canceled", "timeout"])(
    "75 fail-fast: a branch that is %s fails the batch",
    (status) => {
      const tasks: TaskStatus[] = ["dispatched", status, "pending"];
      expect(decide(batch(tasks, { fail_fast: true }))).toEqual({ kind: "end", status: "failed", cause: "fail_fast" });
      expect(decide(batch(tasks))).toMatchObject({ kind: "wait" });
    },
  );
  test("a branch that succeeded in part does not trigger fail-fast", () => {
    expect(decide(batch(["dispatched", "partial"], { fail_fast: true }))).toMatchObject({ kind: "wait" });
  });
  test("a passed deadline is a timeout, whatever succeeded or failed", () => {
    const late = { is_overdue: true, fail_fast: true };
    expect(decide(batch(["success", "failed", "dispatched"], late))).toEqual({
      kind: "end",
      status: "timeout",
      cause: "deadline",
    });
  });
  test("branches that had all ended before the check do not become a timeout", () => {
    expect(decide(batch(["success", "success"], { is_overdue: true }))).toMatchObject({ status: "success" });
  });
});

describe("for every batch", () => {
  test("it waits exactly while a branch is open, time is left and nothing triggered fail-fast", () => {
    fc.assert(
      fc.property(anyBatch, (given) => {
        const isSetOff = given.fail_fast && given.tasks.some((s) => ["failed", "canceled", "timeout"].includes(s));
        const mayWait = isOpen(given) && !given.is_overdue && !isSetOff;
        expect(decide(given).kind).toBe(mayWait ? "wait" : "end");
      }),
    );
  });
  test("never more run than max_parallel allows", () => {
    fc.assert(
      fc.property(anyBatch, (given) => {
        const verdict = decide(given);
        if (verdict.kind === "end") return;
        const running = given.tasks.filter((status) => status === "dispatched").length;
        const max = given.max_parallel ?? given.tasks.length;
        expect(verdict.free_slots).toBeGreaterThanOrEqual(0);
        expect(verdict.free_slots + running).toBe(Math.max(max, running));
      }),
    );
  });
  test("a success among the branches always shows in the status of the batch, except after a deadline or fail-fast", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ended), { minLength: 1 }), (tasks) => {
        fc.pre(tasks.includes("success"));
        expect(["success", "partial"]).toContain(aggregate(tasks));
      }),
    );
  });
});
