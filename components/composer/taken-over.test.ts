// What is said when a drawing is taken over from another tab.
import { describe, expect, it } from "vitest";
import { mergePlans } from "@/server/contract/plan/merge-plans";
import { NODES_MAX, type Plan, PlanShape } from "@/server/contract/plan/plan";
import { takenOver } from "./taken-over";

const planOf = (...ids: string[]): Plan =>
  PlanShape.parse({ switchyard: "plan/1", nodes: ids.map((id) => ({ kind: "wagon", id })) });
const many = (from: string, n: number) => Array.from({ length: n }, (_, i) => `${from}${i}`);

describe("a draft that was taken over", () => {
  it("says nothing where each changed something else", () => {
    expect(takenOver(mergePlans(planOf("a"), planOf("a", "b"), planOf("a", "c")))).toBeNull();
  });

  it("names what both changed", () => {
    const titled = (title: string): Plan => ({
      ...planOf("a"),
      nodes: planOf("a").nodes.map((n) => ({ ...n, title })),
    });
    const said = takenOver(mergePlans(planOf("a"), titled("Mine"), titled("Theirs")));
    expect(said).toMatchObject({ title: "Changed in both places", isFailed: false });
    expect(said?.detail).toContain("a title");
  });

  it("says why two drawings do not go together, and how both are still found", () => {
    const half = Math.ceil(NODES_MAX / 2) + 1;
    const said = takenOver(mergePlans(planOf("a"), planOf("a", ...many("m", half)), planOf("a", ...many("t", half))));
    expect(said).toMatchObject({ isFailed: true });
    expect(said?.detail).toContain("nodes");
    expect(said?.detail).toContain("Undo shows what was drawn elsewhere");
  });
});
