import { expect, test } from "vitest";
import { clockText } from "@/components/domain/clock-text";
import { attemptSquares, batchName, cameBack, laneOf, ruleWords, tallyOf } from "./batch-words";
import { stopWords } from "./stop-words";
import { at, branchAt, FORKED_AT, sheetOf, turnAt } from "./testing/sample-batch";

test("a lane shows its turn, until its task has ended otherwise", () => {
  expect(laneOf(branchAt(0, turnAt(0, "suspended")))).toBe("suspended");
  expect(laneOf(branchAt(0))).toBe("pending");
  expect(laneOf(branchAt(0, turnAt(0, "running"), { status: "canceled" }))).toBe("canceled");
});

test("what was delivered is counted first, what went wrong last", () => {
  expect(tallyOf(["failed", "running", "success", "success"])).toEqual([
    { lane: "success", count: 2 },
    { lane: "running", count: 1 },
    { lane: "failed", count: 1 },
  ]);
});

test.each([
  [{ fail_fast: false, tool_name: "fork_join" as const }, "waits for all"],
  [
    { fail_fast: true, tool_name: "fork_join" as const, max_parallel: 2 },
    "ends at the first failure, at most 2 at once",
  ],
  [{ fail_fast: false, tool_name: "ask_expert" as const }, "waits for the answer"],
])("%o is said as %s", (batch, words) => {
  expect(ruleWords({ task_count: 3, ...batch })).toBe(words);
});

test.each([
  [707_000, "11:47"],
  [0, "00:00"],
  [-5, "00:00"],
  [400, "00:01"],
  [3_723_000, "1:02:03"],
])("%i ms left read %s", (ms, text) => {
  expect(clockText(ms)).toBe(text);
});

test("what came back: a summary, the deliverable in its place, an error with its code, a note with its tool", () => {
  const said = (...branch: Parameters<typeof branchAt>) => cameBack(branchAt(...branch), 5, FORKED_AT);
  const result = { task_index: 0, status: "success" as const, summary: "cheap past 24 h" };
  expect(said(0, turnAt(0, "success"), { result })).toEqual({ text: "cheap past 24 h", tone: "result" });
  const marked = { ...result, summary: "**Storage**\n\n- `Na-S`: cheap" };
  expect(said(0, turnAt(0, "success"), { result: marked }).text).toBe("Storage · Na-S: cheap");
  expect(said(0, turnAt(0, "success"), { result: { ...result, summary: "---" } }).text).toMatch(/^Delivered, without/);
  const failed = turnAt(0, "failed", { error_code: "tool_timeout", error: "gave up after 3 of 3" });
  expect(said(0, failed)).toEqual({ code: "tool_timeout", text: "gave up after 3 of 3", tone: "trouble" });
  const twice = turnAt(0, "failed", { error_code: "dispatch_error", error: "dispatch_error:storage_error" });
  expect(said(0, twice)).toEqual({ text: "dispatch_error:storage_error", tone: "trouble" });
  const running = turnAt(0, "running", { note: "fetch_url packed-bed review" });
  expect(said(0, running)).toEqual({ code: "fetch_url", text: "packed-bed review", tone: "waiting" });
  expect(said(0, turnAt(0, "running", { note: "thinks it over" })).code).toBeUndefined();
  expect(said(0, turnAt(0, "dispatched")).text).toBe("Waiting for a worker for worker_generic.");
  expect(said(0).text).toBe("Waiting for a free slot: it starts when another branch ends.");
});

test("a retry counts down", () => {
  const branch = branchAt(0, undefined, { attempt_count: 2, next_retry_at: at(8), error: "storage_error" });
  expect(cameBack(branch, 5, FORKED_AT)).toEqual({ code: "storage_error", text: "try 3 of 5 in 8 s", tone: "trouble" });
  expect(cameBack(branch, 5, FORKED_AT + 9000).text).toBe("try 3 of 5 now");
});

test("a task that is tried again by itself says which attempt is next, and when", () => {
  const earlier = [{ agent_turn_id: "t1", status: "failed" as const, retried_by: "attempts" }];
  const again = { attempt_count: 1, attempts_max: 3, tries_before: 1, earlier, next_retry_at: at(2) };
  const branch = branchAt(0, undefined, again);
  expect(cameBack(branch, 5, FORKED_AT)).toEqual({ text: "Attempt 2 of 3 in 2 s.", tone: "waiting" });
});

test("one square a dispatch", () => {
  expect(attemptSquares(branchAt(0, turnAt(0, "success"), { attempt_count: 2 }), 4)).toEqual([
    "failed",
    "done",
    "open",
    "open",
  ]);
  expect(attemptSquares(branchAt(0), 2)).toEqual(["open", "open"]);
  expect(attemptSquares(branchAt(0, undefined, { attempt_count: 9 }), 3)).toEqual(["failed", "failed", "failed"]);
});

test("stopping says whom it stops and who goes on", () => {
  const tasks = [branchAt(0, turnAt(0, "success")), branchAt(1, turnAt(1, "running")), branchAt(2)];
  const parent = { ...turnAt(9, "suspended"), headcode: "1P01", is_human: false };
  expect(stopWords(sheetOf(tasks, { parent }))).toBe(
    "Stops 2S02 and 1 task that has not started. Their cards stay. B1 closes as canceled, and 1P01 is resumed with what has been delivered.",
  );
});

test("a batch is named by what was handed out to whom", () => {
  const to = (...profiles: string[]) =>
    profiles.map((profile_name, index) => branchAt(index, undefined, { profile_name }));
  const name = (tool_name: "fork_join" | "ask_expert", ...profiles: string[]) =>
    batchName({ tool_name, tasks: to(...profiles) });
  expect(name("fork_join", "Search", "Search", "Search")).toBe("3 tasks for Search");
  expect(name("fork_join", "Search")).toBe("1 task for Search");
  expect(name("fork_join", "Search", "Weigh")).toBe("2 tasks for Search and Weigh");
  expect(name("fork_join", "A", "B", "C", "D", "A")).toBe("5 tasks for A, B and 2 other profiles");
  expect(name("ask_expert", "Expert")).toBe("A question to Expert");
});
