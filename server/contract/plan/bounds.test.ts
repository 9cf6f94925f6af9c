// Every bound of a plan's fields: what stands at it is taken, what passes it is refused with the path of the field, never clamped.
import { describe, expect, test } from "vitest";
import { parsePlan } from "./parse-plan";

const wagon = (more: object = {}) => ({ id: "a", target: { ref: "A" }, instruction: "Do it", ...more });
const plan = (more: object) => ({ switchyard: "plan/1", nodes: [wagon()], ...more });
const one = (more: object) => plan({ nodes: [wagon(more)] });
const fork = (more: object) => plan({ nodes: [{ id: "f", kind: "fork", tasks: [wagon()], ...more }] });
const input = (more: object) => plan({ inputs: [{ name: "q", kind: "text", ...more }] });
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const x = (n: number): string => "x".repeat(n);
const chain = (count: number) => plan({ nodes: times(count, (i) => wagon({ id: `n${i}` })) });

/** What is at the bound, what passes it, and where the fault is. */
const rows: [string, unknown, unknown, string][] = [
  ["switchyard", plan({}), plan({ switchyard: "plan/2" }), "switchyard"],
  ["name", plan({ name: x(120) }), plan({ name: x(121) }), "name"],
  ["description", plan({ description: x(500) }), plan({ description: x(501) }), "description"],
  ["inputs", plan({ inputs: times(20, namedInput) }), plan({ inputs: times(21, namedInput) }), "inputs"],
  ["an input's name", input({ name: `q${"_".repeat(39)}` }), input({ name: `q${"_".repeat(40)}` }), "inputs.0.name"],
  ["an input's first letter", input({ name: "q1" }), input({ name: "1q" }), "inputs.0.name"],
  ["an input's kind", input({ kind: "card" }), input({ kind: "number" }), "inputs.0.kind"],
  ["an input's description", input({ description: x(500) }), input({ description: x(501) }), "inputs.0.description"],
  ["nodes", chain(1_000), chain(1_001), "nodes"],
  ["an id", one({ id: `a${"-".repeat(39)}` }), one({ id: `a${"-".repeat(40)}` }), "nodes.0.id"],
  ["an id's letters", one({ id: "a-1" }), one({ id: "a_1" }), "nodes.0.id"],
  ["kind", one({ kind: "ask" }), one({ kind: "loop" }), "nodes.0.kind"],
  ["title", one({ title: x(80) }), one({ title: x(81) }), "nodes.0.title"],
  ["after", followed(32), followed(33), "nodes.33.after"],
  ["on", after({ on: "ended" }), after({ on: "always" }), "nodes.1.after.0.on"],
  ["strategy", target({ strategy: "clone" }), target({ strategy: "copy" }), "nodes.0.target.strategy"],
  ["ref", target({ ref: x(200) }), target({ ref: x(201) }), "nodes.0.target.ref"],
  ["an empty ref", target({ ref: "A" }), target({ ref: " " }), "nodes.0.target.ref"],
  [
    "profile_box_id",
    target({ profile_box_id: x(128) }),
    target({ profile_box_id: x(129) }),
    "nodes.0.target.profile_box_id",
  ],
  ["load", one({ load: times(64, box) }), one({ load: times(65, box) }), "nodes.0.load"],
  ["one form of a load", one({ load: [{ box: "b" }] }), one({ load: [{ box: "b", card: "c" }] }), "nodes.0.load.0"],
  ["take", taken("summary"), taken("thoughts"), "nodes.1.load.0.take"],
  ["recipe", one({ recipe: x(140) }), one({ recipe: x(141) }), "nodes.0.recipe"],
  ["attempts, most", one({ attempts: 5 }), one({ attempts: 6 }), "nodes.0.attempts"],
  ["attempts, least", one({ attempts: 1 }), one({ attempts: 0 }), "nodes.0.attempts"],
  ["attempts, whole", one({ attempts: 2 }), one({ attempts: 1.5 }), "nodes.0.attempts"],
  ["deadline_seconds", one({ deadline_seconds: 0.5 }), one({ deadline_seconds: 0 }), "nodes.0.deadline_seconds"],
  ["context_tokens_max", one({ context_tokens_max: 1 }), one({ context_tokens_max: 0 }), "nodes.0.context_tokens_max"],
  ["edits", one({ edits: times(100, edit) }), one({ edits: times(101, edit) }), "nodes.0.edits"],
  ["a fork's load", fork({ load: times(64, box) }), fork({ load: times(65, box) }), "nodes.0.load"],
  ["a gate's deadline", gate({ deadline_seconds: 1 }), gate({ deadline_seconds: -1 }), "nodes.0.gate.deadline_seconds"],
  ["a gate's max_parallel", gate({ max_parallel: 1 }), gate({ max_parallel: 0 }), "nodes.0.gate.max_parallel"],
  ["a task's hold", fork({ hold: true }), fork({ tasks: [wagon({ hold: true })] }), "nodes.0.tasks.0.hold"],
  ["a task's after", fork({ after: [] }), fork({ tasks: [wagon({ after: [] })] }), "nodes.0.tasks.0.after"],
  ["a task's kind", fork({}), fork({ tasks: [wagon({ kind: "wagon" })] }), "nodes.0.tasks.0.kind"],
  [
    "a task's deadline",
    fork({}),
    fork({ tasks: [wagon({ deadline_seconds: 5 })] }),
    "nodes.0.tasks.0.deadline_seconds",
  ],
  ["a fork's instruction", fork({}), fork({ instruction: "Do" }), "nodes.0.instruction"],
  ["turns_max, most", limits({ turns_max: 1_000 }), limits({ turns_max: 1_001 }), "limits.turns_max"],
  ["turns_max, least", limits({ turns_max: 1 }), limits({ turns_max: 0 }), "limits.turns_max"],
  ["tokens_max", limits({ tokens_max: 1 }), limits({ tokens_max: 0 }), "limits.tokens_max"],
  ["cost_max", limits({ cost_max: 0.01 }), limits({ cost_max: 0 }), "limits.cost_max"],
  ["the run's deadline", limits({ deadline_seconds: 1 }), limits({ deadline_seconds: 0 }), "limits.deadline_seconds"],
  ["run_by", runBy(20), runBy(21), "run_by.profiles"],
];

