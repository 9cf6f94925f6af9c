// What was typed in the launch dialog is a plan, also when it is not ready.
import { describe, expect, it } from "vitest";
import { parsePlan } from "@/server/contract/plan/parse-plan";
import { formPlan } from "./form-plan";
import { emptyGate, emptyTask, type LaunchForm } from "./launch-form";

const form = (more: Partial<LaunchForm>): LaunchForm => ({
  kind: "delegate",
  tasks: [emptyTask("a")],
  at: 0,
  gate: emptyGate,
  ...more,
});
const planOf = (given: LaunchForm) => {
  const read = parsePlan(formPlan(given));
  if ("fault" in read) throw new Error(`${read.fault.path} ${read.fault.message}`);
  return read.plan;
};

describe("from the dialog to the composer", () => {
  it("nothing typed is one wagon without target", () => {
    expect(planOf(form({})).nodes).toMatchObject([{ kind: "wagon", instruction: "", load: [] }]);
  });

  it("a launch keeps target, words, load in order, recipe, arguments and attempts", () => {
    const task = {
      ...emptyTask("a"),
      target: { target_strategy: "clone" as const, target_ref: "agent_1" },
      text: "Go",
      load: [
        { kind: "card" as const, id: "card_1" },
        { kind: "box" as const, id: "box_1" },
      ],
      recipe: "brief@2",
      args: { tone: "dry", list: "[1, 2]", empty: " " },
      attempts: "3",
    };
    expect(planOf(form({ tasks: [task] })).nodes[0]).toMatchObject({
      target: { strategy: "clone", ref: "agent_1" },
      instruction: "Go",
      load: [{ card: "card_1" }, { box: "box_1" }],
      recipe: "brief@2",
      arguments: { tone: "dry", list: [1, 2] },
      attempts: 3,
    });
  });

  it("a fork keeps its tasks and its gate, and lets go of what is no number", () => {
    const gate = { fail_fast: true, max_parallel: "2", deadline_seconds: "soon" };
    const [fork] = planOf(
      form({
        kind: "fork",
        tasks: [
          { ...emptyTask("a"), text: "A", attempts: "9" },
          { ...emptyTask("b"), text: "B" },
        ],
        gate,
      }),
    ).nodes;
    expect(fork).toMatchObject({
      kind: "fork",
      gate: { fail_fast: true, max_parallel: 2 },
      tasks: [{ instruction: "A", attempts: 1 }, { instruction: "B" }],
    });
  });

  it("a question is an ask", () => {
    expect(planOf(form({ kind: "ask", tasks: [{ ...emptyTask("a"), text: "Why?" }] })).nodes[0]).toMatchObject({
      kind: "ask",
      instruction: "Why?",
    });
  });
});
