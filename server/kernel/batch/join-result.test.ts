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
    output_box_id: "box",
    error_detail: null,
    result_view: null,
    ...given,
  }) as Branch;
const ended = (status: EndStatus, given: Partial<Branch> = {}) => branch({ status, ...given });
const call = { batch_id: "batch_1", tool_name: "fork_join" } as const;

describe("a branch as its parent reads it", () => {
  test("81 absent keys are left out, not null", () => {
    const result = branchResult(ended("success", { agent_turn_id: null, output_box_id: null }));
    expect(Object.keys(result).sort()).toEqual(["agent_id", "status", "task_index"]);
  });
  test("83 what went wrong; a success has none", () => {
    expect(branchResult(ended("failed", { error_detail: "boom" })).error).toBe("boom");
    expect(branchResult(ended("success", { error_detail: "boom" }))).not.toHaveProperty("error");
  });
  test("what its turn says is the result as it is", () => {
    const result_view = { task_index: 3, status: "partial" as const, summary: "half" };
    expect(branchResult(ended("success", { result_view }))).toBe(result_view);
  });
  test("one that never ran is canceled, with the batch", () => {
    expect(branchResult(branch({ status: "pending", agent_turn_id: null })).status).toBe("canceled");
  });
});

describe("the result of the call", () => {
  const results = [
    branchResult(ended("success")),
    branchResult(ended("failed", { task_index: 1, error_detail: "boom" })),
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
