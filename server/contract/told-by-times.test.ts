import { describe, expect, it } from "vitest";
import type { BatchFrame, HumanRequestFrame, TurnFrame } from "./frame";
import { emptyPicture } from "./frame";
import { joinedWork, pictureAt } from "./run-history";
import { toldByTimes } from "./told-by-times";

const FROM = Date.parse("2026-11-22T10:00:00.000Z");
const at = (seconds: number) => new Date(FROM + seconds * 1000).toISOString();
const turn = (id: string, over: Partial<TurnFrame> = {}): TurnFrame => ({
  kind: "turn",
  id,
  rev: 7,
  agent_turn_id: id,
  agent_id: id,
  profile_name: "Lead",
  worker_target: "w",
  is_human: false,
  status: "success",
  turn_epoch: 1,
  attempt: 1,
  root_turn_id: "a",
  primitive: "delegate_async",
  depth: 1,
  trace_id: "t",
  headcode: "1L01",
  title: "Lead",
  profile_box_id: "p",
  context_box_id: "c",
  step_count: 2,
  context_cards: 1,
  context_tokens: 10,
  context_consist: "U10",
  output_cards: 2,
  output_tokens: 20,
  output_consist: "A20",
  tokens_in: 30,
  tokens_out: 12,
  deliverable_card_id: "d",
  created_at: at(0),
  leased_at: at(1),
  started_at: at(2),
  ended_at: at(20),
  ...over,
});
const batch: BatchFrame = {
  kind: "batch",
  id: "b",
  batch_id: "b",
  tool_name: "fork_join",
  root_turn_id: "a",
  parent_agent_id: "a",
  parent_agent_turn_id: "a",
  parent_tool_call_id: "c",
  task_count: 1,
  fail_fast: false,
  status: "success",
  rev: 2,
  created_at: at(5),
  ended_at: at(15),
};
const steps = new Map([
  [
    "a",
    [
      { started_at: at(2), ended_at: at(4), tokens_in: 10, tokens_out: 5 },
      { started_at: at(16), ended_at: at(19), tokens_in: 20, tokens_out: 7 },
    ],
  ],
]);
const seen = (seconds: number) => {
  const picture = pictureAt(emptyPicture(), toldByTimes([turn("a"), batch], steps), FROM + seconds * 1000);
  return { turn: picture.turn.get("a"), batch: picture.batch.get("b") };
};

describe("a run that its rows' times tell", () => {
  it("queues, is taken, begins, waits for its batch, goes on and ends", () => {
    expect([0, 1, 2, 6, 15, 20].map((second) => seen(second).turn?.status)).toEqual([
      "queued",
      "dispatched",
      "running",
      "suspended",
      "running",
      "success",
    ]);
  });

  it("has used by then what its steps had used", () => {
    expect([1, 3, 6, 17, 20].map((s) => [seen(s).turn?.step_count, seen(s).turn?.tokens_in])).toEqual([
      [0, 0],
      [1, 0],
      [1, 10],
      [2, 10],
      [2, 30],
    ]);
  });

  it("says nothing of an unfinished turn's writing that no card dates, and at the end is the frame of now", () => {
    expect(seen(19).turn).toMatchObject({ output_cards: 0, output_consist: "" });
    expect(seen(19).turn?.deliverable_card_id).toBeUndefined();
    expect(seen(20)).toEqual({ turn: turn("a"), batch });
  });

  it("has written by then what its cards say, where they are dated", () => {
    const cards = [
      { created_at: at(4), role: "assistant" as const, tokens: 8 },
      { created_at: at(4), role: "tool" as const, tokens: 5 },
      { created_at: at(19), role: "assistant" as const, tokens: 7 },
      // With the end, which is told by the frame of now.
      { created_at: at(20), role: "assistant" as const, tokens: 3 },
    ];
    const told = toldByTimes([turn("a"), batch], steps, new Map([["a", cards]]));
    const wrote = (second: number) => {
      const one = pictureAt(emptyPicture(), told, FROM + second * 1000).turn.get("a");
      return [one?.output_cards, one?.output_tokens, one?.output_consist];
    };
    expect([3, 4, 18, 19].map(wrote)).toEqual([
      [0, 0, ""],
      [2, 13, "A8 T5"],
      [2, 13, "A8 T5"],
      [3, 20, "A8 T5 A7"],
    ]);
    expect(wrote(20)).toEqual([2, 20, "A20"]);
  });

  it("opens a batch and a request until they end", () => {
    expect([seen(4).batch, seen(6).batch?.status, seen(15).batch?.status]).toEqual([undefined, "running", "success"]);
    const request = {
      kind: "human_request",
      id: "q",
      rev: 2,
      status: "approved",
      agent_turn_id: "a",
      created_at: at(6),
      decided_at: at(9),
    } as unknown as HumanRequestFrame;
    const told = toldByTimes([turn("a"), request], new Map());
    const at7 = pictureAt(emptyPicture(), told, FROM + 7_000);
    expect([at7.human_request.get("q")?.status, at7.turn.get("a")?.status]).toEqual(["open", "suspended"]);
  });

  it("joins work that overlaps, and leaves the end open of what goes on", () => {
    expect(
      joinedWork([
        [5, 9],
        [0, 3],
        [2, 4],
      ]),
    ).toEqual([
      [0, 4],
      [5, 9],
    ]);
    expect(
      joinedWork([
        [0, 3],
        [2, null],
        [7, 8],
      ]),
    ).toEqual([[0, null]]);
  });
});
