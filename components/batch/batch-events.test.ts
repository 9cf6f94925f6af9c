import { expect, test } from "vitest";
import { eventsOf } from "./batch-events";
import { at, branchAt, sheetOf, turnAt } from "./testing/sample-batch";

test("what happened, the newest first", () => {
  const ended = turnAt(0, "success", { started_at: at(1), ended_at: at(9), lease_holder: "w1" });
  const failed = turnAt(1, "failed", { started_at: at(2), ended_at: at(5), error_code: "tool_timeout", attempt: 2 });
  const sheet = sheetOf([branchAt(0, ended, { status: "success" }), branchAt(1, failed, { status: "failed" })], {
    status: "partial",
    ended_at: at(9),
  });
  expect(eventsOf(sheet).map((event) => `${event.plate} ${event.text}`)).toEqual([
    "B1 joined as partial, 1 of 2 delivered, after 9.0s",
    "2S01 delivered",
    "2S02 tool_timeout",
    "2S02 begun, epoch 1, attempt 2",
    "2S01 taken by w1, epoch 1",
    "B1 2 tasks by fork_join, waits for all, fail fast off",
  ]);
});
