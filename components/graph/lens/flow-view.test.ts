// What is drawn of a flow: folded wagons sum their turns, what stays inside one is no lane, and the selection is always drawn.
import { expect, test } from "vitest";
import { flowView, LANES_DRAWN, lanesToDraw, laneWidth } from "./flow-view";

const edge = (from: string, to: string, tokens: number) => ({ from, to, cards: 1, tokens });
const source = { source_id: "tool:search", kind: "tool" as const, name: "search", cards: 1, tokens: 5 };

test("a folded wagon sums the edges of what it holds", () => {
  const held = new Map([
    ["b1", "B"],
    ["b2", "B"],
  ]);
  const view = flowView(
    {
      edges: [edge("a", "b1", 10), edge("a", "b2", 20), edge("b1", "b2", 99), edge("tool:search", "b1", 5)],
      sources: [source],
    },
    { standOf: (id) => held.get(id) ?? id },
  );
  expect(view.lanes).toMatchObject([
    { from: "a", to: "B", cards: 2, tokens: 30 },
    { from: "tool:search", to: "B", cards: 1, tokens: 5 },
  ]);
  expect(view.sources).toEqual([source]);
});

test("a turn that is not in the picture has no lane, and its source is not drawn", () => {
  const view = flowView(
    { edges: [edge("a", "gone", 10), edge("tool:search", "gone", 5)], sources: [source] },
    { standOf: (id) => (id === "gone" ? undefined : id) },
  );
  expect(view).toEqual({ lanes: [], sources: [] });
});

test("of very many lanes the heaviest are drawn, and those of the selection", () => {
  const edges = Array.from({ length: 400 }, (_, i) => edge(`a${i}`, "b", 1_000 - i));
  const view = flowView({ edges, sources: [] }, { standOf: (id) => id });
  expect(lanesToDraw(view, null)).toHaveLength(LANES_DRAWN);
  expect(lanesToDraw(view, "a399").at(-1)?.from).toBe("a399");
  expect(lanesToDraw(view, "b")).toHaveLength(400);
});

test("width grows with the logarithm, within bounds", () => {
  const widths = [0, 100, 1_000, 10_000, 100_000, 1e9].map(laneWidth);
  expect(widths).toEqual([...widths].sort((a, b) => a - b));
  expect(widths[0]).toBe(1.25);
  expect(widths.at(-1)).toBe(14);
});
