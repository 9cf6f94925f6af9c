import { expect, test } from "vitest";
import type { AlarmFrame, AlarmRuleFrame } from "@/server/contract/frame";
import { alarmsOf, alarmWords, countAlarms, isHeard } from "./alarms";

const alarm = (id: string, rule: AlarmFrame["rule"], more: Partial<AlarmFrame> = {}): AlarmFrame => ({
  ...{ kind: "alarm", id, alarm_id: id, rule, rev: 1, subject_kind: "turn", subject_id: "t1", root_turn_id: "r1" },
  ...{ agent_turn_id: "t1", figures: {}, found_at: "2026-12-05T00:00:00Z", ...more },
});
const mute = (scope: "this" | "rule") => ({ scope, person: "ann", reason: "x", muted_at: "2026-12-05T00:00:00Z" });
const rule = (id: AlarmRuleFrame["id"], is_muted: boolean): [string, AlarmRuleFrame] => [
  id,
  { kind: "alarm_rule", id, rev: 1, is_muted },
];
const frames = (...list: AlarmFrame[]) => new Map(list.map((one) => [one.id, one]));

test("a mute of one silences it; that of a rule does as long as the rule says so", () => {
  const none = new Map<string, AlarmRuleFrame>();
  expect(isHeard(alarm("a", "late"), none)).toBe(true);
  expect(isHeard(alarm("a", "late", { muted: mute("this") }), none)).toBe(false);
  expect(isHeard(alarm("a", "late"), new Map([rule("late", true)]))).toBe(false);
  expect(isHeard(alarm("a", "late", { muted: mute("rule") }), new Map([rule("late", false)]))).toBe(true);
});

test("counts by rule, of the runs that are shown", () => {
  const all = frames(
    alarm("a", "late"),
    alarm("b", "secret"),
    alarm("c", "late"),
    alarm("d", "late", { root_turn_id: "r2" }),
    alarm("e", "loop"),
  );
  expect(countAlarms(all, new Map([rule("loop", true)]), (root) => root === "r1")).toEqual([
    { rule: "secret", count: 1 },
    { rule: "late", count: 2 },
  ]);
});

test("what a wagon says", () => {
  const all = frames(alarm("a", "late"), alarm("b", "secret"), alarm("c", "late", { agent_turn_id: "t2" }));
  expect(alarmWords(alarmsOf(all, "t1"))).toBe("Late branch and 1 more alarm");
  expect(alarmWords(alarmsOf(all, "t2"))).toBe("Late branch");
  expect(alarmWords(alarmsOf(all, "t3"))).toBeNull();
});
