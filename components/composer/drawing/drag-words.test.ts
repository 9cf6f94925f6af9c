// What a drag says before it is let go.
import { expect, it } from "vitest";
import { PlanShape } from "@/server/contract/plan/plan";
import { couplingWords } from "./drag-words";

const step = (id: string, load: object[] = []) => ({
  id,
  kind: "wagon",
  title: id,
  instruction: id,
  target: { ref: "A" },
  load,
});
const plan = PlanShape.parse({
  switchyard: "plan/1",
  name: "p",
  nodes: [step("one"), step("two"), step("three", [{ from: "two" }])],
});

it("says what travels, after what it starts, and why it is refused", () => {
  const drag = { from: "one", to: "three", carried: "deliverable" as const, refusal: undefined };
  expect(couplingWords(plan, drag)).toBe("Loads what one delivers. It then starts after one and after two.");
  expect(couplingWords(plan, { ...drag, carried: "output" })).toMatch(/^Loads all that one writes\./);
  expect(couplingWords(plan, { ...drag, carried: "order" })).toMatch(/^Loads nothing of one\./);
  expect(couplingWords(plan, { ...drag, refusal: "it cannot wait for itself" })).toBe(
    "Not here: it cannot wait for itself.",
  );
  expect(couplingWords(plan, { ...drag, to: null })).toMatch(/choose what follows/);
});
