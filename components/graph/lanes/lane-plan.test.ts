import { describe, expect, it } from "vitest";
import { at, sampleTurn } from "../testing/sample-frames";
import { lanePlan, roomOf } from "./lane-plan";
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

  it("leave words the room up to the bar of another agent", () => {
    expect([0, 1, 2, 3].map((row) => roomOf(row, 0, plan.bars, 4))).toEqual([4, 1, 1, 1]);
    expect(roomOf(1, 1, plan.bars, 4)).toBe(3);
    expect(roomOf(1, 3, plan.bars, 4)).toBe(1);
  });

  it("of two thousand turns are planned at once, and each row finds its room among the bars in sight", () => {
    const many = Array.from({ length: 2_000 }, (_, i) =>
      sampleTurn(`m${i}`, { agent_id: `A${i % 40}`, parent_turn_id: "a", created_at: at(i), ended_at: at(i + 2) }),
    );
    const long = lanePlan([lead, ...many]);
    expect(long.events).toHaveLength(4_002);
    const seen = long.bars.filter(({ top, bottom }) => top < 2_040 && bottom >= 2_000);
    expect(seen.length).toBeLessThan(60);
    for (const [row, { from, to }] of long.events.slice(2_000, 2_040).entries())
      expect(roomOf(2_000 + row, Math.min(from, to), seen, 41)).toBe(
        roomOf(2_000 + row, Math.min(from, to), long.bars, 41),
      );
  });

  it("say each hand-over whole", () => {
    expect(plan.events.slice(1, 3).map(spokenEvent)).toEqual([
      "1L01 Lead hands over to 2Sb Associate_Search: Iron-air, 5,000 tokens",
      "2Sb Associate_Search returns to 1L01 Lead, success, 3,000 tokens",
    ]);
    expect(eventWords(plan.events[1] ?? plan.events[0] ?? expect.fail())).toBe("2Sb Iron-air · 5.0k");
  });
});