function namedInput(i: number) {
  return { name: `q${i}`, kind: "text" };
}
function box(i: number) {
  return { box: `b${i}` };
}
function edit(i: number) {
  return { card_id: `c${i}` };
}
function followed(count: number) {
  const before = times(33, (i) => wagon({ id: `n${i}` }));
  return plan({ nodes: [...before, wagon({ id: "last", after: times(count, (i) => ({ node: `n${i}` })) })] });
}
function after(more: object) {
  return plan({ nodes: [wagon(), wagon({ id: "b", after: [{ node: "a", ...more }] })] });
}
function taken(take: string) {
  return plan({ nodes: [wagon(), wagon({ id: "b", load: [{ from: "a", take }] })] });
}
function target(more: object) {
  return one({ target: { ref: "A", ...more } });
}
function gate(more: object) {
  return fork({ gate: more });
}
function limits(more: object) {
  return plan({ limits: more });
}
function runBy(count: number) {
  return plan({ run_by: { profiles: times(count, (i) => `P${i}`) } });
}

describe.each(rows)("%s", (_, at, past, path) => {
  test("at its bound it is taken", () => expect(parsePlan(at)).toHaveProperty("plan"));
  test("past it, it is refused at its path, with words", () => {
    const read = parsePlan(past);
    if ("plan" in read) throw new Error("it was accepted");
    expect(read.fault.path).toBe(path);
    expect(read.fault.message).toMatch(/\S/);
  });
});

test("what is left out has the documented default", () => {
  const read = parsePlan({
    switchyard: "plan/1",
    inputs: [{ name: "q", kind: "text" }],
    nodes: [
      { id: "a" },
      { id: "f", kind: "fork", after: [{ node: "a" }], load: [{ from: "a" }], tasks: [{ id: "t" }] },
    ],
  });
  if ("fault" in read) throw new Error(read.fault.message);
  const { nodes, ...rest } = read.plan;
  const rider = { instruction: "", load: [], arguments: {}, attempts: 1, edits: [] };
  expect(rest).toEqual({
    switchyard: "plan/1",
    name: "",
    description: "",
    inputs: [{ name: "q", kind: "text", required: true, description: "" }],
    limits: { turns_max: 100 },
    run_by: { profiles: [] },
    layout: { places: {}, notes: [] },
  });
  expect(nodes).toEqual([
    { id: "a", kind: "wagon", after: [], hold: false, disabled: false, ...rider },
    {
      id: "f",
      kind: "fork",
      after: [{ node: "a", on: "delivered" }],
      hold: false,
      disabled: false,
      load: [{ from: "a", take: "deliverable" }],
      gate: { fail_fast: false },
      tasks: [{ id: "t", ...rider }],
    },
  ]);
});
