import { describe, expect, it } from "vitest";
import type { Receipt } from "@/server/contract/pack";
import type { Link } from "../plan/yard-turns";
import { sampleBatch } from "../testing/sample-batches";
import { sampleEdge, sampleTurn } from "../testing/sample-frames";
import { forkOf, handoversOf, leftBehindOf, tourStep, wagonOf } from "./tour-stops";

const person = sampleTurn("t0", { is_human: true, depth: 0 });
const planner = sampleTurn("t1", { depth: 1, window_tokens: undefined });
const searcher = sampleTurn("t2", { depth: 2, fullest_tokens: 900 });
const reader = sampleTurn("t3", { depth: 3 });
const turns = [person, planner, searcher, reader];
const linksOf = (...edges: ReturnType<typeof sampleEdge>[]): Map<string, Link> =>
  new Map(
    edges.map((edge) => [edge.target_turn_id, { source: edge.source_turn_id, target: edge.target_turn_id, edge }]),
  );
const links = linksOf(sampleEdge("t0", "t1"), sampleEdge("t1", "t2"), sampleEdge("t2", "t3"));
const receipt = (...verdicts: Receipt["lines"][number]["verdict"][]): Receipt => ({
  lines: verdicts.map((verdict) => ({ verdict, origin: "card", cards: 1, tokens: 5, reason: `it is ${verdict}` })),
  included_cards: 1,
  included_tokens: 5,
  left_out_cards: verdicts.filter((verdict) => verdict !== "included").length,
  order: "inherited_first",
  hash: "",
});

describe("what the tour points at", () => {
  it("is a step only from 1 to 5", () => {
    expect([null, 0, 1, 5, 6, -1].map(tourStep)).toEqual([null, null, 1, 5, null, null]);
  });

  it("is an agent's turn whose window is known, never a person's", () => {
    expect(wagonOf(turns)).toBe(searcher);
    expect(wagonOf([person, planner])).toBe(planner);
    expect(wagonOf([person])).toBeUndefined();
  });

  it("is the first fork of this run, and no expert that was asked", () => {
    const later = sampleBatch("b2", { created_at: "2026-03-07T15:00:00.000Z" });
    const asked = sampleBatch("b0", { tool_name: "ask_expert", created_at: "2026-03-07T14:00:00.000Z" });
    const first = sampleBatch("b1");
    const elsewhere = sampleBatch("b9", { parent_agent_turn_id: "t9", created_at: "2026-03-07T14:00:00.000Z" });
    expect(forkOf(turns, [later, asked, first, elsewhere])).toBe(first);
    expect(forkOf(turns, [asked, elsewhere])).toBeUndefined();
  });

  it("is a hand-over between agents, the deepest first; an inferred call handed nothing over", () => {
    expect(handoversOf(turns, links).map(({ callee }) => callee.id)).toEqual(["t3", "t2"]);
    expect(handoversOf(turns, linksOf(sampleEdge("t1", "t2", { is_inferred: true })))).toEqual([]);
  });

  it("is a card that a rule kept back rather than one that was there twice", () => {
    const handovers = handoversOf(turns, links);
    const left = leftBehindOf(handovers, [receipt("included", "duplicate"), receipt("withheld", "duplicate")]);
    expect(left).toMatchObject({ callee: searcher, cards: 2, reason: "it is withheld" });
    expect(leftBehindOf(handovers, [receipt("duplicate"), undefined])).toMatchObject({ callee: reader, cards: 1 });
    expect(leftBehindOf(handovers, [receipt("included"), undefined])).toBeUndefined();
  });
});
