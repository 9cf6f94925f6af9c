import { expect, test } from "vitest";
import type { Frame } from "@/server/contract/frame";
import type { BoxSheet } from "@/server/contract/line";
import { applyFrames } from "./use-box";

const sheet: BoxSheet = {
  box_id: "b1",
  project_id: "p",
  kind: "output",
  length: 2,
  token_sum: 20,
  consist: "A20",
  rev: 3,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  cursor: "c",
  turns: [],
  turn_count: 0,
  origins: [],
  marks: [],
};
const now = "2026-01-01T00:01:00.000Z";
const grown = (rev: number, length: number, id = "b1"): Frame => ({
  kind: "box",
  id,
  rev,
  box_kind: "output",
  length,
  token_sum: length * 10,
});
const turn = (more: Partial<Extract<Frame, { kind: "turn" }>>) =>
  ({
    kind: "turn",
    id: "t1",
    agent_turn_id: "t1",
    root_turn_id: "t0",
    headcode: "2S04",
    status: "running",
    context_box_id: "other",
    output_box_id: "b1",
    window_tokens: 1000,
    created_at: "2026-01-01T00:00:00.000Z",
    ...more,
  }) as Frame;

test("a box grows by its own frames, and an old one changes nothing", () => {
  expect(applyFrames(sheet, [grown(4, 3), grown(5, 4)], now)).toMatchObject({
    rev: 5,
    length: 4,
    token_sum: 40,
    updated_at: now,
  });
  expect(applyFrames(sheet, [grown(3, 9), grown(9, 9, "b2")], now)).toBe(sheet);
});

test("a turn that begins to write into it joins it, once, with its plate for the origins", () => {
  const joined = applyFrames(sheet, [turn({}), turn({ status: "success" })], now);
  expect(joined.turns).toHaveLength(1);
  expect(joined.turns[0]).toMatchObject({ agent_turn_id: "t1", use: "output", status: "success" });
  expect(joined.origins).toEqual([{ origin: "turn:t1", cards: 0, headcode: "2S04", agent_turn_id: "t1" }]);
  expect(applyFrames(joined, [turn({ status: "success" })], now)).toBe(joined);
});

test("turns of other boxes are none of it", () => {
  expect(applyFrames(sheet, [turn({ output_box_id: "b2" })], now)).toBe(sheet);
});
