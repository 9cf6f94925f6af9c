// A plan's steps in words, from frames alone.
import { describe, expect, it } from "vitest";
import { emptyPicture, type Frame, fold, type PlanNodeFrame, type PlanRunFrame } from "@/server/contract/frame";
import type { PlanGraphView } from "@/server/contract/plan/plan-sheet";
import { awaitedBatchWords, branchWords } from "../batch-words";
import { branchOf, sampleBatch } from "../testing/sample-batches";
import { at } from "../testing/sample-frames";
import { batchViews } from "./batch-view";
import { awaitedPlanWords, plansOf, stepWords } from "./plan-steps";

const run = (over: Partial<PlanRunFrame> = {}): PlanRunFrame => ({
  kind: "plan_run",
  id: "pr",
  plan_run_id: "pr",
  parent_turn_id: "t0",
  root_turn_id: "t0",
  name: "first-look",
  body_rev: 1,
  sha256: "",
  is_stepped: false,
  status: "running",
  rev: 1,
  created_at: at(0),
  ...over,
});
const node = (node_id: string, over: Partial<PlanNodeFrame> = {}): PlanNodeFrame => ({
  kind: "plan_node",
  id: `pr.${node_id}`,
  plan_run_id: "pr",
  root_turn_id: "t0",
  node_id,
  status: "waiting",
  try: 1,
  headcodes: ["1E01"],
  rev: 1,
  ...over,
});
type GraphNode = PlanGraphView["nodes"][number];
const step = (
  node_id: string,
  waits_for: GraphNode["waits_for"] = [],
  kind: GraphNode["kind"] = "wagon",
): GraphNode => ({
  node_id,
  kind,
  title: `Do ${node_id}`,
  targets: ["Echo"],
  tasks: [],
  berth: { col: 1, row: 0 },
  hold: false,
  disabled: false,
  waits_for,
});
const graph: PlanGraphView = {
  plan_run_id: "pr",
  body_rev: 1,
  nodes: [
    step("search", [], "fork"),
    step("verdict", [{ node_id: "search", on: "delivered" }]),
    step("early", [{ node_id: "search", task_index: 0, on: "delivered" }]),
    step("page", [{ node_id: "verdict", on: "failed" }]),
    step("both", [
      { node_id: "verdict", on: "delivered" },
      { node_id: "page", on: "ended" },
    ]),
  ],
};

function words(one: PlanNodeFrame, frames: Frame[]): string {
  const picture = fold(emptyPicture(), [run(), ...frames]);
  const nodes = plansOf(picture, "t0")[0]?.nodes ?? new Map();
  return stepWords(one, { graph, nodes, batches: batchViews(picture, new Map()) });
}

describe("what a step waits for", () => {
  const running = node("search", { status: "running", batch_id: "b1" });
  const batch = sampleBatch("b1", { task_count: 2, parent_agent_turn_id: "t0" });
  const fork = [batch, ...branchOf("t0", batch, 0, "success"), ...branchOf("t0", batch, 1, "running")];
  it("names the gate and how many are out", () => {
    expect(words(node("verdict"), [running, ...fork])).toBe("waits for B1, 1 still out");
  });
  it("does not wait for a task that has ended before its gate", () => {
    expect(words(node("early"), [running, ...fork])).toBe("about to start");
    expect(words(node("early"), [node("search")])).toBe("waits for task 1 of Do search");
  });
  it("says which end it waits for, and counts the others", () => {
    expect(words(node("page"), [node("verdict")])).toBe("waits for Do verdict to fail");
    expect(words(node("both"), [node("verdict"), node("page")])).toBe("waits for Do verdict and 1 more");
    expect(words(node("both"), [node("verdict", { status: "success" }), node("page")])).toBe(
      "waits for Do page to end",
    );
  });
});

describe("why a step does not run", () => {
  it("is a person, a limit, or what came before", () => {
    expect(words(node("a", { status: "held", reason: "hold" }), [])).toBe("held: a person must let it start");
    expect(words(node("a", { status: "held", reason: "turns_max 1 reached: 1 turn" }), [])).toBe(
      "held: turns_max 1 reached: 1 turn",
    );
    expect(words(node("a", { status: "skipped", reason: "skipped by ann" }), [])).toBe("skipped by ann");
    expect(words(node("a", { status: "failed", reason: "no such profile" }), [])).toBe("no such profile");
    expect(words(node("a", { next_retry_at: at(4) }), [])).toBe("waits for its next start");
  });
});

describe("a batch that a plan made", () => {
  const batch = sampleBatch("b1", { task_count: 1, tool_name: "plan_wagon", plan_run_id: "pr" });
  const views = batchViews(fold(emptyPicture(), [batch]), new Map());
  it("is not what its caller waits for, and its turn is a step of the plan", () => {
    expect(awaitedBatchWords(views, batch.parent_agent_turn_id)).toBeNull();
    expect(branchWords(views.get("b1"), 0)).toBe("a step of a plan");
  });
});

describe("plans of a run", () => {
  it("are its own, in the order of their launch", () => {
    const other = run({ id: "p2", plan_run_id: "p2", root_turn_id: "t9" });
    const early = run({ id: "p3", plan_run_id: "p3", created_at: at(-5) });
    const picture = fold(emptyPicture(), [run(), other, early, node("a")]);
    expect(plansOf(picture, "t0").map((plan) => [plan.run.plan_run_id, plan.nodes.size])).toEqual([
      ["p3", 0],
      ["pr", 1],
    ]);
  });
  it("are what the turn that launched them waits for, until they end", () => {
    const nodes = [node("a", { status: "success" }), node("b", { status: "skipped" }), node("c", { status: "held" })];
    const picture = fold(emptyPicture(), [run(), ...nodes]);
    expect(awaitedPlanWords(picture, "t0")).toBe("Waiting for first-look, 2 of 3 steps over");
    expect(awaitedPlanWords(picture, "t1")).toBeNull();
    expect(awaitedPlanWords(fold(picture, [run({ rev: 2, status: "success" })]), "t0")).toBeNull();
  });
});
