// Agents alike as one node: more than a dozen of one profile whom the same called, also two levels deep, and one by one when opened.
import { expect, test } from "vitest";
import type { AgentOfRun } from "@/server/contract/answers/run-agents";
import { foldAgents } from "./agents-fold";

const agent = (agent_id: string, profile_name: string, more: Partial<AgentOfRun> = {}): AgentOfRun => ({
  ...{ agent_id, name: agent_id, profile_name, is_human: false, turns: 1, failed: 0, requests: 2, tight: 1 },
  ...{ compactions: 1, history: [], ...more },
});
const fill = (n: number) => ({ agent_turn_id: `t${n}`, headcode: `2S${n}`, tokens: n, window_tokens: 1_000 });
const call = (from: string, to: string, failed = 0) => ({ from, to, count: 1, tokens: 10, failed });
const ids = (n: number, letter: string) => Array.from({ length: n }, (_, i) => `${letter}${i}`);

const many = (n: number) => ({
  agents: [
    agent("boss", "Boss"),
    ...ids(n, "s").map((id, i) => agent(id, "Searcher", { peak: fill(i), failed: i === 3 ? 1 : 0 })),
  ],
  delegations: ids(n, "s").map((id, i) => call("boss", id, i === 3 ? 1 : 0)),
  identity: ids(n, "s").map((to) => ({ from: "boss", to, action: "provision" as const })),
});

test("a dozen stay; one more and they are one, with sums and the fullest of their peaks", () => {
  expect(foldAgents(many(12), new Set()).stands).toHaveLength(13);
  const view = foldAgents(many(64), new Set());
  expect(view.stands.map(({ agent_id, name }) => [agent_id, name])).toEqual([
    ["boss", "boss"],
    ["alike:s0", "64 × Searcher"],
  ]);
  expect(view.stands[1]).toMatchObject({
    ...{ turns: 64, failed: 1, requests: 128, tight: 64, compactions: 64, peak: fill(63) },
    history: expect.objectContaining({ length: 60 }),
  });
  expect(view.delegations).toEqual([{ from: "boss", to: "alike:s0", count: 64, tokens: 640, failed: 1 }]);
  expect(view.identity).toEqual([{ from: "boss", to: "alike:s0", action: "provision" }]);
  expect([view.standOf("s5"), view.standOf("boss"), view.isFolded("s0")]).toEqual(["alike:s0", "boss", true]);
});

test("opened, each stands for itself, and is still of its kind", () => {
  const view = foldAgents(many(20), new Set(["s0"]));
  expect(view.stands).toHaveLength(21);
  expect([view.kindOf("s7"), view.kindOf("boss"), view.isFolded("s0")]).toEqual([
    { key: "s0", count: 20 },
    undefined,
    false,
  ]);
});

test("other profiles and other callers are not alike; whom a kind called is alike, though by different agents of it", () => {
  const two = {
    agents: [agent("boss", "Boss"), agent("aide", "Boss"), ...ids(16, "s").map((id) => agent(id, "Searcher"))],
    delegations: ids(16, "s").map((id, i) => call(i < 8 ? "boss" : "aide", id)),
    identity: [],
  };
  expect(foldAgents(two, new Set()).stands).toHaveLength(18);
  const run = many(20);
  const readers = ids(20, "r").map((id) => agent(id, "Reader"));
  const deep = {
    agents: [...run.agents, ...readers],
    delegations: [...run.delegations, ...ids(20, "r").map((id, i) => call(`s${i}`, id))],
    identity: [],
  };
  const view = foldAgents(deep, new Set());
  expect(view.stands.map(({ name }) => name)).toEqual(["boss", "20 × Searcher", "20 × Reader"]);
  expect(view.delegations.map(({ from, to, count }) => [from, to, count])).toContainEqual(["alike:s0", "alike:r0", 20]);
});

test("in a circle of callers, and with people, nothing is lost", () => {
  const run = {
    agents: [...ids(14, "h").map((id) => agent(id, "", { is_human: true })), agent("a", "A"), agent("b", "A")],
    delegations: [call("a", "b"), call("b", "a")],
    identity: [],
  };
  expect(foldAgents(run, new Set()).stands).toHaveLength(16);
});

test("of an earlier moment the kinds are those of now, with the members that were there", () => {
  const now = many(64);
  const then = { ...now, agents: now.agents.slice(0, 6), delegations: now.delegations.slice(0, 5) };
  const view = foldAgents(then, new Set(), now);
  expect(view.stands.map(({ agent_id, name }) => [agent_id, name])).toEqual([
    ["boss", "boss"],
    ["alike:s0", "5 × Searcher"],
  ]);
  expect([view.hasAgent("alike:s0"), view.hasAgent("s4"), view.hasAgent("s5")]).toEqual([true, true, false]);
  const before = foldAgents({ agents: now.agents.slice(0, 1), delegations: [], identity: [] }, new Set(), now);
  expect(before.hasAgent("alike:s0")).toBe(false);
});
