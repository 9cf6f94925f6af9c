import { expect, test } from "vitest";
import type { HandoverRow } from "@/server/contract/handover-diff";
import { alignedRows, cardOf, type DrawnRow, readingRows } from "./aligned-rows";

const line = (card_id: string, token_count = 10) => ({
  card_id,
  type: "note",
  role: "user" as const,
  author_id: "a",
  token_count,
  title: card_id,
  created_at: "2026-01-01T00:00:00.000Z",
});
const had = (id: string, at: number, part: "system" | "context" | "output" = "context", tokens = 10) => ({
  ...line(id, tokens),
  at,
  in: part,
});
const packed = (id: string, at: number) => ({ ...line(id), at, origin: "inherited" });
const saw = (id: string, at: number, part: "system" | "context" | "memory" = "context") => ({
  ...line(id),
  at,
  in: part,
});

const prompt: HandoverRow = { verdict: "withheld", had: had("sys", 0, "system") };
const passed: HandoverRow = { verdict: "passed", had: had("a", 1), packed: packed("a", 0), saw: saw("a", 1) };
const added: HandoverRow = { verdict: "added", packed: packed("task", 1), saw: saw("task", 2) };
const profile: HandoverRow = { verdict: "added", saw: saw("mine", 0, "system") };
const unsent: HandoverRow = { verdict: "not_sent", packed: packed("meta", 2) };
const leftOut: HandoverRow = { verdict: "left_out", card: line("gone") };

const rowsOf = (rows: HandoverRow[]) => alignedRows(rows).filter((one): one is DrawnRow => "row" in one);

test("a card goes through, stops, or starts, in each gap", () => {
  expect(rowsOf([prompt, passed, added, profile, unsent, leftOut]).map(({ crossings }) => crossings)).toEqual([
    ["stops", "none"],
    ["through", "through"],
    ["starts", "through"],
    ["none", "starts"],
    ["starts", "stops"],
    ["none", "none"],
  ]);
});

test("a heading stands where a column goes on in another box, once", () => {
  const headings = alignedRows([prompt, profile, passed, { ...passed, had: had("b", 2), saw: saw("b", 3) }]).flatMap(
    (one) => ("heading" in one ? one.heading : []),
  );
  expect(headings).toEqual([{ had: "system" }, { saw: "system" }, { had: "context", saw: "context" }]);
});

test("a heavier card has a heavier track, within bounds", () => {
  const weights = [0, 10, 500, 8_000, 900_000].map(
    (tokens) => rowsOf([{ verdict: "withheld", had: had("x", 0, "context", tokens) }])[0]?.weight ?? 0,
  );
  expect(weights).toEqual([...weights].sort((a, b) => a - b));
  expect(weights[0]).toBe(1.5);
  expect(weights.at(-1)).toBe(6);
});

test("in reading order each column is a list of its own", () => {
  const { had: first, packed: second, saw: third } = readingRows([added, passed, prompt, profile]);
  expect(first.map(({ key }) => key)).toEqual(["sys", "a"]);
  expect(second.map(({ key }) => key)).toEqual(["a", "task"]);
  expect(third.map(({ key }) => key)).toEqual(["mine", "a", "task"]);
});

test("the row is about the card as the callee saw it, else as far as it came", () => {
  expect(cardOf({ ...passed, verdict: "rewritten", saw: saw("copy", 1) })?.card_id).toBe("copy");
  expect(cardOf(leftOut)?.card_id).toBe("gone");
});
