// Every fault that the graph of a plan can have: where it is found, in which words, and the plan beside it that has none.
import type { Plan } from "@/server/contract/plan/plan";
import type { GraphCode } from "@/server/contract/plan/problem";
import { fork, planOf, wagon } from "./plans";

export type PlanFault = { code: GraphCode; at: string; path: string; says: string; bad: Plan; good: Plan };
const many = (count: number) => Array.from({ length: count }, (_, i) => wagon(`w${i}`));
const chained = (count: number) =>
  many(count).map((one, i) => (i === 0 ? one : { ...one, load: [{ from: `w${i - 1}` }] }));
const text = (name: string) => ({ name, kind: "text" });
export const reuse = (ref: string) => ({ target: { strategy: "reuse", ref } });

export const planFaults: PlanFault[] = [
  {
    code: "empty",
    at: "",
    path: "nodes",
    says: "The plan has no wagon. Drag a profile up from the shelf, or press N.",
    bad: planOf([wagon("a", { disabled: true })]),
    good: planOf([wagon("a")]),
  },
  {
    code: "empty",
    at: "f",
    path: "nodes.1.tasks",
    says: "F has no task. Add one, or take the fork away.",
    bad: planOf([wagon("a"), fork("f", [], { load: [{ from: "a" }] })]),
    good: planOf([wagon("a"), fork("f", [wagon("x")], { load: [{ from: "a" }] })]),
  },
  {
    code: "circle",
    at: "a.after.0",
    path: "nodes.0.after.0",
    says: "A and B wait for each other: A → B → C → A. Take one track away.",
    bad: planOf([
      wagon("a", { after: [{ node: "c" }] }),
      wagon("b", { load: [{ from: "a" }] }),
      wagon("c", { load: [{ from: "b" }] }),
    ]),
    good: planOf([wagon("a"), wagon("b", { load: [{ from: "a" }] }), wagon("c", { load: [{ from: "b" }] })]),
  },
  {
    code: "circle",
    at: "a.load.0",
    path: "nodes.0.load.0",
    says: "A and B wait for each other: A → B → A. Take one track away.",
    bad: planOf([wagon("a", { load: [{ from: "b" }] }), wagon("b", { load: [{ from: "a" }] })]),
    good: planOf([wagon("a", { load: [{ from: "b" }] }), wagon("b")]),
  },
  {
    code: "circle",
    at: "a.after.0",
    path: "nodes.0.after.0",
    says: "A and OFF wait for each other: A → OFF → A. Take one track away.",
    bad: planOf([wagon("a", { after: [{ node: "off" }] }), wagon("off", { after: [{ node: "a" }], disabled: true })]),
    good: planOf([wagon("a", { after: [{ node: "off" }] }), wagon("off", { disabled: true })]),
  },
  {
    code: "circle",
    at: "f.x.load.0",
    path: "nodes.0.tasks.0.load.0",
    says: "X and F wait for each other: X → F → X. Take one track away.",
    bad: planOf([fork("f", [wagon("x", { load: [{ from: "f" }] }), wagon("y")])]),
    good: planOf([fork("f", [wagon("x"), wagon("y")])]),
  },
  {
    code: "before",
    at: "a.load.0",
    path: "nodes.0.load.0",
    says: "A ends before C starts, so C's result cannot reach it.",
    bad: planOf([
      wagon("a", { load: [{ from: "c" }] }),
      wagon("b", { after: [{ node: "a" }], load: [{ from: "a" }] }),
      wagon("c", { after: [{ node: "b" }] }),
    ]),
    good: planOf([
      wagon("a"),
      wagon("b", { after: [{ node: "a" }], load: [{ from: "a" }] }),
      wagon("c", { after: [{ node: "b" }], load: [{ from: "b" }] }),
    ]),
  },
  {
    code: "together",
    at: "f.y.load.0",
    path: "nodes.0.tasks.1.load.0",
    says: "X and Y are tasks of one fork and start together. Put Y behind the gate.",
    bad: planOf([fork("f", [wagon("x"), wagon("y", { load: [{ from: "f.x" }] })])]),
    good: planOf([fork("f", [wagon("x")]), wagon("y", { load: [{ from: "f.x" }] })]),
  },
  {
    code: "no_target",
    at: "a",
    path: "nodes.0.target",
    says: "A has no target. Choose a profile or an agent.",
    bad: planOf([wagon("a", { target: undefined })]),
    good: planOf([wagon("a", { target: undefined, disabled: true }), wagon("b")]),
  },
  {
    code: "no_target",
    at: "a",
    path: "nodes.0.target.strategy",
    says: "A is an ask, which starts a new agent. Choose a profile.",
    bad: planOf([wagon("a", { kind: "ask", ...reuse("agent_1") })]),
    good: planOf([wagon("a", { kind: "ask" })]),
  },
  {
    code: "no_target",
    at: "b",
    path: "nodes.1.target.ref",
    says: "B has no target: F is a fork. Choose one of its tasks.",
    bad: planOf([fork("f", [wagon("x")]), wagon("b", { ...reuse("@f"), load: [{ from: "f" }] })]),
    good: planOf([fork("f", [wagon("x")]), wagon("b", { ...reuse("@f.x"), load: [{ from: "f" }] })]),
  },
  {
    code: "no_instruction",
    at: "f.x",
    path: "nodes.0.tasks.0.instruction",
    says: "X has no instruction. Write what is to be done.",
    bad: planOf([fork("f", [wagon("x", { instruction: " \n" })])]),
    good: planOf([fork("f", [wagon("x")])]),
  },
  {
    code: "instruction_long",
    at: "a",
    path: "nodes.0.instruction",
    says: "A's instruction is over 1 MiB. Load the text as a card.",
    bad: planOf([wagon("a", { instruction: "é".repeat(524_289) })]),
    good: planOf([wagon("a", { instruction: "é".repeat(524_288) })]),
  },
  {
    code: "input_unknown",
    at: "a",
    path: "nodes.0.instruction",
    says: "A uses input y, which the plan does not declare. Declare it, or write it out.",
    bad: planOf([wagon("a", { instruction: "{input.x} {input.y} {input.y}" })], { inputs: [text("x")] }),
    good: planOf([wagon("a", { instruction: "{input.x} {y} {input.Y} {{input}}" })], { inputs: [text("x")] }),
  },
  {
    code: "input_unknown",
    at: "f.x.load.0",
    path: "nodes.0.tasks.0.load.0",
    says: "X uses input y, which the plan does not declare. Declare it, or write it out.",
    bad: planOf([fork("f", [wagon("x", { load: [{ input: "y" }] })])]),
    good: planOf([fork("f", [wagon("x", { load: [{ input: "y" }] })])], { inputs: [text("y")] }),
  },
  {
    code: "twin",
    at: "f.y",
    path: "nodes.0.tasks.1.target.ref",
    says: "X and Y both reuse agent_1, which has one turn at a time. Clone it in one of them.",
    bad: planOf([fork("f", [wagon("x", reuse("agent_1")), wagon("y", reuse("agent_1"))])]),
    good: planOf([
      fork("f", [wagon("x", reuse("agent_1")), wagon("y", { target: { strategy: "clone", ref: "agent_1" } })]),
    ]),
  },
  {
    code: "twin",
    at: "f.y",
    path: "nodes.2.tasks.1.target.ref",
    says: "X and Y both reuse the agent of A, which has one turn at a time. Clone it in one of them.",
    bad: planOf([
      wagon("a"),
      wagon("b", { ...reuse("@a"), load: [{ from: "a" }] }),
      fork("f", [wagon("x", reuse("@b")), wagon("y", reuse("@a"))], { load: [{ from: "b" }] }),
    ]),
    good: planOf([
      wagon("a"),
      wagon("b", { load: [{ from: "a" }] }),
      fork("f", [wagon("x", reuse("@b")), wagon("y", reuse("@a"))], { load: [{ from: "b" }] }),
    ]),
  },
  {
    code: "would_queue",
    at: "b",
    path: "nodes.1.target.ref",
    says: "A and B may run at once on agent_1: the later one waits in its inbox.",
    bad: planOf([
      wagon("a", reuse("agent_1")),
      wagon("b", reuse("agent_1")),
      wagon("c", { load: [{ from: "a" }, { from: "b" }] }),
    ]),
    good: planOf([wagon("a", reuse("agent_1")), wagon("b", { ...reuse("agent_1"), load: [{ from: "a" }] })]),
  },
  {
    code: "would_queue",
    at: "c",
    path: "nodes.2.target.ref",
    says: "B and C may run at once on agent_1: the later one waits in its inbox.",
    bad: planOf([
      wagon("a"),
      wagon("b", { ...reuse("agent_1"), after: [{ node: "a", on: "failed" }], load: [{ from: "a" }] }),
      wagon("c", { ...reuse("agent_1"), after: [{ node: "a", on: "ended" }] }),
    ]),
    good: planOf([
      wagon("a"),
      wagon("b", { ...reuse("agent_1"), after: [{ node: "a", on: "failed" }], load: [{ from: "a" }] }),
      wagon("c", { ...reuse("agent_1"), after: [{ node: "a", on: "success" }] }),
    ]),
  },
  {
    code: "not_before",
    at: "b",
    path: "nodes.1.target.ref",
    says: "B reuses the agent of A, which does not end before it.",
    bad: planOf([wagon("a"), wagon("b", reuse("@a")), wagon("c", { load: [{ from: "a" }, { from: "b" }] })]),
    good: planOf([wagon("a"), wagon("b", { ...reuse("@a"), after: [{ node: "a" }] })]),
  },
  {
    code: "not_before",
    at: "b",
    path: "nodes.1.target.ref",
    says: "B reuses the agent of Y, which does not end before it.",
    bad: planOf([fork("f", [wagon("x"), wagon("y")]), wagon("b", { ...reuse("@f.y"), load: [{ from: "f.x" }] })]),
    good: planOf([fork("f", [wagon("x"), wagon("y")]), wagon("b", { ...reuse("@f.y"), load: [{ from: "f" }] })]),
  },
  {
    code: "not_before",
    at: "b",
    path: "nodes.1.target.ref",
    says: "B reuses the agent of A, which does not end before it.",
    bad: planOf([wagon("a", { disabled: true }), wagon("b", { ...reuse("@a"), after: [{ node: "a" }] })]),
    good: planOf([wagon("a"), wagon("b", { ...reuse("@a"), after: [{ node: "a" }] })]),
  },
  {
    code: "too_many",
    at: "",
    path: "nodes",
    says: "301 wagons, at most 300.",
    bad: planOf([...chained(240), fork("f", many(61), { load: [{ from: "w239" }] })]),
    good: planOf([...chained(240), fork("f", many(60), { load: [{ from: "w239" }] })]),
  },
  {
    code: "too_many",
    at: "f",
    path: "nodes.0.tasks",
    says: "F has 65 tasks, at most 64. Split it in two forks.",
    bad: planOf([fork("f", many(65))]),
    good: planOf([fork("f", many(64))]),
  },
  {
    code: "disabled_load",
    at: "b.load.1",
    path: "nodes.1.load.1",
    says: "B loads the result of A, which is switched off. It starts without it.",
    bad: planOf([wagon("a", { disabled: true }), wagon("b", { load: [{ box: "box_1" }, { from: "a" }] })]),
    good: planOf([wagon("a"), wagon("b", { load: [{ box: "box_1" }, { from: "a" }] })]),
  },
  {
    code: "dead_track",
    at: "b.after.1",
    path: "nodes.1.after.1",
    says: "B never starts: it waits for A to fail and to deliver.",
    bad: planOf([
      wagon("a"),
      wagon("b", { after: [{ node: "a" }, { node: "a", on: "failed" }], load: [{ from: "a" }] }),
    ]),
    good: planOf([
      wagon("a"),
      wagon("b", {
        after: [
          { node: "a", on: "failed" },
          { node: "a", on: "ended" },
        ],
      }),
    ]),
  },
  {
    code: "dead_track",
    at: "b.after.0",
    path: "nodes.1.after.0",
    says: "B never starts: it waits for X to fail and to deliver.",
    bad: planOf([
      fork("f", [wagon("x")]),
      wagon("b", {
        after: [
          { node: "f.x", on: "failed" },
          { node: "f", on: "success" },
        ],
        load: [{ from: "f" }],
      }),
    ]),
    good: planOf([
      fork("f", [wagon("x")]),
      wagon("b", {
        after: [
          { node: "f.x", on: "failed" },
          { node: "f", on: "delivered" },
        ],
        load: [{ from: "f" }],
      }),
    ]),
  },
  {
    code: "unused_input",
    at: "",
    path: "inputs.1",
    says: "Input y is used nowhere.",
    bad: planOf([wagon("a", { instruction: "{input.x} {input.y}" })], {
      inputs: [text("x"), { name: "y", kind: "box" }],
    }),
    good: planOf([wagon("a", { instruction: "{input.x} {input.y}" })], { inputs: [text("x"), text("y")] }),
  },
  {
    code: "loose",
    at: "c",
    path: "nodes.2",
    says: "C is joined to nothing: it starts at once and nobody reads its result.",
    bad: planOf([wagon("a"), wagon("b", { load: [{ from: "a" }] }), wagon("c", { load: [{ box: "box_1" }] })]),
    good: planOf([wagon("a"), wagon("b", { load: [{ from: "a" }] }), wagon("c", { load: [{ from: "a" }] })]),
  },
  {
    code: "answer_stays",
    at: "a",
    path: "nodes.0",
    says: "Nobody reads A's result.",
    bad: planOf([wagon("a"), wagon("b", { after: [{ node: "a" }] })]),
    good: planOf([wagon("a"), wagon("b", { after: [{ node: "a" }], ...reuse("@a") })]),
  },
  {
    code: "answer_stays",
    at: "f.y",
    path: "nodes.0.tasks.1",
    says: "Nobody reads Y's result.",
    bad: planOf([fork("f", [wagon("x"), wagon("y")]), wagon("b", { load: [{ from: "f.x" }], after: [{ node: "f" }] })]),
    good: planOf([fork("f", [wagon("x"), wagon("y")]), wagon("b", { load: [{ from: "f.x" }, { from: "f.y" }] })]),
  },
];
