import { expect, test } from "vitest";
import { checkText } from "./check-text";
import { planTemplate } from "./plan-template";

test("what a new plan begins with has nothing wrong", () => {
  const { plan, problems } = checkText(planTemplate);
  expect(problems).toEqual([]);
  expect(plan?.nodes.map(({ id }) => id)).toEqual(["search", "verdict"]);
});

test("a problem of the graph stands at its line, in the words of the kernel", () => {
  const text = `switchyard: plan/1
name: Two
nodes:
  - id: a
    target: { ref: P }
    instruction: go
  - id: b
    instruction: then
    after: [{ node: a }]
`;
  expect(checkText(text).problems).toContainEqual({
    line: 7,
    severity: "error",
    message: "then has no target. Choose a profile or an agent.",
  });
});

test.each([
  ["no YAML", "nodes: [\n  a: {\n", 3],
  ["a key that no plan has", "switchyard: plan/1\nnodes: []\nnode: 1\n", 3],
  ["a track from nowhere", "switchyard: plan/1\nnodes:\n  - id: a\n    after: [{ node: z }]\n", 4],
  ["nothing at all", "", 1],
])("%s is refused at a line", (_what, text, line) => {
  const { plan, problems } = checkText(text);
  expect(plan).toBeNull();
  expect(problems[0]).toMatchObject({ severity: "error" });
  expect(problems.map((problem) => problem.line)).toContain(line);
});
