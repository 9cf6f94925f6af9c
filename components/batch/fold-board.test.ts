import { expect, test } from "vitest";
import type { BatchLine } from "@/server/contract/batch-sheet";
import type { BatchFrame, Frame } from "@/server/contract/frame";
import { foldLines, foldSheet, mergeSheet } from "./fold-board";
import { at, branchAt, sheetOf, turnAt } from "./testing/sample-batch";

const tasks = [branchAt(0, turnAt(0, "running")), branchAt(1)];
const sheet = sheetOf(tasks);

function batchFrame(more: Partial<BatchFrame>): BatchFrame {
  const { tasks: _tasks, number: _number, attempts_max: _max, cursor: _cursor, ...batch } = sheet;
  return { ...batch, kind: "batch", id: batch.batch_id, rev: 2, ...more };
}

test("a turn's frame is folded into its branch; what it does not carry is read again", () => {
  const told = foldSheet(sheet, [turnAt(0, "success", { rev: 4, ended_at: at(9) })]);
  expect(told.sheet.tasks[0]?.turn?.status).toBe("success");
  expect(told.sheet.tasks[1]).toBe(tasks[1]);
  expect(told).toMatchObject({ stale: [0], isMoved: false });
});

test("a heartbeat changes the turn and asks for nothing", () => {
  const told = foldSheet(sheet, [turnAt(0, "running", { rev: 4, note: "still at it" })]);
  expect(told.sheet.tasks[0]?.turn?.note).toBe("still at it");
  expect(told.stale).toEqual([]);
});

test("an older frame and one of another batch change nothing", () => {
  const frames: Frame[] = [
    turnAt(0, "dispatched", { rev: 2 }),
    turnAt(0, "failed", { rev: 9, batch_id: "batch_2" }),
    batchFrame({ rev: 1, status: "failed" }),
  ];
  expect(foldSheet(sheet, frames).sheet).toBe(sheet);
});

const pending: Frame = {
  kind: "batch_task",
  id: "bt_1",
  rev: 2,
  batch_id: "batch_1",
  root_turn_id: "turn_root",
  task_index: 1,
  title: "search 1",
  profile_name: "Search",
  agent_id: "search_1",
  status: "pending",
  attempt_count: 1,
};

test("a task that is put off shows when it is tried again", () => {
  const frame: Frame = { ...pending, next_retry_at: at(2), error: "storage_error" };
  expect(foldSheet(sheet, [frame]).sheet.tasks[1]).toMatchObject({ attempt_count: 1, next_retry_at: at(2) });
});

test("a branch that is retried and held back is no longer its failed turn, and does not become it again", () => {
  const failed = branchAt(1, turnAt(1, "failed"), { status: "failed", error: "no answer" });
  const { tasks: told } = foldSheet(sheetOf([branchAt(0), failed]), [pending]).sheet;
  expect(told[1]).toMatchObject({ status: "pending", steps: [] });
  expect([told[1]?.turn, told[1]?.agent_turn_id, told[1]?.error]).toEqual([undefined, undefined, undefined]);

  const earlier = [{ agent_turn_id: "turn_1", status: "failed" as const, retried_by: "human_ann" }];
  const read = sheetOf([branchAt(0), branchAt(1, undefined, { attempt_count: 1, earlier })]);
  const merged = mergeSheet(sheetOf([branchAt(0), failed]), read);
  expect(merged.tasks[1]?.turn).toBeUndefined();
  expect(foldSheet(merged, [turnAt(1, "failed", { rev: 9, note: "flagged" })]).sheet).toBe(merged);
});

test("the end of the batch makes every branch to be read again: their results are written then", () => {
  const told = foldSheet(sheet, [batchFrame({ status: "success", ended_at: at(9) })]);
  expect(told).toMatchObject({ sheet: { status: "success", ended_at: at(9) }, stale: [0, 1], isMoved: true });
});

test("a part that was read again does not bring back an older turn", () => {
  const ahead = foldSheet(sheet, [turnAt(0, "success", { rev: 7 })]).sheet;
  const part = sheetOf([branchAt(0, turnAt(0, "running", { rev: 5 }), { attempt_count: 3 })]);
  const merged = mergeSheet(ahead, part);
  expect(merged.tasks[0]).toMatchObject({ attempt_count: 3, turn: { rev: 7, status: "success" } });
  expect(merged.tasks[1]).toBe(ahead.tasks[1]);
  expect(merged.cursor).toBe(sheet.cursor);
});

const line = { ...batchFrame({ rev: 1 }), number: 1, lanes: ["running", "pending"] } as unknown as BatchLine;
const data = { pages: [{ items: [line] }] };

test("the list changes its lamps in place and keeps what did not change", () => {
  const lamps = foldLines(data, [turnAt(1, "running")]);
  expect(lamps?.pages[0]?.items[0]?.lanes).toEqual(["running", "running"]);
  expect(foldLines(data, [turnAt(0, "running")])).toBe(data);
  expect(foldLines(data, [batchFrame({ status: "partial" })])?.pages[0]?.items[0]?.status).toBe("partial");
});

test("a batch that the list does not have is a reason to read it again, its turns are not", () => {
  expect(foldLines(data, [batchFrame({ batch_id: "batch_9", id: "batch_9" })])).toBeNull();
  expect(foldLines(data, [turnAt(0, "failed", { batch_id: "batch_9" })])).toBe(data);
});
