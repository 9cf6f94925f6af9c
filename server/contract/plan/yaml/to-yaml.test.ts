// YAML and back: a plan survives the text, and the text survives changes of the plan.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPlan, numbers, opFrom } from "@/server/testing/random-plans";
import { applyOp, applyOps } from "../apply-op";
import type { PlanOpInput } from "../op";
import type { Plan } from "../plan";
import { parseYaml } from "./parse-yaml";
import { toYaml } from "./to-yaml";

const read = (text: string): Plan => {
  const parsed = parseYaml(text);
  if ("problems" in parsed) throw new Error(`${JSON.stringify(parsed.problems)}\n${text}`);
  return parsed.plan;
};

test("any plan comes back from its text", () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      expect(isDeepStrictEqual(JSON.parse(JSON.stringify(read(toYaml(plan)))), plan)).toBe(true);
    }),
    { numRuns: 40, seed: 21 },
  );
});

test("a text follows any operations, and its comments that stand on what is still there are kept", () => {
  let kept = 0;
  let edits = 0;
  fc.assert(
    fc.property(anyPlan, fc.array(numbers, { minLength: 1, maxLength: 4 }), (plan, rolls) => {
      const text = toYaml(plan)
        .split("\n")
        .map((line) =>
          /^ {2}- id: |^[a-z]+: /.test(line) && !line.endsWith("|") ? `# above ${line.trim()}\n${line}` : line,
        )
        .join("\n");
      fc.pre(isDeepStrictEqual(read(text), read(toYaml(plan))));
      let now = plan;
      for (const roll of rolls) {
        const next = applyOp(now, opFrom(now, roll));
        if ("plan" in next) now = next.plan;
      }
      const after = toYaml(now, text);
      expect(isDeepStrictEqual(JSON.parse(JSON.stringify(read(after))), now)).toBe(true);
      edits++;
      const stillThere = now.nodes.filter(({ id }) => text.includes(`# above - id: ${id}\n`)).map(({ id }) => id);
      if (stillThere.every((id) => after.includes(`# above - id: ${id}\n`))) kept++;
    }),
    { numRuns: 30, seed: 22 },
  );
  expect(kept).toBe(edits);
});

const TEXT = `# The committee's plan.
switchyard: plan/1
name:   storage-brief      # spaces stay
inputs:
  - {name: question, kind: text, description: The committee's question}

nodes:
  # Everything starts here.
  - id: frame
    target: {ref: Principal_Planner}
    instruction: Fix one frame.          # ten hours
    load: [{input: question}]

  # Three searches at once.
  - id: searches
    kind: fork
    load: [{box: b1}, {from: frame}]
    gate: {deadline_seconds: 900}
    tasks:
      - {id: iron-air, target: {ref: Search}, instruction: "Iron-air: costs.", attempts: 2}
      - id: flow   # the long one
        target:
          ref: Search
        instruction: |
          Flow batteries.
          Mark every figure.
        load:
          - card: c1   # the table
          - from: frame
  - id: brief
    target: {strategy: reuse, ref: "@frame"}        # the same agent goes on
    instruction: 'Write the brief.'
    load: [{from: searches}]
    hold: false
result: brief
limits: {turns_max: 100, cost_max: 2.00}
# The end.
`;
const lineDiff = (a: string, b: string) => {
  const [was, now] = [a.split("\n"), b.split("\n")];
  return { gone: was.filter((line) => !now.includes(line)), came: now.filter((line) => !was.includes(line)) };
};
const after = (...ops: PlanOpInput[]): string => {
  const next = applyOps(read(TEXT), ops);
  if ("refusal" in next) throw new Error(next.refusal.message);
  const text = toYaml(next.plan, TEXT);
  expect(read(text)).toEqual(next.plan);
  return text;
};

