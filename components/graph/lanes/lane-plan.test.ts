import { describe, expect, it } from "vitest";
import { at, sampleTurn } from "../testing/sample-frames";
import { lanePlan } from "./lane-plan";
import { eventWords, spokenEvent } from "./lane-words";

const lead = sampleTurn("a", {
  agent_id: "A",
  headcode: "1L01",
  profile_name: "Lead",
  created_at: at(0),
  ended_at: at(90),
});
const one = sampleTurn("b", {
  agent_id: "B",
  parent_turn_id: "a",
  title: "Iron-air",
  created_at: at(5),
  ended_at: at(40),
});
const two = sampleTurn("c", {
  agent_id: "B",
  parent_turn_id: "a",
  status: "running",
  ended_at: undefined,
  created_at: at(50),
});

describe("the lanes of a run", () => {
  const plan = lanePlan([lead, one, two]);

  it("are one for each agent, in the order of their first turns", () => {
    expect(plan.agents.map(({ agent_id }) => agent_id)).toEqual(["A", "B"]);
  });

  it("tell who handed over to whom and who returned, in the order of time", () => {
    expect(plan.events.map(({ kind, turn, from, to }) => [kind, turn.id, from, to])).toEqual([
      ["begin", "a", 0, 0],
      ["hand", "b", 0, 1],
      ["return", "b", 1, 0],
      ["hand", "c", 0, 1],
      ["return", "a", 0, 0],
    ]);
  });

  it("have a bar for each turn, from its call to its return, and on where it has not returned", () => {
    expect(plan.bars.map(({ turn, column, top, bottom }) => [turn.id, column, top, bottom])).toEqual([
      ["a", 0, 0, 4],
      ["b", 1, 1, 2],
      ["c", 1, 3, 5],
    ]);
  });

  it("say each hand-over whole", () => {
    expect(plan.events.slice(1, 3).map(spokenEvent)).toEqual([
      "1L01 Lead hands over to 2Sb Associate_Search: Iron-air, 5,000 tokens",
      "2Sb Associate_Search returns to 1L01 Lead, success, 3,000 tokens",
    ]);
    expect(eventWords(plan.events[1] ?? plan.events[0] ?? expect.fail())).toBe("2Sb Iron-air · 5.0k");
  });
});
