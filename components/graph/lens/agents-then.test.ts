// The agents as of an earlier moment: who was there, who had called whom, and how full what had been sent by then was.
import { expect, test } from "vitest";
import type { AgentOfRun, RunAgents } from "@/server/contract/answers/run-agents";
import { at, EPOCH, sampleTurn } from "../testing/sample-frames";
import { agentsThen } from "./agents-then";

const sent = (second: number, tokens: number, is_compaction = false) => ({
  ...{ agent_turn_id: "t2", headcode: "2S01", step_id: `s${second}`, ordinal: second, sent_at: at(second) },
  ...{ tokens, window_tokens: 1_000, is_compaction },
});
const { is_compaction: _, ...peak } = sent(9, 900);
const agent = (agent_id: string, more: Partial<AgentOfRun> = {}): AgentOfRun => ({
  ...{ agent_id, name: agent_id, profile_name: "P", is_human: false, turns: 2, failed: 1, requests: 0, tight: 0 },
  ...{ compactions: 0, history: [], ...more },
});
const run: RunAgents = {
  ...{ root_turn_id: "root", agents_total: 3, is_partial: false, delegations: [], identity: [] },
  agents: [
    agent("boss"),
    agent("hand", { peak, history: [sent(3, 850), sent(5, 300, true), sent(9, 900)] }),
    agent("late"),
  ],
};
const turns = [
  sampleTurn("t1", { agent_id: "boss", root_turn_id: "root" }),
  sampleTurn("t2", {
    agent_id: "hand",
    root_turn_id: "root",
    parent_turn_id: "t1",
    context_tokens: 40,
    status: "failed",
  }),
  sampleTurn("x1", { agent_id: "late", root_turn_id: "another" }),
];

test("now is what was read", () => expect(agentsThen(run, [], null)).toBe(run));

test("then: turns of the picture, requests sent by then, calls between who was there", () => {
  const then = agentsThen(run, turns, EPOCH + 5_000);
  expect(then.agents.map(({ agent_id }) => agent_id)).toEqual(["boss", "hand"]);
  expect(then.agents_total).toBe(2);
  expect(then.agents[1]).toMatchObject({
    ...{ turns: 1, failed: 1, requests: 2, tight: 1, compactions: 1 },
    peak: { tokens: 850, step_id: "s3" },
  });
  expect(then.delegations).toEqual([{ from: "boss", to: "hand", count: 1, tokens: 40, failed: 1 }]);
});

test("before its first request an agent has no peak; after its fullest it has that one", () => {
  expect(agentsThen(run, turns, EPOCH).agents[1]?.peak).toBeUndefined();
  expect(agentsThen(run, turns, EPOCH + 9_000).agents[1]?.peak).toEqual(peak);
});
