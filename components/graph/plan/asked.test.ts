import { expect, test } from "vitest";
import type { HumanRequestFrame } from "@/server/contract/frame";
import { askedWords, requestsOf } from "./asked";

const request = (id: string, more: Partial<HumanRequestFrame> = {}): HumanRequestFrame => ({
  kind: "human_request",
  id,
  rev: 1,
  request_kind: "question",
  status: "open",
  agent_id: "a",
  agent_turn_id: "turn_1",
  root_turn_id: "turn_0",
  turn_epoch: 1,
  tool_call_id: `tc_${id}`,
  tool_name: "ask_human",
  title: "Which one?",
  is_edited: false,
  created_at: "2026-11-22T10:00:00.000Z",
  ...more,
});

test.each([
  [[], null],
  [[request("1")], "waits for you: Which one?"],
  [[request("1", { status: "answered" })], null],
  [[request("1", { request_kind: "approval", title: "pay" })], "asks for approval to call pay?"],
  [[request("1"), request("2")], "waits for you, 2 times"],
])("%#", (requests, words) => {
  expect(askedWords(requests)).toBe(words);
});

test("a turn has its own, and the same list for as long as nothing changes", () => {
  const frames = new Map([request("1"), request("2", { agent_turn_id: "turn_2" })].map((one) => [one.id, one]));
  expect(requestsOf(frames, "turn_1").map((one) => one.id)).toEqual(["1"]);
  expect(requestsOf(frames, "turn_1")).toBe(requestsOf(frames, "turn_1"));
  expect(requestsOf(frames, "turn_3")).toEqual([]);
});
