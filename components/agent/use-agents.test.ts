import { expect, test } from "vitest";
import type { Frame } from "@/server/contract/frame";
import type { AgentLine } from "@/server/contract/line";
import { agentsOf, withLines } from "./use-agents";

const line = (agent_id: string, turn_count: number) => ({ agent_id, turn_count }) as AgentLine;

test("turns and agents touch a line, boxes and edges none", () => {
  const frames = [
    { kind: "turn", agent_id: "a" },
    { kind: "agent", agent_id: "b" },
    { kind: "box", id: "x" },
    { kind: "edge", id: "y" },
  ] as Frame[];
  expect(agentsOf(frames)).toEqual(["a", "b"]);
});

test("lines are put in their places; the others stay the same objects", () => {
  const data = { pages: [{ items: [line("a", 1), line("b", 1)] }, { items: [line("c", 1)] }], pageParams: [null] };
  const next = withLines(data, [line("b", 2), line("gone", 9)]);
  expect(next.pages.map((page) => page.items.map((agent) => agent.turn_count))).toEqual([[1, 2], [1]]);
  expect(next.pages[0]?.items[0]).toBe(data.pages[0]?.items[0]);
  expect(next.pageParams).toBe(data.pageParams);
});
