// Problems of a text stand at their lines, and no text is more work than it is worth.
import { expect, test } from "vitest";
import { cpuMs } from "@/server/testing/cpu";
import { parseYaml } from "./parse-yaml";

const HEAD = "switchyard: plan/1\nnodes:\n";

test.each<[string, object]>([
  [`${HEAD}  - id: a\n    target: {strategy: new}\n`, { line: 4, path: "nodes.0.target.ref" }],
  [`${HEAD}  - id: a\n    model: x\n`, { line: 4, column: 5, path: "nodes.0.model" }],
  [
    `${HEAD}  - id: a\n    id: b\n`,
    { line: 4, column: 5, path: "nodes.0.id", message: '"id" is given twice; remove one' },
  ],
  [`${HEAD}  - id: a\n    load: [{from: b}]\n`, { line: 4, path: "nodes.0.load.0.from" }],
  [`${HEAD}  - id: [a\n`, { line: 4, path: "" }],
  [`${HEAD}  - id: "a\\q"\n`, { line: 3, path: "" }],
  [`${HEAD}  - {? [a] : b}\n`, { line: 3, message: "a key must be plain text" }],
  ["a: 1\n---\nb: 2\n", { line: 2, message: "it has several documents; keep one" }],
  ["", { line: 1, column: 1, path: "" }],
  ["just words", { line: 1 }],
  [`${HEAD}  - instruction: *gone\n`, { path: "" }],
  [
    `switchyard: plan/1\nname: &a x\ninputs: [${"*a, ".repeat(3_000)}]\n`,
    { line: 3, message: expect.stringMatching(/more than 20 aliases/) },
  ],
  [
    `a: &a [x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nd: [*c, *c, *c, *c]\n`,
    { message: expect.stringMatching(/more than 20 aliases/) },
  ],
  [`${HEAD}${"- ".repeat(50_000)}x`, { message: expect.stringMatching(/nested deeper than 64/) }],
  ["[".repeat(100_000), { message: expect.stringMatching(/nested deeper than 64/) }],
  [`switchyard: plan/1\n__proto__: {x: 1}\n`, { path: "__proto__", line: 2 }],
  [
    `switchyard: plan/1\nname: ${"ä".repeat(2_100_000)}\n`,
    { line: 1, message: expect.stringMatching(/larger than 4 MiB/) },
  ],
  [`switchyard: plan/1\nlimits: {cost_max: .nan}\n`, { path: "limits.cost_max", line: 2 }],
  [
    `${HEAD}  - id: a\n    after: [{node: a, true: failed}]\n`,
    { line: 4, path: "nodes.0.after.0.true", message: expect.stringMatching(/write the field as 'on', in quotes/) },
  ],
  [
    `${HEAD}  - &b {id: a}\n  - {<<: *b, id: c}\n`,
    { path: "nodes.1.<<", message: expect.stringMatching(/Merge keys/) },
  ],
  [`${HEAD}  - {id: a, constructor: 1}\n`, { path: "nodes.0.constructor", message: expect.stringMatching(/Known/) }],
  [`${HEAD}  - instruction: !env HOME\n`, { line: 3, message: "the tag !env is not known; write the value itself" }],
])("problem of row %#", (text, problem) => {
  const parsed = parseYaml(text);
  expect(parsed).toHaveProperty("problems");
  expect("problems" in parsed && parsed.problems[0]).toMatchObject(problem);
});

test("a path leads to its line, also through a key with a point, else to what is around it", () => {
  const parsed = parseYaml(
    `${HEAD}  - id: f\n    kind: fork\n    tasks:\n      - id: t\n        instruction: x\nlayout:\n  places:\n    f.t: {col: 1, row: 2}\n`,
  );
  if ("problems" in parsed) throw new Error(parsed.problems[0]?.message);
  const lineOf = (path: string) => parsed.placeOf(path).line;
  expect(
    ["nodes.0.tasks.0.instruction", "nodes.0.tasks.0.load", "layout.places.f.t.col", "result"].map(lineOf),
  ).toEqual([7, 6, 10, 1]);
});

test("a text of 20,000 keys or bad escapes ends soon", () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join("\n");
  const escapes = `a: "${"\\q".repeat(100_000)}"`;
  for (const text of [keys, escapes]) expect(cpuMs(() => parseYaml(text))).toBeLessThan(5_000);
});
