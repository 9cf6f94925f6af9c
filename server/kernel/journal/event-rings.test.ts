import { expect, test } from "vitest";
import type { TaskFrame, TurnFrame } from "@/server/contract/frame";
import { eventRings } from "./event-rings";

const turn = (rev: number, status: TurnFrame["status"], id = "turn_1") =>
  ({
    kind: "turn",
    id,
    rev,
    status,
    agent_turn_id: id,
    agent_id: "a",
    turn_epoch: 2,
    output_box_id: "box",
    trace_id: "t",
    title: "secret words of the instruction",
    note: "secret words of the deliverable",
  }) as TurnFrame;
const task: TaskFrame = {
  kind: "task",
  id: "turn_1",
  rev: 5,
  status: "success",
  agent_id: "a",
  root_turn_id: "turn_0",
  output_box_id: "box",
  deliverable_card_id: "card",
};
const of = (...frames: Parameters<typeof eventRings>[0][number]["frame"][]) =>
  eventRings(frames.map((frame) => ({ project_id: "p", frame })));

test("of several frames of one turn the last one is sent, whatever their order", () => {
  expect(of(turn(4, "running"), turn(5, "success"), turn(3, "dispatched"))).toMatchObject([
    { event: "state", status: "success", rev: 5, agent_turn_id: "turn_1", turn_epoch: 2, trace_id: "t" },
  ]);
});

test("an end is sent as such, with the epoch and the trace of its turn", () => {
  expect(of(task, turn(5, "success"))).toMatchObject([
    { event: "state", status: "success" },
    { event: "task", status: "success", deliverable_card_id: "card", turn_epoch: 2, trace_id: "t" },
  ]);
});

test("two turns are two events, and other frames none", () => {
  const box = { kind: "box", id: "box", rev: 1, box_kind: "output", length: 1, token_sum: 1 } as const;
  expect(of(turn(1, "queued"), box, turn(1, "queued", "turn_2")).map((ring) => ring.agent_turn_id)).toEqual([
    "turn_1",
    "turn_2",
  ]);
});

test("no text is sent", () => {
  expect(JSON.stringify(of(turn(1, "queued"), task))).not.toContain("secret");
});
