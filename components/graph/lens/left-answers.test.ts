// Answers that stayed behind are told of at the lines of their callers, once each, and not where the alarm is muted.
import { expect, test } from "vitest";
import type { AlarmRule } from "@/server/contract/alarm-rules";
import type { AlarmFrame } from "@/server/contract/frame";
import { at, sampleTurn } from "../testing/sample-frames";
import { leftAnswers } from "./left-answers";

const turn = new Map(
  [
    sampleTurn("boss", { headcode: "1P01" }),
    sampleTurn("writer", { headcode: "2W02", parent_turn_id: "boss" }),
    sampleTurn("expert", { headcode: "2E01", parent_turn_id: "boss" }),
    sampleTurn("deep", { headcode: "3E01", parent_turn_id: "expert" }),
  ].map((one) => [one.agent_turn_id, one]),
);
const alarm = (rule: AlarmRule, subject_id: string, more: Partial<AlarmFrame> = {}): [string, AlarmFrame] => [
  `${rule} ${subject_id}`,
  {
    ...{ kind: "alarm", id: `${rule} ${subject_id}`, alarm_id: `${rule} ${subject_id}`, rule, subject_kind: "turn" },
    ...{ subject_id, root_turn_id: "boss", agent_turn_id: subject_id, figures: { cards: 1, tokens: 1186 } },
    ...{ found_at: at(0), rev: 1, ...more },
  },
];
const found = (alarms: [string, AlarmFrame][], ids: string[], isMuted = false) =>
  leftAnswers(
    {
      turn,
      alarm: new Map(alarms),
      alarm_rule: new Map(
        isMuted ? [["left_behind", { kind: "alarm_rule", id: "left_behind", rev: 1, is_muted: true }]] : [],
      ),
    },
    ids,
  ).map((one) => [one.turn.headcode, one.tokens, one.isUnread]);

test("of a turn and of those it called, by headcode; nobody's reading says more than the caller's", () => {
  const alarms = [alarm("left_behind", "writer"), alarm("no_reader", "expert"), alarm("left_behind", "expert")];
  expect(found(alarms, ["boss", "x"])).toEqual([
    ["2E01", 1186, true],
    ["2W02", 1186, false],
  ]);
  expect(found(alarms, ["writer"])).toEqual([["2W02", 1186, false]]);
  expect(found([alarm("left_behind", "deep")], ["boss"])).toEqual([]);
});

test("not another rule, and not what is muted, alone or with its rule", () => {
  const muted = { scope: "this" as const, person: "ann", reason: "known", muted_at: at(1) };
  expect(found([alarm("pressure", "expert"), alarm("left_behind", "expert", { muted })], ["boss"])).toEqual([]);
  expect(found([alarm("left_behind", "expert")], ["boss"], true)).toEqual([]);
});
