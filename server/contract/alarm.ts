// Alarms: what a sweep finds after a turn or a batch has ended, the thresholds of its rules, and how people mute it.
import * as z from "zod";
import { type AlarmRule, type AlarmSubject, alarmRules, type MuteScope, muteScopes } from "./alarm-rules";
import { INT_MAX } from "./bounds";
import { Id, User } from "./ids";
import { PageQuery } from "./page";

const tokens = z.int().min(0).max(INT_MAX);
const share = z.number().min(0).max(1);
const times = z.int().min(1).max(100_000);

/** When a rule holds. A rule asks for more than its number; `loop_times` is reached. */
export const AlarmLimits = z.strictObject({
  sibling_lacks_tokens: tokens,
  passed_unseen_share: share,
  passed_unseen_tokens: tokens,
  paid_often_times: times,
  paid_often_tokens: tokens,
  pressure_share: share,
  prefix_broken_share: share,
  /** Shorter requests are cached by no provider. */
  prefix_broken_tokens: tokens,
  loop_times: z.int().min(2).max(64),
  late_times: z.number().min(1).max(1_000),
  /** A branch that takes less is never late. */
  late_ms: z.int().min(0).max(86_400_000),
});
export type AlarmLimits = z.infer<typeof AlarmLimits>;

/** A new threshold for this project, or null for the program's. What is left out stays. */
export const AlarmLimitsPatch = z.strictObject({
  sibling_lacks_tokens: tokens.nullable().optional(),
  passed_unseen_share: share.nullable().optional(),
  passed_unseen_tokens: tokens.nullable().optional(),
  paid_often_times: times.nullable().optional(),
  paid_often_tokens: tokens.nullable().optional(),
  pressure_share: share.nullable().optional(),
  prefix_broken_share: share.nullable().optional(),
  prefix_broken_tokens: tokens.nullable().optional(),
  loop_times: AlarmLimits.shape.loop_times.nullable().optional(),
  late_times: AlarmLimits.shape.late_times.nullable().optional(),
  late_ms: AlarmLimits.shape.late_ms.nullable().optional(),
});
export type AlarmLimitsPatch = z.infer<typeof AlarmLimitsPatch>;

/** What a rule counted, and the threshold it was compared with. Never a text of a card. */
export type AlarmFigures = Record<string, number | string>;

export type AlarmMute = { scope: MuteScope; person: string; reason: string; muted_at: string };

export type Alarm = {
  alarm_id: string;
  rule: AlarmRule;
  subject_kind: AlarmSubject;
  subject_id: string;
  /** The run in which it was found, and the turn where to look. */
  root_turn_id: string;
  agent_turn_id: string;
  figures: AlarmFigures;
  found_at: string;
  rev: number;
  muted?: AlarmMute;
};

export const AlarmQuery = PageQuery.extend({
  rule: z.enum(alarmRules).optional(),
  root_turn_id: Id.optional(),
  /** A turn, box, card or batch: alarms about it, and those found in this turn or in a branch of this batch. */
  subject_id: Id.optional(),
  muted: z.enum(["true", "false"]).optional(),
});
export type AlarmQuery = z.infer<typeof AlarmQuery>;

const reason = z.string().trim().min(1, "say why, in at most 500 characters").max(500);
export const MuteBody = z.strictObject({ reason, scope: z.enum(muteScopes).default("this"), user: User });
export const UnmuteBody = z.strictObject({ scope: z.enum(muteScopes).default("this") });
