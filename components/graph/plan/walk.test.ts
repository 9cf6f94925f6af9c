import { describe, expect, it } from "vitest";
import { createPlan } from "@/components/ground/plan";
import { type Step, walk } from "./walk";

const plan = createPlan();
plan.add(
  [
    ["h", null],
    ["p", "h"],
    ["a", "p"],
    ["b", "p"],
    ["c", "p"],
    ["b1", "b"],
  ].map(([id, parent]) => ({ id: id ?? "", parent: parent ?? null, is_human: id === "h", is_inferred: false })),
);
const order = ["h", "p", "a", "b", "c", "b1"];
const go = (from: string | null, step: Step, matches: ReadonlySet<string> | null = null) =>
  walk({ places: plan.places, order, routes: new Map(), stops: new Map(), matches }, from, step);

describe("walking the yard", () => {
  it("goes up and down the column that is seen", () => {
    expect(go("a", "down")).toBe("b");
    expect(go("c", "up")).toBe("b");
    expect(go("c", "down")).toBeNull();
  });

  it("goes to the caller and to the first that was called", () => {
    expect(go("b1", "caller")).toBe("b");
    expect(go("p", "callee")).toBe("a");
    expect(go("h", "left")).toBeNull();
    expect(go("c", "right")).toBeNull();
  });

  it("follows the order in which turns were made", () => {
    expect(go("c", "next")).toBe("b1");
    expect(go("a", "previous")).toBe("p");
    expect(go("h", "previous")).toBeNull();
  });

  it("steps over what is filtered out, but not over a caller", () => {
    const matches = new Set(["a", "c", "b1"]);
    expect(go("a", "down", matches)).toBe("c");
    expect(go("a", "next", matches)).toBe("c");
    expect(go("b1", "caller", matches)).toBe("b");
  });

  it("begins at the newest turn", () => {
    expect(go(null, "down")).toBe("b1");
    expect(go("unknown", "next", new Set(["a"]))).toBe("a");
  });
});
