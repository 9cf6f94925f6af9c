import { expect, test } from "vitest";
import type { LaunchPreviewLines } from "@/server/contract/delegation";
import { launchBlock, refusalPlace } from "./launch-state";

const form = {
  target: { target_strategy: "new" as const, target_ref: "Planner" },
  text: "go",
  bytes: 2,
  boxes: ["b1", "b2"],
  cards: ["c1"],
};
const fine = { ok: true } as LaunchPreviewLines;
const refused: LaunchPreviewLines = {
  ok: false,
  error_code: "not_found",
  error: "box b2 not found",
  field: "args.context_box_id.1",
};
const check = (answer: LaunchPreviewLines | undefined, isStale = false) => ({ answer, isStale, error: null });

test("what is missing is told in the order of the form, without reproach", () => {
  expect(launchBlock({ ...form, target: null, text: "" }, check(undefined))).toMatchObject({
    place: "target",
    tone: "missing",
  });
  expect(launchBlock({ ...form, text: " \n" }, check(fine))).toMatchObject({ place: "instruction", tone: "missing" });
  expect(launchBlock({ ...form, bytes: 1_048_577 }, check(undefined))).toMatchObject({
    place: "instruction",
    error_code: "payload_too_large",
  });
});

test("a refusal blocks at its place; while it is checked again it does not accuse", () => {
  expect(launchBlock(form, check(refused))).toMatchObject({
    place: "boxes",
    index: 1,
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
  expect(refusalPlace({ error: "x", field: "args.target_ref" }, form)).toEqual({ place: "target" });
  expect(refusalPlace({ error: "x", field: "instruction" }, form)).toEqual({ place: "instruction" });
  expect(refusalPlace({ error: "unauthorized box_id b1" }, form)).toEqual({ place: "boxes", index: 0 });
  expect(refusalPlace({ error: "card c1 not found" }, form)).toEqual({ place: "cards", index: 0 });
  expect(refusalPlace({ error: "x", field: "args.context_card_ids" }, form)).toEqual({ place: "cards" });
  expect(refusalPlace({ error: "profile Planner not found" }, form)).toEqual({ place: "target" });
  expect(refusalPlace({ error: "the database cannot be reached" }, form)).toEqual({ place: "all" });
});
