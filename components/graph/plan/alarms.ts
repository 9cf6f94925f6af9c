// Alarms of turns, for the mark at their wagons and the figures of the yard. A rule that is muted silences all of its own.
import { alarmNames } from "@/components/domain/alarm-words";
import { type AlarmRule, alarmRules } from "@/server/contract/alarm-rules";
import type { AlarmFrame, Picture } from "@/server/contract/frame";
import { byTurn } from "./by-turn";

export const alarmsOf = byTurn<AlarmFrame>();

type Muting = Picture["alarm_rule"];

/** An alarm remembers the mute of its rule as it was; whether the rule is muted now is told by itself. */
export const isHeard = ({ muted, rule }: AlarmFrame, rules: Muting): boolean =>
  muted?.scope !== "this" && rules.get(rule)?.is_muted !== true;

/** "Window nearly full", "Late branch and 2 more alarms" */
export function alarmWords(alarms: readonly AlarmFrame[]): string | null {
  const [first] = alarms;
  if (first === undefined) return null;
  const more = alarms.length - 1;
  const name = alarmNames[first.rule];
  return more === 0 ? name : `${name} and ${more} more ${more === 1 ? "alarm" : "alarms"}`;
}

export type RuleCount = { rule: AlarmRule; count: number };

/** Of the runs that are shown, in the order of the rules. */
export function countAlarms(
  alarms: Picture["alarm"],
  rules: Muting,
  isShown: (rootTurnId: string) => boolean,
): RuleCount[] {
  const counts = new Map<AlarmRule, number>();
  for (const alarm of alarms.values())
    if (isHeard(alarm, rules) && isShown(alarm.root_turn_id)) counts.set(alarm.rule, (counts.get(alarm.rule) ?? 0) + 1);
  return alarmRules.flatMap((rule) => {
    const count = counts.get(rule);
    return count === undefined ? [] : [{ rule, count }];
  });
}
