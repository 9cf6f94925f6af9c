// The places of agents: callers left of whom they called, no two on each other, the same every time, also in a circle.
import { expect, test } from "vitest";
import { agentsLayout, agentTrack, shownOf } from "./agents-layout";

const agent = (agent_id: string) => ({
  ...{ agent_id, name: agent_id, profile_name: agent_id, is_human: false, turns: 1, failed: 0, requests: 0, tight: 0 },
  ...{ compactions: 0, history: [] },
});
const call = (from: string, to: string) => ({ from, to, count: 1, tokens: 10, failed: 0 });

test("each agent stands right of its first caller, the least far away", () => {
  const layout = agentsLayout({
    agents: ["me", "a", "b", "c"].map(agent),
    delegations: [call("me", "a"), call("a", "b"), call("b", "c"), call("a", "c"), call("c", "a")],
  });
  expect(layout.order.map((id) => [id, layout.places.get(id)?.col])).toEqual([
    ["me", 0],
    ["a", 1],
    ["b", 2],
    ["c", 2],
  ]);
});

test("a circle of callers, and one that calls itself, are placed too", () => {
  const { order } = agentsLayout({
    agents: ["a", "b"].map(agent),
    delegations: [call("a", "b"), call("b", "a"), call("a", "a")],
  });
  expect(order).toEqual(["a", "b"]);
});

test("sixty callees of one go on in further columns, none on another", () => {
  const ids = Array.from({ length: 60 }, (_, i) => `a${i}`);
  const { places, w, h } = agentsLayout({
    agents: ["boss", ...ids].map(agent),
    delegations: ids.map((id) => call("boss", id)),
  });
  const spots = [...places.values()].map(({ x, y }) => `${x} ${y}`);
  expect(new Set(spots).size).toBe(61);
  for (const place of places.values()) expect(place.x + place.w <= w && place.y + place.h <= h).toBe(true);
});

test("tracks begin at the caller and end at the callee", () => {
  const { places } = agentsLayout({ agents: ["a", "b"].map(agent), delegations: [call("a", "b")] });
  const [a, b] = [places.get("a"), places.get("b")];
  if (!a || !b) throw new Error("both are placed");
  expect(agentTrack(a, b, 0).path).toMatch(new RegExp(`^M${a.x + a.w} .*L${b.x} ${b.y + b.h / 2}$`));
  expect(agentTrack(b, a, 1).path).toMatch(new RegExp(`^M${b.x + b.w} .*L${a.x} ${a.y + a.h / 2}$`));
  expect(agentTrack(a, a, 0).path).toMatch(/^M/);
});

test("at any moment an agent stands where it stands now", () => {
  const all = agentsLayout({
    agents: ["me", "a", "b"].map(agent),
    delegations: [call("me", "b"), call("me", "a")],
  });
  const then = shownOf(all, [agent("me"), agent("b")]);
  expect(then.order).toEqual(["me", "b"]);
  expect(then.places.get("b")).toBe(all.places.get("b"));
  expect([then.places.has("a"), then.w, then.h]).toEqual([false, all.w, all.h]);
  expect(shownOf(all, ["me", "a", "b"].map(agent))).toBe(all);
});
