// What a mute changed, told to lists and the yard: one alarm, or a rule as a whole. A rule may have thousands of alarms.
import type { Alarm } from "@/server/contract/alarm";
import type { AlarmRule, MuteScope } from "@/server/contract/alarm-rules";
import type { Unit } from "../unit";
import {
  ALARM_COLUMNS,
  type AlarmRow,
  alarmFrame,
  alarmOf,
  alarmRuleFrame,
  MUTE_JOIN,
  type RuleMuteRow,
} from "./alarm-row";
import { type AlarmKey, readAlarm } from "./read-alarm";

const TOUCH = `
  WITH a AS (
    UPDATE state.alarms a SET rev = a.rev + 1 WHERE a.project_id = $1 AND a.alarm_id = $2
    RETURNING a.project_id, a.alarm_id, a.rule, a.subject_kind, a.subject_id, a.root_turn_id, a.agent_turn_id, a.figures, a.found_at, a.rev
  )
  SELECT ${ALARM_COLUMNS} FROM a ${MUTE_JOIN}`;
const RULE = `
  SELECT m.rule, m.scope, m.person, m.reason, m.muted_at, m.is_muted, m.rev FROM state.alarm_mutes m
  WHERE m.project_id = $1 AND m.rule = $2 AND m.alarm_id = ''`;

type Told = AlarmKey & { scope: MuteScope; rule: AlarmRule };

/** The alarm as it is now. */
export async function tellMute(unit: Unit, { project_id, alarm_id, scope, rule }: Told): Promise<Alarm> {
  if (scope === "this") {
    const [row] = await unit.query<AlarmRow>("alarm_touch", TOUCH, [project_id, alarm_id]);
    if (!row) throw new Error(`alarm ${alarm_id} was muted and is gone`);
    unit.frame(project_id, alarmFrame(row));
    return alarmOf(row);
  }
  for (const mute of await unit.query<RuleMuteRow>("alarm_rule", RULE, [project_id, rule]))
    unit.frame(project_id, alarmRuleFrame(mute));
  return readAlarm(unit, { project_id, alarm_id });
}
