// A mute is lifted. An alarm that only its rule's mute silences cannot be heard by itself: the refusal says what to lift.
import type { Alarm } from "@/server/contract/alarm";
import type { AlarmRule, MuteScope } from "@/server/contract/alarm-rules";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { type AlarmKey, readAlarm } from "./read-alarm";
import { tellMute } from "./tell-mute";

export type UnmuteAlarm = AlarmKey & { scope: MuteScope };

const UNMUTE = `
  UPDATE state.alarm_mutes m SET is_muted = false, rev = m.rev + 1
  FROM state.alarms a
  WHERE a.project_id = $1 AND a.alarm_id = $2 AND m.project_id = $1 AND m.rule = a.rule AND m.is_muted
    AND m.alarm_id = CASE WHEN $3 = 'this' THEN a.alarm_id ELSE '' END
  RETURNING m.rule`;

/** Done twice, it changes nothing. not_found for an unknown alarm, conflict if its rule is muted and `scope` is `this`. */
export async function unmuteAlarm(kernel: Kernel, input: UnmuteAlarm): Promise<Alarm> {
  const { project_id, alarm_id, scope } = input;
  return withUnit(kernel, async (unit) => {
    const [mute] = await unit.query<{ rule: AlarmRule }>("alarm_unmute", UNMUTE, [project_id, alarm_id, scope]);
    if (mute) return tellMute(unit, { ...input, ...mute });
    const alarm = await readAlarm(unit, input);
    if (scope === "this" && alarm.muted)
      throw new KernelError(
        "conflict",
        `scope: the rule ${alarm.rule} is muted in this project, not this alarm alone; send scope "rule" to hear all alarms of the rule again`,
      );
    return alarm;
  });
}
