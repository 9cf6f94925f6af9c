// What is written in a field of a limit, and the number that is kept.
import { expect, test } from "vitest";
import { AlarmLimits } from "@/server/contract/alarm";
import { alarmRules } from "@/server/contract/alarm-rules";
import { type LimitName, limits, patchOf, readLimit, textsOf } from "./limits-form";

const defaults: AlarmLimits = {
  ...{ sibling_lacks_tokens: 200, passed_unseen_share: 0.5, passed_unseen_tokens: 1_000, paid_often_times: 20 },
  ...{ paid_often_tokens: 20_000, pressure_share: 0.8, prefix_broken_share: 0.29, prefix_broken_tokens: 1_024 },
  ...{ loop_times: 3, late_times: 3, late_ms: 1_500 },
};
const limitOf = (name: LimitName) => {
  const found = limits.find((limit) => limit.name === name);
  if (!found) throw new Error(`no field for ${name}`);
  return found;
};

test("every limit has a field, and belongs to a rule", () => {
  expect(limits.map(({ name }) => name).sort()).toEqual(Object.keys(AlarmLimits.shape).sort());
  for (const { rule, name } of limits) {
    expect(alarmRules).toContain(rule);
    expect(name.startsWith(rule)).toBe(true);
  }
});

test("every default is written and read back as it is", () => {
  const texts = textsOf(defaults);
  expect(texts).toMatchObject({ pressure_share: "80", prefix_broken_share: "29", late_ms: "1.5", loop_times: "3" });
  for (const limit of limits) expect(readLimit(limit, texts[limit.name])).toEqual({ value: defaults[limit.name] });
  expect(patchOf(texts, defaults, defaults)).toEqual({});
});

test.each([
  ["pressure_share", "90.5", { value: 0.905 }],
  ["paid_often_tokens", "25,000", { value: 25_000 }],
  ["pressure_share", "101", { error: "Write a number between 0 and 100." }],
  ["loop_times", "1", { error: "Write a number between 2 and 64." }],
  ["loop_times", "2.5", { error: "Write a whole number between 2 and 64." }],
  ["late_times", "2.5", { value: 2.5 }],
  ["late_ms", "0.25", { value: 250 }],
  ["late_ms", "90000", { error: "Write a number between 0 and 86,400." }],
  ["late_ms", "", { error: "Write a number between 0 and 86,400." }],
  ["sibling_lacks_tokens", "-1", { error: expect.stringContaining("between 0 and") }],
] as const)("%s written as %j", (name, text, expected) => {
  expect(readLimit(limitOf(name), text)).toEqual(expected);
});

test("only what was changed is sent, and back at the default it is the program's again", () => {
  const holds = { ...defaults, loop_times: 5 };
  const texts = { ...textsOf(holds), loop_times: "3", pressure_share: "95" };
  expect(patchOf(texts, holds, defaults)).toEqual({ loop_times: null, pressure_share: 0.95 });
});
