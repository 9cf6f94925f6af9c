// The rules of alarms, by name. Without shapes, so that the browser's first page loads none of what parses them.
export const alarmRules = [
  "sibling_lacks",
  "left_behind",
  "passed_unseen",
  "off_recipe",
  "paid_often",
  "pressure",
  "prefix_broken",
  "loop",
  "no_reader",
  "secret",
  "late",
] as const;
export type AlarmRule = (typeof alarmRules)[number];

export const alarmSubjects = ["turn", "batch", "box", "card", "agent"] as const;
export type AlarmSubject = (typeof alarmSubjects)[number];

export const muteScopes = ["this", "rule"] as const;
export type MuteScope = (typeof muteScopes)[number];

/** Of those that a yard begins with, the newest. */
export const ALARMS_SHOWN = 1_000;
