// What was typed in the launch dialog is a plan, also when it is not ready.
import { describe, expect, it } from "vitest";
import { parsePlan } from "@/server/contract/plan/parse-plan";
import { formPlan, notCarried } from "./form-plan";
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

  it("a launch keeps target, words, load in order, recipe, arguments, attempts and the context limit", () => {
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
      context_tokens_max: "16000",
    };
    expect(planOf(form({ tasks: [task] })).nodes[0]).toMatchObject({
      target: { strategy: "clone", ref: "agent_1" },
      instruction: "Go",
      load: [{ card: "card_1" }, { box: "box_1" }],
      recipe: "brief@2",
      arguments: { tone: "dry", list: [1, 2] },
      attempts: 3,
      context_tokens_max: 16_000,
    });
  });

  it("a fork keeps its tasks and its gate, and lets go of what is no number", () => {
    const gate = { fail_fast: true, max_parallel: "2", deadline_seconds: "1e30" };
    const [fork] = planOf(
      form({
        kind: "fork",
        tasks: [
          { ...emptyTask("a"), text: "A", attempts: "9", context_tokens_max: "9".repeat(12) },
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

  it("says what no plan can hold, and nothing else", () => {
    const card = (i: number) => ({ kind: "card" as const, id: `card_${i}` });
    const task = {
      ...emptyTask("a"),
      attempts: "9",
      context_tokens_max: "many",
      load: Array.from({ length: 70 }, (_, i) => card(i)),
    };
    const gate = { fail_fast: false, max_parallel: "2", deadline_seconds: "soon" };
    expect(notCarried(form({ kind: "fork", tasks: [{ ...emptyTask("b"), attempts: "5" }, task], gate }))).toEqual([
      "6 boxes and cards of task 2, a plan loads 64",
      "attempts of task 2 “9”",
      "context at most of task 2 “many”",
      "the deadline “soon”",
    ]);
    expect(notCarried(form({ tasks: [{ ...emptyTask("a"), text: "Go", context_tokens_max: "900" }] }))).toEqual([]);
  });

  it("a question is an ask", () => {
    expect(planOf(form({ kind: "ask", tasks: [{ ...emptyTask("a"), text: "Why?" }] })).nodes[0]).toMatchObject({
      kind: "ask",
      instruction: "Why?",
    });
  });
});
