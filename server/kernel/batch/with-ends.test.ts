import { expect, test } from "vitest";
import type { Branch } from "./read-standing";
import { withEnds } from "./with-ends";

const branch = (task_index: number, more: Partial<Branch> = {}): Branch => ({
  task_index,
  agent_id: `agent_${task_index}`,
  agent_turn_id: `turn_${task_index}`,
  attempt_count: 1,
  attempts_max: 1,
  output_box_id: null,
  error_detail: null,
  result_view: null,
  updated_at: "2026-01-01T00:00:00Z",
  status: "dispatched",
  metadata: {},
  ...more,
});
const end = (n: number) => ({ agent_turn_id: `turn_${n}`, status: "success" as const, output_box_id: `box_${n}` });

test("a success has its summary and no error; a failure its error, or else its code", () => {
  const ended = withEnds(
    [branch(0), branch(1), branch(2)],
    [
      { ...end(0), summary: "done", error: "noise" },
      { ...end(1), status: "failed", error: "no answer", error_code: "provider_error" },
      { ...end(2), status: "failed", error_code: "provider_error" },
    ],
  );
  expect(ended.map(({ result_view, error_detail }) => [result_view, error_detail])).toEqual([
    [
      {
        ...{ task_index: 0, status: "success", summary: "done" },
        ...{ output_box_id: "box_0", agent_id: "agent_0", agent_turn_id: "turn_0" },
      },
      "noise",
    ],
    [expect.objectContaining({ status: "failed", error: "no answer" }), "no answer"],
    [expect.objectContaining({ status: "failed", error: "provider_error" }), "provider_error"],
  ]);
});

test("a branch without a turn, one that is over, and one that another turn continues stay as they are", () => {
  const branches = [
    branch(0, { agent_turn_id: null, status: "pending" }),
    branch(1, { status: "failed", error_detail: "before" }),
    branch(2, { agent_turn_id: "turn_other" }),
  ];
  expect(withEnds(branches, [end(0), end(1), end(2)])).toEqual(branches);
});

test("of a turn that is named twice, the first end counts, as in the database", () => {
  const [ended] = withEnds([branch(0)], [end(0), { ...end(0), status: "failed", error: "second" }]);
  expect(ended).toMatchObject({ status: "success", error_detail: null });
});