test.each<[string, PlanOpInput[], string[], string[]]>([
  ["nothing", [], [], []],
  [
    "a text, with the comment behind it",
    [{ op: "set", node: "frame", path: "/instruction", value: "Fix two: here" }],
    ["    instruction: Fix one frame.          # ten hours"],
    ['    instruction: "Fix two: here"          # ten hours'],
  ],
  [
    "a text of several lines, its comment above it",
    [{ op: "set", node: "frame", path: "/instruction", value: "One.\nTwo." }],
    ["    instruction: Fix one frame.          # ten hours"],
    ["    # ten hours", "    instruction: |-", "      One.", "      Two."],
  ],
  [
    "a block of text",
    [{ op: "set", node: "searches.flow", path: "/instruction", value: "Flow." }],
    ["        instruction: |", "          Flow batteries.", "          Mark every figure."],
    ["        instruction: Flow."],
  ],
  [
    "a load in brackets",
    [{ op: "add_load", to: "brief", load: { box: "b2" }, at: 0 }],
    ["    load: [{from: searches}]"],
    ["    load: [{box: b2}, {from: searches}]"],
  ],
  [
    "a load in lines",
    [{ op: "remove_load", to: "searches.flow", load: { from: "frame" } }],
    ["          - from: frame"],
    [],
  ],
  [
    "a default that is written",
    [{ op: "set", node: "brief", path: "/hold", value: true }],
    ["    hold: false"],
    ["    hold: true"],
  ],
  [
    "a node, and what referred to it",
    [{ op: "remove_node", node: "brief" }],
    [
      "  - id: brief",
      '    target: {strategy: reuse, ref: "@frame"}        # the same agent goes on',
      "    instruction: 'Write the brief.'",
      "    load: [{from: searches}]",
      "    hold: false",
      "result: brief",
    ],
    [],
  ],
  [
    "a new node",
    [
      {
        op: "add_node",
        node: { kind: "wagon", id: "check", target: { ref: "R" }, instruction: "Check.", load: [{ from: "brief" }] },
      },
    ],
    [],
    ["  - id: check", "    target: {ref: R}", "    instruction: Check.", "    load: [{from: brief}]"],
  ],
  [
    "a field of a task in brackets",
    [{ op: "set", node: "searches.iron-air", path: "/attempts", value: 3 }],
    ['      - {id: iron-air, target: {ref: Search}, instruction: "Iron-air: costs.", attempts: 2}'],
    ['      - {id: iron-air, target: {ref: Search}, instruction: "Iron-air: costs.", attempts: 3}'],
  ],
  ["an order of tasks", [{ op: "move_task", task: "searches.flow", at: 0 }], [], []],
])("only what changed is written: %s", (_what, ops, gone, came) => {
  expect(lineDiff(TEXT, after(...ops))).toEqual({ gone, came });
});

test("a node that moves takes the comment above it along", () => {
  const text = after({ op: "move_node", node: "searches", at: 2 });
  expect(text).toMatch(/hold: false\n\n {2}# Three searches at once\.\n {2}- id: searches/);
});

test("a text with Windows line ends, or none at its end, or without ids, follows too", () => {
  const rename: PlanOpInput = { op: "set", path: "/name", value: "other" };
  for (const text of [TEXT.replaceAll("\n", "\r\n"), TEXT.trimEnd(), JSON.stringify(read(TEXT))]) {
    const next = applyOps(read(text), [rename, { op: "add_note", note: { id: "n", text: "x", col: 1, row: 1 } }]);
    if ("refusal" in next) throw new Error(next.refusal.message);
    expect(read(toYaml(next.plan, text))).toEqual(next.plan);
  }
  const bare = "switchyard: plan/1\nnodes:\n  - instruction: Do it # first\n  - title: Other\n";
  const next = applyOps(read(bare), [{ op: "set", node: "do-it", path: "/instruction", value: "Do that" }]);
  if ("refusal" in next) throw new Error(next.refusal.message);
  expect(toYaml(next.plan, bare)).toContain("instruction: Do that # first");
});
