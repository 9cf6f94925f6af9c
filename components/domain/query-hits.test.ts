// Headcodes and tasks start again in each run: without the run, turns that failed alike in two runs are the same line twice.
import { expect, test } from "vitest";
import type { QueryTurn } from "@/server/contract/query-search";
import { hitsOf } from "./query-hits";

const turn = (more: Partial<QueryTurn>): QueryTurn => ({
  agent_turn_id: "turn_1",
  root_turn_id: "turn_1",
  headcode: "1P01",
  agent_id: "a",
  profile_name: "Planner",
  is_human: false,
  status: "success",
  title: "Plan it",
  token_count: 1,
  step_count: 1,
  created_at: "2026-01-01T00:00:00Z",
  ...more,
});

test("a turn names its run, and a failed one says why before its task", () => {
  const items = [turn({ run_number: 3 }), turn({ run_number: 4, status: "failed", error_code: "tool_timeout" })];
  const hits = hitsOf("p", { kind: "turn", items, is_partial: false });
  expect(hits.map(({ run, words }) => [run, words])).toEqual([
    [3, "Plan it"],
    [4, "The tool did not answer within its time: Plan it"],
  ]);
});
