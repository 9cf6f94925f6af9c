import { expect, test } from "vitest";
import { retriable, retryWords } from "./retry-words";
import { at, branchAt, FORKED_AT, sheetOf, turnAt } from "./testing/sample-batch";

const delivered = branchAt(0, turnAt(0, "success"));
const failed = branchAt(1, turnAt(1, "failed"));
const late = branchAt(2, turnAt(2, "timeout"));
const out = branchAt(3, turnAt(3, "running"));

test("the one that failed can be tried again; of several the chosen one", () => {
  expect(retriable(sheetOf([delivered, failed, out]), null)).toBe(failed);
  expect(retriable(sheetOf([delivered, failed, out]), 0)).toBe(failed);
  expect(retriable(sheetOf([delivered, failed, late, out]), null)).toBeNull();
  expect(retriable(sheetOf([delivered, failed, late, out]), 2)).toBe(late);
});

test("none where nothing failed, the batch is over, or its first failure ends it", () => {
  expect(retriable(sheetOf([delivered, out]), 0)).toBeNull();
  expect(retriable(sheetOf([delivered, failed], { status: "partial" }), 1)).toBeNull();
  expect(retriable(sheetOf([failed, out], { fail_fast: true }), 0)).toBeNull();
});

test("what it does is said with the time that is left", () => {
  const sheet = sheetOf([failed, out], { deadline_at: at(900) });
  expect(retryWords(sheet, failed, FORKED_AT + 193_000)).toEqual({
    what: "Retrying 2S02 makes attempt 2 of task 2.",
    how: "It gets the same box and a new turn and has 11:47 before the limit.",
  });
  expect(retryWords(sheetOf([failed, out]), failed, 0).how).toBe("It gets the same box and a new turn.");
});
