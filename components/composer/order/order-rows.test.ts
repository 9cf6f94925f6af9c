// A hand-over as rows in the order the model reads, and to scale.
import { describe, expect, it } from "vitest";
import type { HandOver, HandOverEntry } from "@/server/contract/plan/kernel-check";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import { loadRowsOf } from "../drawing/loads";
import { orderRows, stretches } from "./order-rows";

const box = "01a1f0c2b10e7d3c8a55e0f1b2c3d4e5";
const plan: Plan = PlanShape.parse({
  switchyard: "plan/1",
  inputs: [{ name: "question", kind: "text" }],
  nodes: [
    { id: "a", kind: "wagon", target: { ref: "P" } },
    {
      id: "f",
      kind: "fork",
      load: [{ input: "question" }],
      tasks: [{ id: "t", target: { ref: "P" }, load: [{ box }, { from: "a" }] }],
    },
  ],
});
const entry = (owner: string, index: number, more: Partial<HandOverEntry>): HandOverEntry => ({
  owner,
  index,
  cards: [],
  card_count: 0,
  tokens: 0,
  unknown: [],
  left_out: [],
  redacted: 0,
  ...more,
});
const card = (text: string, tokens: number) => ({
  card_id: `card_${text}`,
  type: "context.pack",
  role: "user" as const,
  tokens,
  text,
});
const handOver: HandOver = {
  memory: { cards: [card("before", 7)], card_count: 1, tokens: 7, unknown: [] },
  entries: [
    entry("f", 0, { tokens: 12 }),
    entry("f.t", 0, {
      cards: [card("one", 40)],
      card_count: 3,
      tokens: 100,
      left_out: [{ cards: 2, tokens: 900, reason: "type tool.result is left out" }],
    }),
    entry("f.t", 1, { estimated: { low: 1, likely: 20, high: 40 } }),
  ],
  own: [
    { ...card("facts", 5), kind: "facts" },
    { ...card("do it", 9), kind: "argument" },
    { ...card("whom to answer", 4), kind: "pointer" },
  ],
  order: "inherited_first",
};
const rowsOf = (order: HandOver["order"], more: Partial<HandOver> = {}) =>
  orderRows({
    plan,
    place: "f.t",
    handOver: { ...handOver, order, ...more },
    loads: loadRowsOf(plan, "f.t").rows,
    codeOf: () => "1P01",
  });

describe("rows of a hand-over", () => {
  it("stand in the order the model reads: memory, what is loaded, what is made; the pointer last and never sent", () => {
    const rows = rowsOf("inherited_first").map((row) =>
      row.kind === "card" ? [row.rank, row.text, row.from, row.index] : [row.kind],
    );
    expect(rows).toEqual([
      ["head"],
      [null, "before", "", null],
      ["head"],
      [1, "question", "every task", null],
      [2, "one", "D4E5", 0],
      [null, "2 more cards. Open the box to read them", "", null],
      ["left"],
      [3, "a, deliverable", "1P01", 1],
      ["head"],
      [4, "facts", "", null],
      [5, "do it", "", null],
      [null, "whom to answer", "not sent to the model", null],
    ]);
  });

  it("a pointer that travels with its box has no place in the order: no model is sent it", () => {
    const cards = [{ ...card("who called it", 23), type: "meta.parent_pointer" }, card("two", 40)];
    const rows = rowsOf("inherited_first", { entries: [entry("f.t", 0, { cards, card_count: 2, tokens: 63 })] });
    const shown = rows.flatMap((row) => (row.kind === "card" && row.index === 0 ? [[row.rank, row.from]] : []));
    expect(shown).toEqual([
      [null, "D4E5, not sent to the model"],
      [1, "D4E5"],
    ]);
  });

  it("the instruction comes first where the recipe says so", () => {
    const texts = rowsOf("arguments_first").flatMap((row) => (row.kind === "card" && row.rank ? row.text : []));
    expect(texts).toEqual(["facts", "do it", "question", "one", "a, deliverable"]);
  });

  it("what nothing is known of says so, and is never counted as nothing", () => {
    const rows = rowsOf("inherited_first", { entries: [entry("f.t", 1, { unknown: ["a"] })] });
    expect(rows.find((row) => row.kind === "card" && row.index === 1)).toMatchObject({ weight: "unknown", tokens: 0 });
  });

  it("stretches are to scale, in order, and none is too thin to see", () => {
    const all = stretches(rowsOf("inherited_first"), 470);
    const heights = new Map(all.map(({ row, h }) => [row.text, h]));
    expect((heights.get("one") ?? 0) / (heights.get("a, deliverable") ?? 1)).toBeCloseTo(2, 1);
    expect(Math.min(...all.map(({ h }) => h))).toBeGreaterThanOrEqual(2.5);
    for (const [i, { y }] of all.entries())
      expect(y).toBeGreaterThanOrEqual((all[i - 1]?.y ?? -1) + (all[i - 1]?.h ?? 0));
  });
});
