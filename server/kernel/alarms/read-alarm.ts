// One alarm with the mute that silences it.
import type { Alarm } from "@/server/contract/alarm";
import { KernelError } from "@/server/contract/errors";
import { type Reader, read } from "../reader";
import { ALARM_COLUMNS, type AlarmRow, alarmOf, MUTE_JOIN } from "./alarm-row";

const ONE = `SELECT ${ALARM_COLUMNS} FROM state.alarms a ${MUTE_JOIN} WHERE a.project_id = $1 AND a.alarm_id = $2`;

export type AlarmKey = { project_id: string; alarm_id: string };

/** not_found for an unknown alarm and for one of another project alike. */
export async function readAlarm(reader: Reader, { project_id, alarm_id }: AlarmKey): Promise<Alarm> {
  const [row] = await read<AlarmRow>(reader, "alarm_one", ONE, [project_id, alarm_id]);
  if (!row)
    throw new KernelError(
      "not_found",
      `alarm ${alarm_id} not found in project ${project_id}; list the project's alarms`,
    );
  return alarmOf(row);
}
