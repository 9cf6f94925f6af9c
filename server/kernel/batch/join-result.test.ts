import { describe, expect, test } from "vitest";
import type { EndStatus } from "@/server/contract/turn";
import { branchResult, toolResult } from "./join-result";
import type { Branch } from "./read-standing";

const branch = (given: Partial<Branch>): Branch =>
  ({
    task_index: 0,
    agent_id: "a",
    agent_turn_id: "turn_1",
    status: "dispatched",
    output_box_id: null,
    error_detail: null,
    turn_status: "running",
    turn_output_box_id: "box",
    turn_error: null,
    turn_error_code: null,
    deliverable: null,
    ...given,
  }) as Branch;
const ended = (turn_status: EndStatus, given: Partial<Branch> = {}) =>
  branch({ status: turn_status, turn_status, ...given });
const call = { batch_id: "batch_1", tool_name: "fork_join" } as const;

describe("a branch as its parent reads it", () => {
  test("81 absent keys are left out, not null", () => {
    const result = branchResult(ended("success", { agent_turn_id: null, turn_output_box_id: null }));
    expect(Object.keys(result).sort()).toEqual(["agent_id", "status", "task_index"]);
  });
  test("83 the turn's own error; a success has none", () => {
    expect(branchResult(ended("failed", { turn_error: "boom", error_detail: "older" })).error).toBe("boom");
    expect(branchResult(ended("failed", { turn_error_code: "internal_error" })).error).toBe("internal_error");
    expect(branchResult(ended("success", { turn_error: "boom" }))).not.toHaveProperty("error");
  });
  test("83 if the turn has no box, the one recorded before is kept", () => {
    expect(branchResult(ended("failed", { turn_output_box_id: null, output_box_id: "before" })).output_box_id).toBe(
      "before",
    );
  });
  test("95 it has ended when its turn has, whatever the status in its own row", () => {
    expect(branchResult(branch({ status: "dispatched", turn_status: "success" })).status).toBe("success");
  });
});

describe("the result of the call", () => {
  const results = [
    branchResult(ended("success")),
    branchResult(ended("failed", { task_index: 1, turn_error: "boom" })),
  ];
  test.each(["success", "partial"] as const)("%s has no error", (status) => {
    expect(toolResult(call, { status, results })).toEqual({
      kind: "tool_result",
      status,
      after_execution: "suspend",
      // The parent does not get ids of agents and turns: `{task_index, status, summary?, output_box_id?, error?}`.
      result: { status, results: results.map(({ agent_id: _a, agent_turn_id: _t, ...told }) => told) },
    });
  });
  test.each(["failed", "timeout", "canceled"] as const)(
    "75 %s says so with the batch and what went wrong",
    (status) => {
      expect(toolResult(call, { status, results })).toMatchObject({
        status,
        error: {
          code: `batch_${status}`,
          message: `the batch ended ${status}: task 1 failed, boom`,
          detail: { batch_id: "batch_1", status },
        },
      });
    },
  );
  test("an expert's result is its single branch", () => {
    const content = toolResult(
      { ...call, tool_name: "ask_expert" },
      { status: "success", results: results.slice(0, 1) },
    );
    expect(content.result).toEqual({ status: "success", output_box_id: "box", agent_turn_id: "turn_1" });
  });
});
