import { describe, expect, it } from "vitest";
import type { RunAgents } from "@/server/contract/answers/run-agents";
import { sampleTurn } from "../testing/sample-frames";
import { agentsThen } from "./agents-then";

const fill = (agent_turn_id: string, tokens: number, is_compaction = false) => ({
  ...{ agent_turn_id, headcode: "1L01", step_id: `${agent_turn_id} s`, ordinal: 1, tokens, window_tokens: 1000 },
  is_compaction,
});
const agent = (agent_id: string, more: Partial<RunAgents["agents"][number]> = {}): RunAgents["agents"][number] => ({
  ...{ agent_id, name: agent_id, profile_name: "P", is_human: false, turns: 9, failed: 9 },
  ...{ requests: 9, tight: 9, compactions: 9, history: [] },
  ...more,
});
const { is_compaction: _, ...peak } = fill("h2", 990);
const now: RunAgents = {
  root_turn_id: "l1",
  agents: [
    agent("lead", { history: [fill("l1", 500)] }),
    agent("hand", { peak, history: [fill("h1", 850), fill("h1", 300, true), fill("h2", 990)] }),
    agent("late"),
  ],
  agents_total: 3,
  delegations: [{ from: "lead", to: "hand", count: 9, tokens: 9, failed: 9 }],
  identity: [
    { from: "lead", to: "hand", action: "provision" },
    { from: "lead", to: "late", action: "provision" },
  ],
  is_partial: false,
};
const lead = sampleTurn("l1", { agent_id: "lead", status: "suspended", ended_at: undefined });
const first = sampleTurn("h1", { agent_id: "hand", parent_turn_id: "l1", status: "failed", context_tokens: 40 });
const second = sampleTurn("h2", {
  ...{ agent_id: "hand", parent_turn_id: "l1", status: "running", ended_at: undefined, context_tokens: 60 },
});

describe("the agents of a moment", () => {
  const then = agentsThen(now, [lead, first, second]);
  const hand = then.agents.find(({ agent_id }) => agent_id === "hand");

  it("are those that had a turn, with the turns they had", () => {
    expect(then.agents.map(({ agent_id, turns, failed }) => [agent_id, turns, failed])).toEqual([
      ["lead", 1, 0],
      ["hand", 2, 1],
    ]);
    expect(then.agents_total).toBe(2);
    expect(then.identity).toEqual([now.identity[0]]);
    expect(then.delegations).toEqual([{ from: "lead", to: "hand", count: 2, tokens: 100, failed: 1 }]);
  });

  it("tell no request of a turn that was not over", () => {
    expect(hand?.history.map(({ tokens }) => tokens)).toEqual([850, 300]);
    expect(hand).toMatchObject({ requests: 2, tight: 1, compactions: 1, peak: { tokens: 850, agent_turn_id: "h1" } });
    expect(then.agents[0]).not.toHaveProperty("peak");
  });

  it("keep the fullest request of all where its turn was over", () => {
    const ended = agentsThen(now, [lead, first, { ...second, status: "success" }]);
    expect(ended.agents[1]?.peak).toEqual(peak);
  });
});
