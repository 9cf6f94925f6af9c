// A batch that says more or fewer tasks than it has is refused: each page that shows its branches would count to that number.
import { expect, test } from "vitest";
import { faultOf } from "./faults";

const task = (task_index: number) => ({
  batch_task_id: `t${task_index}`,
  batch_id: "b",
  task_index,
  status: "success",
});
const batch = (task_count: number, seats: number[]) => ({
  ...{ batch_id: "b", status: "success", ended_at: "2026-01-31T08:00:00.000000Z", policy: null, gate_at: null },
  ...{ closed_by: null, arrivals: [], late: [], task_count, tasks: seats.map(task) },
});

test.each([
  [batch(2, [0, 1]), null],
  [batch(50_000_000, [0, 1]), "task_count is 50000000, and there are 2 tasks"],
  [batch(1, [0, 1]), "task_count is 1, and there are 2 tasks"],
  [batch(2, [0, 7]), "task_index 7 is not below task_count"],
])("%o", (line, fault) => {
  expect(faultOf("batches.jsonl", line)).toBe(fault);
});
