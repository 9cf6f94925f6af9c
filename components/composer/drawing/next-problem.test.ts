import { expect, test } from "vitest";
import { fieldsOf, nextProblem } from "./next-problem";

const problems = [
  { code: "no_target", at: "plan", path: "nodes.0.target" },
  { code: "no_instruction", at: "plan", path: "nodes.0.instruction" },
  { code: "input_unknown", at: "plan", path: "nodes.0.instruction" },
  { code: "input_unknown", at: "read.load.1", path: "nodes.1.load.1" },
  { code: "unused_input", at: "", path: "inputs.0" },
];
const [target, instruction, load, input] = [
  { place: "plan", path: "nodes.0.target" },
  { place: "plan", path: "nodes.0.instruction" },
  { place: "read", path: "nodes.1.load.1" },
  { place: "", path: "inputs.0" },
];

test("one after the other, field by field, round again, and back", () => {
  let last: typeof target | null = null;
  const seen = [1, 2, 3, 4, 5].map(() => {
    last = nextProblem(problems, 1, { selected: last?.place ?? "nowhere", last });
    return last;
  });
  expect(seen).toEqual([target, instruction, load, input, target]);
  expect(nextProblem(problems, -1, { selected: "plan", last: target })).toEqual(input);
  expect(nextProblem(problems, -1, { selected: "read", last: load })).toEqual(instruction);
});

test("what a person has selected since is begun with", () => {
  expect(nextProblem(problems, 1, { selected: "read", last: target })).toEqual(load);
  expect(nextProblem(problems, 1, { selected: "fine", last: target })).toEqual(target);
  expect(nextProblem(problems, -1, { selected: "fine", last: null })).toEqual(input);
});

test("what was mended is left behind, and without problems there is none", () => {
  expect(nextProblem(problems.slice(1), 1, { selected: "plan", last: target })).toEqual(instruction);
  expect(nextProblem([], 1, { selected: "", last: null })).toBeNull();
});

test.each([
  ["nodes.0.target", ["target ref", "track nodes.0.target", "problem"]],
  ["nodes.0.target.strategy", ["target ref", "track nodes.0.target.strategy", "problem"]],
  ["nodes.0.tasks.1.instruction", ["instruction", "track nodes.0.tasks.1.instruction", "problem"]],
  ["nodes.2.load.1", ["load 1", "track nodes.2.load.1", "problem"]],
  ["nodes.2.after.0", ["0", "track nodes.2.after.0", "problem"]],
  ["inputs.1", ["input second", "track inputs.1", "problem"]],
  ["", ["", "track ", "problem"]],
])("the fields of %s", (path, fields) => expect(fieldsOf(path, ["first", "second"])).toEqual(fields));
