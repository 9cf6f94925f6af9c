// A person mutes an alarm, or its rule in this project: it stays in the list, and is no longer counted or marked. To mute what
// is muted replaces the reason.
import type { Alarm } from "@/server/contract/alarm";
import type { AlarmRule, MuteScope } from "@/server/contract/alarm-rules";
import { refuseBadText } from "@/server/contract/text";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { type AlarmKey, readAlarm } from "./read-alarm";
import { tellMute } from "./tell-mute";

export type MuteAlarm = AlarmKey & { scope: MuteScope; person: string; reason: string };

const MUTE = `
  INSERT INTO state.alarm_mutes AS m (project_id, rule, alarm_id, scope, person, reason)
  SELECT a.project_id, a.rule, CASE WHEN $3 = 'this' THEN a.alarm_id ELSE '' END, $3, $4, $5
  FROM state.alarms a WHERE a.project_id = $1 AND a.alarm_id = $2
  ON CONFLICT (project_id, rule, alarm_id) DO UPDATE SET person = excluded.person, reason = excluded.reason, is_muted = true,
    muted_at = now(), rev = m.rev + 1
  RETURNING m.rule`;

/** not_found for an unknown alarm and for one of another project alike. */
export async function muteAlarm(kernel: Kernel, input: MuteAlarm): Promise<Alarm> {
  refuseBadText(input);
  const { project_id, alarm_id, scope, person, reason } = input;
  return withUnit(kernel, async (unit) => {
    const [mute] = await unit.query<{ rule: AlarmRule }>("alarm_mute", MUTE, [
      project_id,
      alarm_id,
      scope,
      person,
      reason,
    ]);
    if (!mute) return readAlarm(unit, input);
    return tellMute(unit, { ...input, ...mute });
  });
}
