// Rows of alarms with the mute that silences them, and the frames that lists and the yard read.
import type { Alarm, AlarmMute } from "@/server/contract/alarm";
import type { AlarmRule, MuteScope } from "@/server/contract/alarm-rules";
import type { AlarmFrame, AlarmRuleFrame } from "@/server/contract/frame";

/** For `state.alarms a`; needs MUTE_JOIN. */
export const ALARM_COLUMNS = `a.alarm_id, a.rule, a.subject_kind, a.subject_id, a.root_turn_id, a.agent_turn_id, a.figures, a.found_at, a.rev,
  m.scope, m.person, m.reason, m.muted_at`;

/** Its own mute, or else its rule's. */
export const MUTE_JOIN = `LEFT JOIN LATERAL (SELECT u.scope, u.person, u.reason, u.muted_at FROM state.alarm_mutes u
    WHERE u.project_id = a.project_id AND u.rule = a.rule AND u.alarm_id IN (a.alarm_id, '') AND u.is_muted
    ORDER BY u.alarm_id DESC LIMIT 1) m ON true`;

export type MuteRow = {
  scope: MuteScope | null;
  person: string | null;
  reason: string | null;
  muted_at: string | null;
};
export type AlarmRow = Omit<Alarm, "muted"> & MuteRow;

function muteOf({ scope, person, reason, muted_at }: MuteRow): AlarmMute | undefined {
  if (scope === null || person === null || reason === null || muted_at === null) return undefined;
  return { scope, person, reason, muted_at: new Date(muted_at).toISOString() };
}

export function alarmOf(row: AlarmRow): Alarm {
  const muted = muteOf(row);
  return {
    alarm_id: row.alarm_id,
    rule: row.rule,
    subject_kind: row.subject_kind,
    subject_id: row.subject_id,
    root_turn_id: row.root_turn_id,
    agent_turn_id: row.agent_turn_id,
    figures: row.figures,
    found_at: new Date(row.found_at).toISOString(),
    rev: row.rev,
    ...(muted && { muted }),
  };
}

export const alarmFrame = (row: AlarmRow): AlarmFrame => ({ kind: "alarm", id: row.alarm_id, ...alarmOf(row) });

/** The mute of a whole rule; one that was lifted too, for its rev. */
export type RuleMuteRow = MuteRow & { rule: AlarmRule; is_muted: boolean; rev: number };

export function alarmRuleFrame({ rule, rev, is_muted, ...row }: RuleMuteRow): AlarmRuleFrame {
  const muted = is_muted ? muteOf(row) : undefined;
  return { kind: "alarm_rule", id: rule, rev, is_muted, ...(muted && { muted }) };
}
