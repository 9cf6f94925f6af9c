import { expect, test } from "vitest";
import type { TurnHit } from "@/server/contract/search";
import { turnItem } from "./hit-items";

const hit: TurnHit = {
  agent_turn_id: "turn_1",
  root_turn_id: "turn_1",
  run_number: 3,
  agent_id: "a",
  is_human: false,
  headcode: "1P01",
  title: "Plan it",
  profile_name: "Planner",
  status: "success",
  context_cards: 0,
  context_tokens: 0,
  context_consist: "",
  created_at: "2026-01-01T00:00:00Z",
};

test("a turn names its run whether or not it failed, and says why it did", () => {
  expect(turnItem("p", hit).detail).toBe("run 3, Planner");
  expect(turnItem("p", { ...hit, status: "failed", error_code: "tool_timeout" })).toMatchObject({
    detail: "run 3, Planner, The tool did not answer within its time",
    words: "failed tool_timeout",
  });
});
