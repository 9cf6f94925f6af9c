import { expect, test } from "vitest";
import { emptyTask } from "./launch-form";
import { packBlock, packCall } from "./pack-state";

const task = {
  ...emptyTask("1"),
  target: { target_strategy: "new" as const, target_ref: "Reader" },
  load: [
    { kind: "card" as const, id: "c" },
    { kind: "box" as const, id: "b" },
  ],
};
const none = { answer: undefined, isStale: false, error: null };

test("it asks for a reader and something to pack; an argument of a recipe is enough", () => {
  expect(packBlock({ ...task, target: null }, none)).toMatchObject({ place: "target", tone: "missing" });
  expect(packBlock({ ...task, load: [] }, none)).toMatchObject({ place: "load", tone: "missing" });
  expect(packBlock({ ...task, load: [], args: { tone: "dry" } }, none)).toMatchObject({ tone: "waiting" });
});

test("a refusal stands at its field; the words of before do not accuse", () => {
  const answer = { ok: false, error_code: "not_found", error: "Recipe x does not exist.", field: "recipe" } as const;
  expect(packBlock(task, { ...none, answer })).toMatchObject({ place: "recipe", tone: "failed" });
  expect(packBlock(task, { ...none, answer, isStale: true })).toMatchObject({ tone: "waiting" });
  const box = { ok: false, error_code: "bad_request", error: "unauthorized box_id: b" } as const;
  expect(packBlock(task, { ...none, answer: box })).toMatchObject({ place: "load", index: 1 });
});

test("the order is sent as it is, and what is empty is left out", () => {
  expect(packCall({ ...task, args: { tone: " " }, recipe: "brief@2" })).toEqual({
    profile_name: "Reader",
    load: [{ card_id: "c" }, { box_id: "b" }],
    recipe: "brief@2",
  });
});
