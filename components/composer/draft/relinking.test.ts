// Ends of tracks and wires that are moved, and everything that is selected taken away.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyOps } from "@/server/contract/plan/apply-op";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import { carriedBy, hasLink, linkOf, trackId, wireId } from "../drawing/links";
import { fromElsewhere, rewiring, toElsewhere, unlinking } from "./relinking";
import { takingAway } from "./taking-away";

const box = "01a1f0c2b10e7d3c8a55e0f1b2c3d4e5";
const target = { ref: "Searcher" };
const plan: Plan = PlanShape.parse({
  switchyard: "plan/1",
  nodes: [
    { id: "a", kind: "wagon", target },
    { id: "b", kind: "wagon", target, load: [{ box }] },
    {
      id: "forked",
      kind: "fork",
      after: [{ node: "a", on: "ended" }],
      load: [{ from: "a", take: "output" }],
      tasks: [
        { id: "one", target, load: [{ from: "a" }, { box }] },
        { id: "two", target },
      ],
    },
    { id: "last", kind: "wagon", target, load: [{ box }, { from: "b" }] },
  ],
});

const done = (change: { ops: Parameters<typeof applyOps>[1] }): Plan => {
  const applied = applyOps(plan, change.ops);
  if ("refusal" in applied) throw new Error(applied.refusal.message);
  expect(applyOps(applied.plan, applied.inverse)).toMatchObject({ plan });
  return applied.plan;
};
const node = (of: Plan, id: string) => of.nodes.find((one) => one.id === id);

describe("links as a selection", () => {
  it("are named so that they can be found again, and only while they are there", () => {
    expect(linkOf(trackId("a", "forked"))).toEqual({ kind: "track", from: "a", to: "forked" });
    expect(linkOf(wireId(`box:${box}`, "forked.one"))).toEqual({ kind: "wire", crate: `box:${box}`, to: "forked.one" });
    expect(linkOf("last")).toBeNull();
    expect(linkOf("gate:forked")).toBeNull();
    expect(hasLink(plan, { kind: "track", from: "a", to: "forked" })).toBe(true);
    expect(hasLink(plan, { kind: "track", from: "a", to: "last" })).toBe(false);
    expect(hasLink(plan, { kind: "wire", crate: `box:${box}`, to: "last" })).toBe(true);
    expect(hasLink(plan, { kind: "wire", crate: `box:${box}`, to: "a" })).toBe(false);
  });

  it("any text is a link or none, and never throws", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const link = linkOf(text);
        if (link) hasLink(plan, link);
      }),
    );
  });
});

describe("an end that is moved", () => {
  it("to another source: what was taken of the one is taken of the other, on the same end and at the same rank", () => {
    const next = done(fromElsewhere(plan, { from: "a", to: "forked" }, "b"));
    expect(node(next, "forked")).toMatchObject({
      after: [{ node: "b", on: "ended" }],
      load: [{ from: "b", take: "output" }],
      tasks: [{ load: [{ from: "b", take: "deliverable" }, { box }] }, {}],
    });
  });

  it("to another reader: it carries the same there, and nothing of it stays", () => {
    const next = done(toElsewhere(plan, { from: "a", to: "forked" }, "last"));
    expect(carriedBy(next, { from: "a", to: "forked" })).toEqual([]);
    expect(node(next, "forked")).toMatchObject({ after: [], load: [] });
    expect(node(next, "last")).toMatchObject({
      after: [{ node: "a", on: "ended" }],
      load: [{ box }, { from: "b" }, { from: "a", take: "output" }, { from: "a", take: "deliverable" }],
    });
  });

  it("of a wire: another wagon loads it", () => {
    const next = done(rewiring(plan, { crate: `box:${box}`, to: "forked.one" }, "a"));
    expect(node(next, "forked")).toMatchObject({ tasks: [{ load: [{ from: "a" }] }, {}] });
    expect(node(next, "a")).toMatchObject({ load: [{ box }] });
  });
});

describe("what is taken away", () => {
  it("a crate is loaded by nobody any more", () => {
    const next = done(unlinking(plan, { kind: "crate", crate: `box:${box}` }));
    expect(JSON.stringify(next.nodes)).not.toContain(box);
  });

  it("wagons and tracks together are one step", () => {
    const next = done(takingAway(plan, ["b", trackId("a", "forked"), wireId(`box:${box}`, "last")]));
    expect(next.nodes.map(({ id }) => id)).toEqual(["a", "forked", "last"]);
    expect(node(next, "forked")).toMatchObject({ after: [], load: [] });
    expect(node(next, "last")).toMatchObject({ load: [] });
  });

  it("a track to a wagon that goes too is not asked for twice", () => {
    const next = done(takingAway(plan, [trackId("b", "last"), "last"]));
    expect(next.nodes.map(({ id }) => id)).toEqual(["a", "b", "forked"]);
  });
});
