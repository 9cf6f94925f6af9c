// From whom a card came: who wrote it, else whose box it was taken from, else who called, else a source.
import { expect, test } from "vitest";
import { cameFrom, type FlowTurn, type Held, type Known } from "./came-from";
import type { FlowCard } from "./read-flow-cards";

const turn = (id: string, parent_turn_id: string | null = null): FlowTurn => ({
  ...{ agent_turn_id: id, parent_turn_id, context_box_id: `${id}_c`, output_box_id: `${id}_o`, output_start: 0 },
  created_ms: 0,
});
const turns = [turn("a"), turn("b", "a"), turn("c", "a")];
const card = (more: Partial<FlowCard>): FlowCard => ({
  ...{ card_id: "x", type: "note", author_id: "", tokens: 100, agent_turn_id: null, function_name: null },
  ...{ decided_by: null, pack_code: null, created_ms: 0, joined: null, ...more },
});
const of = (id: string) => turns.find(({ agent_turn_id }) => agent_turn_id === id);

function from(to: string, more: Partial<FlowCard>, held: Partial<Held>): [string, number][] {
  const known: Known = {
    turns: {
      get: (id) => of(id ?? ""),
      ofBox: (box) => turns.find((one) => one.context_box_id === box || one.output_box_id === box),
    },
    cards: new Map([["x", card(more)]]),
    elsewhere: new Map([["old", { root_turn_id: "r", number: 3 }]]),
  };
  const holder = of(to);
  if (!holder) throw new Error("a turn holds it");
  const place: Held = { card_id: "x", origin: "given", as: "context", ...held };
  return cameFrom(place, holder, known).map((one) => [one.source?.name ?? one.from, one.tokens]);
}

test.each<[string, Partial<FlowCard>, Partial<Held>, string]>([
  ["its writer, whoever handed it on", { agent_turn_id: "b" }, { origin: "box:a_c" }, "b"],
  ["whose box it was, where no turn wrote it", {}, { origin: "box:b_c" }, "b"],
  ["the caller, what was made for the call", { author_id: "delegate_async" }, { origin: "arg:instruction" }, "a"],
  ["the caller, its pointer", {}, { origin: "ptr" }, "a"],
  ["a pack", { type: "context.pack", pack_code: "P-31D0" }, { origin: "pack" }, "P-31D0"],
  ["a person", { author_id: "human_ann" }, {}, "ann"],
  ["a profile", { type: "sys.profile", author_id: "Lead" }, {}, "Lead"],
  ["another run", { agent_turn_id: "old" }, { origin: "card" }, "run 3"],
  ["a client", {}, {}, "a client"],
  ["a tool", { agent_turn_id: "c", type: "tool.result", author_id: "tool.search" }, { as: "output" }, "search"],
  ["who decided", { agent_turn_id: "c", type: "tool.result", decided_by: "human_ann" }, { as: "output" }, "ann"],
])("%s", (_name, more, held, expected) => expect(from("c", more, held)).toEqual([[expected, 100]]));

test("what a turn wrote itself came from nobody", () => {
  expect(from("c", { agent_turn_id: "c" }, {})).toEqual([]);
  expect(from("c", { agent_turn_id: "c", type: "agent.thought" }, { as: "output" })).toEqual([]);
});

test("the answer of a fork is divided among its branches by their parts, to the last token", () => {
  const results = ["b_o", "c_o"].map((output_box_id, i) => ({ output_box_id, summary: "s".repeat(1 + 150 * i) }));
  const joined = { kind: "tool_result" as const, status: "success" as const, result: { results } };
  const parts = from(
    "a",
    { agent_turn_id: "a", type: "tool.result", author_id: "tool.fork_join", joined },
    { as: "output" },
  );
  expect(parts.map(([id]) => id)).toEqual(["b", "c"]);
  expect(parts.reduce((sum, [, tokens]) => sum + tokens, 0)).toBe(100);
  expect(parts[1]?.[1]).toBeGreaterThan(2 * (parts[0]?.[1] ?? 0));
});
