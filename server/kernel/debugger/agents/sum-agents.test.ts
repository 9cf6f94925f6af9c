// What an agent's turns come to: its fullest request by share of the window, what was taken out, and who called whom.
import { expect, test } from "vitest";
import { fillStep } from "@/server/contract/run-agents";
import type { RequestRow, RunTurnRow } from "./read-run-turns";
import { sumAgents, sumDelegations } from "./sum-agents";

const turn = (id: string, more: Partial<RunTurnRow>): RunTurnRow => ({
  ...{ agent_turn_id: id, agent_id: "a", headcode: id, status: "success", parent_turn_id: null, caller_agent_id: null },
  ...{ context_tokens: 0, fullest_tokens: null, window_tokens: null, ...more },
});
const request = (id: string, ordinal: number, request_tokens: number, cards: number | null = 1): RequestRow => ({
  ...{
    agent_turn_id: id,
    step_id: `${id}s${ordinal}`,
    ordinal,
    started_at: new Date(ordinal).toISOString(),
    request_tokens,
    cards,
  },
});

test("the peak is the largest share of a window, and names its turn and step", () => {
  const [agent] = sumAgents(
    [
      turn("t2", { fullest_tokens: 900, window_tokens: 10_000 }),
      turn("t1", { fullest_tokens: 810, window_tokens: 1_000 }),
    ],
    [request("t2", 1, 900), request("t1", 2, 810), request("t1", 1, 300)],
  );
  expect(agent).toMatchObject({
    ...{ turns: 2, requests: 3, tight: 1, compactions: 0 },
    peak: { agent_turn_id: "t1", step_id: "t1s2", ordinal: 2, tokens: 810, window_tokens: 1_000 },
  });
  expect(agent?.history.map(({ tokens }) => tokens)).toEqual([300, 810, 900]);
});

test("a request with fewer cards that weighs less is a compaction, within its turn only", () => {
  const requests = [
    request("t2", 1, 10, 1),
    request("t1", 5, 900, null),
    request("t1", 4, 950, 3),
    request("t1", 3, 400, 3),
    request("t1", 2, 800, 9),
    request("t1", 1, 700, 8),
  ];
  const [agent] = sumAgents([turn("t2", {}), turn("t1", {})], requests);
  expect(agent?.history.map(({ is_compaction }) => is_compaction)).toEqual([false, false, true, false, false, false]);
  expect(agent?.compactions).toBe(1);
});

test("delegations are summed by caller and callee, failures counted", () => {
  const by = { caller_agent_id: "boss", context_tokens: 100 };
  const turns = [
    turn("t4", { agent_id: "boss" }),
    turn("t3", { ...by, status: "timeout" }),
    turn("t2", { ...by, agent_id: "b" }),
    turn("t1", by),
  ];
  expect(sumDelegations(turns)).toEqual([
    { from: "boss", to: "a", count: 2, tokens: 200, failed: 1 },
    { from: "boss", to: "b", count: 1, tokens: 100, failed: 0 },
  ]);
});

test.each([
  [0, 0],
  [19, 0],
  [20, 1],
  [59, 2],
  [79, 3],
  [80, 4],
  [140, 4],
])("%i %% is step %i", (tokens, step) => expect(fillStep({ tokens, window_tokens: 100 })).toBe(step));

test("without a window there is no step", () => expect(fillStep({ tokens: 5 })).toBe(null));
