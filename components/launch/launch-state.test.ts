import { expect, test } from "vitest";
import { emptyGate, emptyTask, type LaunchForm, type TaskForm } from "./launch-form";
import { launchBlock } from "./launch-state";
import { refusalPlace } from "./refusal-place";

const task: TaskForm = {
  ...emptyTask("t1"),
  target: { target_strategy: "new", target_ref: "Planner" },
  text: "go",
  load: [
    { kind: "box", id: "b1" },
    { kind: "card", id: "c1" },
    { kind: "box", id: "b2" },
  ],
};
const formOf = (part: Partial<TaskForm> = {}): LaunchForm => ({
  kind: "delegate",
  tasks: [{ ...task, ...part }],
  at: 0,
  gate: emptyGate,
});
const form = formOf();
const fork: LaunchForm = { ...form, kind: "fork", tasks: [task, { ...task, key: "t2", text: "" }], at: 0 };
const full: LaunchForm = { ...fork, tasks: [task, { ...task, key: "t2" }] };
const fine = { ok: true } as const;
const refused = {
  ok: false,
  error_code: "not_found",
  error: "box b2 not found",
  field: "args.context_box_id.1",
} as const;
type Answer = Parameters<typeof launchBlock>[1]["answer"];
const check = (answer: Answer, isStale = false) => ({ answer, isStale, error: null });

test("what is missing is told in the order of the form, without reproach", () => {
  expect(launchBlock(formOf({ target: null, text: "" }), check(undefined))).toMatchObject({
    place: "target",
    tone: "missing",
  });
  expect(launchBlock(formOf({ text: " \n" }), check(fine))).toMatchObject({ place: "instruction", tone: "missing" });
  expect(launchBlock(formOf({ text: "x".repeat(1_048_577) }), check(undefined))).toMatchObject({
    place: "instruction",
    error_code: "payload_too_large",
  });
});

test("a fork waits for its incomplete task, and says which; another kind has one task only", () => {
  expect(launchBlock(fork, check(fine))).toMatchObject({
    place: "instruction",
    task: 1,
    tone: "missing",
    reason: "Task 2: Enter an instruction.",
  });
  expect(launchBlock({ ...fork, kind: "delegate" }, check(fine))).toBeNull();
});

test("an expert is a new agent with a question", () => {
  const ask = { ...formOf({ target: { target_strategy: "reuse", target_ref: "a" } }), kind: "ask" as const };
  expect(launchBlock(ask, check(fine))).toMatchObject({ place: "target", tone: "missing" });
  expect(launchBlock({ ...formOf({ text: "" }), kind: "ask" }, check(fine))?.reason).toBe("Enter a question.");
});

test("a refusal blocks at its place; while it is checked again it does not accuse", () => {
  expect(launchBlock(form, check(refused))).toMatchObject({
    place: "load",
    index: 2,
    tone: "failed",
    reason: "box b2 not found",
  });
  expect(launchBlock(form, check(refused, true))).toMatchObject({ tone: "waiting" });
  expect(launchBlock(form, check(undefined))).toMatchObject({ tone: "waiting" });
});

test("a good answer lets go, also while it is being renewed; a server that is away does not", () => {
  expect(launchBlock(form, check(fine))).toBeNull();
  expect(launchBlock(form, check(fine, true))).toBeNull();
  expect(launchBlock(form, { answer: fine, isStale: false, error: "fetch failed" })).toMatchObject({
    place: "all",
    tone: "failed",
  });
});

test("a refusal is placed by its field, or by the id its message names", () => {
  expect(refusalPlace({ error: "x", field: "args.target_ref" }, form)).toMatchObject({ place: "target" });
  expect(refusalPlace({ error: "x", field: "instruction" }, form)).toMatchObject({ place: "instruction" });
  expect(refusalPlace({ error: "unauthorized box_id: b2" }, form)).toMatchObject({ place: "load", index: 2 });
  expect(refusalPlace({ error: "card c1 not found" }, form)).toMatchObject({ place: "load", index: 1 });
  expect(refusalPlace({ error: "x", field: "context_card_ids.0" }, form)).toMatchObject({ place: "load", index: 1 });
  expect(refusalPlace({ error: "x", field: "load.2" }, form)).toMatchObject({ place: "load", index: 2 });
  expect(refusalPlace({ error: "x", field: "recipe" }, form)).toMatchObject({ place: "recipe" });
  expect(refusalPlace({ error: "x", field: "arguments.tone" }, form)).toMatchObject({
    place: "arguments",
    name: "tone",
  });
  expect(refusalPlace({ error: "profile Planner not found" }, form)).toMatchObject({ place: "target" });
  expect(refusalPlace({ error: "the database cannot be reached" }, form)).toMatchObject({ place: "all" });
});

test("of a fork it is placed at its task, and loses the path that the place says", () => {
  expect(refusalPlace({ error: "tasks.1.recipe: Recipe x does not exist.", field: "tasks.1.recipe" }, full)).toEqual({
    place: "recipe",
    task: 1,
    reason: "Task 2: Recipe x does not exist.",
  });
  // The kernel names the task in front of a message that has no path.
  expect(refusalPlace({ error: "tasks.1.box b2 not found" }, full)).toEqual({
    place: "load",
    task: 1,
    index: 2,
    reason: "Task 2: box b2 not found",
  });
  expect(
    refusalPlace({ error: "invalid args.tasks.0.attempts: give a number", field: "tasks.0.attempts" }, full),
  ).toEqual({ place: "attempts", task: 0, reason: "Task 1: give a number" });
  expect(refusalPlace({ error: "x", field: "max_parallel" }, full)).toMatchObject({ place: "max_parallel" });
  expect(refusalPlace({ error: "too many tasks", field: "tasks" }, full)).toEqual({
    place: "all",
    reason: "too many tasks",
  });
});
