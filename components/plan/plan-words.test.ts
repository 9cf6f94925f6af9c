import { expect, test } from "vitest";
import type { PlanInput } from "@/server/contract/plan/plan";
import type { PlanLine, PlanRunLine } from "@/server/contract/plan/plan-sheet";
import { filterPlans, inputWords, runWords } from "./plan-words";

const input = (name: string, more: Partial<PlanInput> = {}): PlanInput => ({
  name,
  kind: "text",
  required: true,
  description: "",
  ...more,
});

test("inputs by name; what may be left out is said", () => {
  const inputs = [
    input("alert"),
    input("runbook", { kind: "box", required: false }),
    input("tone", { default: "dry" }),
  ];
  expect(inputWords(inputs)).toBe("alert, runbook (optional), tone (optional)");
});

test("how far a run has come, and who waits for a person", () => {
  const run = { node_count: 5, delivered_count: 3, held_count: 0 } as PlanRunLine;
  expect(runWords(run)).toBe("3 of 5 steps delivered");
  expect(runWords({ ...run, held_count: 1 })).toBe("3 of 5 steps delivered, 1 waits for a person");
  expect(runWords({ ...run, node_count: 1, delivered_count: 0, held_count: 2 })).toBe(
    "0 of 1 step delivered, 2 wait for a person",
  );
});

test("a filter needs all words", () => {
  const plans = [
    { name: "Triage", description: "A first look", inputs: [input("alert")] },
    { name: "Brief", description: "", inputs: [] },
  ] as unknown as PlanLine[];
  expect(filterPlans(plans, "look ALERT").map(({ name }) => name)).toEqual(["Triage"]);
  expect(filterPlans(plans, " ")).toHaveLength(2);
  expect(filterPlans(plans, "nothing")).toEqual([]);
});
