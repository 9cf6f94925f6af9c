import { describe, expect, test } from "vitest";
import type { TranscriptLine } from "@/server/contract/answers/transcript";
import { spokenLine } from "./line-words";
import { chosenIndex, isContinued, linesOf, newSince, tailFrom, turnOf } from "./lines";

const line = (id: string, more: Partial<TranscriptLine> = {}): TranscriptLine => ({
  line_id: id,
  card_id: `card ${id}`,
  agent_turn_id: "t1",
  headcode: "1P01",
  kind: "said",
  from: "planner",
  from_name: "Planner",
  at: "2026-01-01T00:00:00.000000Z",
  type: "agent.thought",
  text: "x",
  letters: 1,
  ...more,
});
const asked = line("b", { kind: "asked", to_turn_id: "t2", to_headcode: "2S01", to: "searcher", to_name: "Searcher" });
const lines = [line("a"), asked, line("c", { agent_turn_id: "t2", from: "searcher", from_name: "Searcher" })];

describe("which line is meant", () => {
  test("that of the card, else the first of the turn, which may be its task", () => {
    expect(chosenIndex(lines, { turn: "t2", card: "card c" })).toBe(2);
    expect(chosenIndex(lines, { turn: "t2", card: null })).toBe(1);
    expect(chosenIndex(lines, { turn: "t2", card: "card gone" })).toBe(1);
    expect(chosenIndex(lines, { turn: null, card: "card a" })).toBe(0);
    expect(chosenIndex(lines, { turn: null, card: null })).toBe(-1);
    expect(chosenIndex(lines, { turn: "t9", card: null })).toBe(-1);
  });

  test("a task stands for the turn that it begins, a marked one for the turn that made the mistake", () => {
    expect(turnOf(asked)).toBe("t2");
    expect(turnOf({ ...asked, mistake: "wrong task" })).toBe("t1");
    expect(turnOf(line("a"))).toBe("t1");
  });
});

test("a line that stands on two pages is listed once", () => {
  expect(linesOf([{ items: [line("a"), asked] }, { items: [asked, line("c")] }]).map((one) => one.line_id)).toEqual([
    "a",
    "b",
    "c",
  ]);
});

test("the last two pages are read again, and what came behind the last one seen is counted", () => {
  expect([1, 2, 3, 9].map((count) => tailFrom(Array.from({ length: count })))).toEqual([0, 0, 1, 7]);
  expect(newSince(lines, "a")).toBe(2);
  expect(newSince(lines, "c")).toBe(0);
  expect(newSince(lines, null)).toBe(0);
  expect(newSince(lines, "gone")).toBe(0);
});

test("who speaks again in the same turn is not named twice", () => {
  expect(isContinued(line("b"), line("a"))).toBe(true);
  expect(isContinued(asked, line("a"))).toBe(false);
  expect(isContinued(line("b", { agent_turn_id: "t2" }), line("a"))).toBe(false);
  expect(isContinued(line("a"), undefined)).toBe(false);
});

test.each<[Partial<TranscriptLine>, string]>([
  [asked, "Planner asked Searcher"],
  [{ kind: "asked", from: undefined, from_name: undefined, to: "s", to_name: "Searcher" }, "Searcher was asked"],
  [{ kind: "answered", to: "human_mara", to_name: "mara" }, "Planner answered mara"],
  [{ kind: "answered" }, "Planner said"],
  [{ kind: "failed", to: "s", to_name: "Searcher" }, "Planner ended without an answer to Searcher"],
  [{ kind: "called", tool_name: "look_up" }, "Planner called look_up"],
  [{ kind: "result", tool_name: "look_up", status: "failed" }, "look_up returned to Planner, failed"],
  [{ kind: "asked_person" }, "Planner asked a person"],
  [{ kind: "person_answered", by: "human_ann", from: undefined, to: "p", to_name: "Planner" }, "ann answered Planner"],
  [{ mistake: "It guessed." }, "Planner said, named as the mistake"],
])("%o is said as %s", (more, words) => {
  expect(spokenLine(line("a", more))).toBe(words);
});
