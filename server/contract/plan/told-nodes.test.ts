// What is told of nodes stays within its limit, and only what is long is cut.
import { expect, test } from "vitest";
import { TOLD_MAX, toldNodes } from "./told-nodes";

const node = (id: string, summary: string, reason?: string) => ({ id, status: "success" as const, summary, reason });
const size = (nodes: readonly { summary?: string; reason?: string }[]) =>
  nodes.reduce((sum, { summary = "", reason = "" }) => sum + [...summary].length + [...reason].length, 0);

test("what fits is told as it is, without a note", () => {
  const nodes = Array.from({ length: 16 }, (_, i) => node(`n${i}`, "x".repeat(TOLD_MAX / 16)));
  expect(toldNodes(nodes)).toEqual({ nodes });
});

test("300 nodes with long summaries and reasons are cut to one length, short ones stay whole, and the note says so", () => {
  const nodes = Array.from({ length: 300 }, (_, i) =>
    node(`n${i}`, i % 2 ? "short" : "🚂".repeat(2_000), "r".repeat(1_500)),
  );
  const told = toldNodes(nodes);
  expect(size(told.nodes)).toBeLessThanOrEqual(TOLD_MAX);
  expect(size(told.nodes)).toBeGreaterThan(TOLD_MAX * 0.95);
  expect(told.nodes[1]?.summary).toBe("short");
  const [first] = told.nodes;
  expect(first?.summary?.endsWith("🚂…")).toBe(true);
  expect(told.note).toContain(`cut to ${[...(first?.summary ?? "")].length} characters`);
  expect(JSON.stringify(told).length).toBeLessThan(100_000);
});
