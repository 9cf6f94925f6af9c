import { expect, test } from "vitest";
import { noTexts, type PackChoices, readForm, refusalFaults } from "./pack-form";

const choices: PackChoices = {
  from: [],
  decisions: [],
  workspace: null,
  mode: "implementation",
  profile: "routine",
  reason: null,
};
const texts = { ...noTexts, goal: "Retry with backoff." };

test("an empty form is not wrong, and asks nothing", () => {
  expect(readForm(noTexts, choices)).toEqual({ request: null, faults: {} });
});

test("what is typed and chosen is the request; empty rows are left out", () => {
  const { request, faults } = readForm(
    { ...noTexts, goal: " Retry. ", done: ["", "All tests pass "], constraints: '{"a":1}', policy: "" },
    {
      ...choices,
      from: [
        { kind: "box", id: "b-1" },
        { kind: "card", id: "c-1" },
      ],
    },
  );
  expect(faults).toEqual({});
  expect(request).toEqual({
    goal: "Retry.",
    mode: "implementation",
    profile: "routine",
    definition_of_done: ["All tests pass"],
    from_boxes: ["b-1"],
    from_cards: ["c-1"],
    constraints: { a: 1 },
  });
});

test("a workspace brings its words and its files, one a line; without it they are not sent", () => {
  const typed = { ...texts, search: " backoff ", files: "src/a.ts\n\n  src/b.ts\n" };
  expect(readForm(typed, { ...choices, workspace: "code" }).request).toMatchObject({
    workspace: "code",
    search: "backoff",
    files: ["src/a.ts", "src/b.ts"],
  });
  expect(Object.keys(readForm(typed, choices).request ?? {})).toEqual(["goal", "mode", "profile"]);
  expect(refusalFaults("workspace: code is not registered in project p")).toEqual({
    workspace: "Code is not registered in project p.",
  });
});

test("the goal is counted in characters, as the kernel counts it", () => {
  expect(readForm({ ...texts, goal: "🚂".repeat(600) }, choices).faults).toEqual({});
  expect(readForm({ ...texts, goal: "🚂".repeat(601) }, choices).faults.goal).toMatch(/601 characters, at most 600/);
});

test("JSON that cannot be read, and JSON that is no object, are faults of their field", () => {
  const { request, faults } = readForm({ ...texts, constraints: "{", policy: "[1]" }, choices);
  expect(request).toBeNull();
  expect(faults.constraints).toMatch(/^This is not JSON: /);
  expect(faults.policy).toBe('Write an object, such as { "name": "value" }.');
});

test("expanded without a reason is a fault of the reason", () => {
  expect(readForm(texts, { ...choices, profile: "expanded" }).faults.reason).toMatch(/needs a reason/);
  expect(readForm(texts, { ...choices, profile: "expanded", reason: "large_refactor" }).request?.reason).toBe(
    "large_refactor",
  );
});

test.each([
  ["definition_of_done: is empty. Say when it is done", { done: "This is empty. Say when it is done." }],
  ["from_cards.3: card c-9 not found. Check the id", { from: "Card c-9 not found. Check the id." }],
  ["input.request.goal: is too long", { goal: "This is too long." }],
  ["/docRefs/0/excerpt: still looks like a secret", { form: "/docRefs/0/excerpt: still looks like a secret." }],
  ["The server is busy", { form: "The server is busy." }],
])("the refusal %j stands at its field", (message, faults) => {
  expect(refusalFaults(message)).toEqual(faults);
});
