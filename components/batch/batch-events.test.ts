import { expect, test } from "vitest";
import { eventsOf } from "./batch-events";
import { at, branchAt, sheetOf, turnAt } from "./testing/sample-batch";

test("what happened, the newest first", () => {
  const ended = turnAt(0, "success", { started_at: at(1), ended_at: at(9) });
  const failed = turnAt(1, "failed", { started_at: at(2), ended_at: at(5), error_code: "tool_timeout", attempt: 2 });
  const sheet = sheetOf([branchAt(0, ended, { status: "success" }), branchAt(1, failed, { status: "failed" })], {
    status: "partial",
    ended_at: at(9),
  });
  expect(eventsOf(sheet).map((event) => `${event.plate} ${event.text}`)).toEqual([
    "B1 joined as partial, 1 of 2 delivered, after 9.0s",
    "2S01 delivered",
    "2S02 tool_timeout",
    "2S02 started, 2 attempts in all",
    "2S01 started",
    "B1 2 tasks by fork_join, waits for all",
  ]);
});

test("a stop raises the epoch, and is no word about how the turn began; nothing is joined by it", () => {
  const stopped = turnAt(0, "canceled", { started_at: at(1), ended_at: at(9), turn_epoch: 2, error_code: "stopped" });
  const sheet = sheetOf([branchAt(0, stopped, { status: "canceled" })], { status: "canceled", ended_at: at(9) });
  expect(eventsOf(sheet).map((event) => `${event.plate} ${event.text}`)).toEqual([
    "B1 closed as canceled, 0 of 1 delivered, after 9.0s",
    "2S01 stopped",
    "2S01 started",
    "B1 1 task by fork_join, waits for all",
  ]);
});

test("who holds a branch now is said as of now", () => {
  const taken = turnAt(0, "running", { started_at: at(1), turn_epoch: 2, attempt: 2, lease_holder: "w2" });
  expect(eventsOf(sheetOf([branchAt(0, taken)]))[0]?.text).toBe("started, now attempt 2, held by w2, epoch 2");
});
