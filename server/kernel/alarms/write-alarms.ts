// What was found is written, and what was looked at is no longer due: one unit, so that a process that dies before it leaves
// all of it to the next one. A second finding of the same thing changes nothing.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { ALARM_COLUMNS, type AlarmRow, alarmFrame, MUTE_JOIN } from "./alarm-row";
import { type Found, subjectOf } from "./found";

export type WriteAlarms = {
  project_id: string;
  found: readonly Found[];
  /** Of alarm_due. Empty: it was found in what still runs. */
  due_ids: readonly number[];
};

// The project's row: it may have been deleted since.
const WRITE = `
  WITH given AS (
    SELECT g.alarm_id, g.rule, g.subject_kind, g.subject_id, g.root_turn_id, g.agent_turn_id, g.figures
    FROM jsonb_to_recordset($2::jsonb) AS g(alarm_id text, rule text, subject_kind text, subject_id text, root_turn_id text,
      agent_turn_id text, figures jsonb)
  ), done AS (
    DELETE FROM state.alarm_due d WHERE d.project_id = $1 AND d.due_id = ANY ($3::bigint[])
  ), a AS (
    INSERT INTO state.alarms (project_id, alarm_id, rule, subject_kind, subject_id, root_turn_id, agent_turn_id, figures)
    SELECT p.project_id, g.alarm_id, g.rule, g.subject_kind, g.subject_id, g.root_turn_id, g.agent_turn_id, g.figures
    FROM given g JOIN projects p ON p.project_id = $1 AND p.removed_at IS NULL
    ON CONFLICT (project_id, rule, subject_id) DO NOTHING
    RETURNING project_id, alarm_id, rule, subject_kind, subject_id, root_turn_id, agent_turn_id, figures, found_at, rev
  )
  SELECT ${ALARM_COLUMNS} FROM a ${MUTE_JOIN}`;

/** How many were new. */
export async function writeAlarms(kernel: Kernel, { project_id, found, due_ids }: WriteAlarms): Promise<number> {
  // One statement cannot insert a row twice: several turns may tell of the same card.
  const once = new Map(found.map((one) => [`${one.rule} ${one.subject_id}`, one]));
  const given = [...once.values()].map((one) => ({
    ...one,
    alarm_id: kernel.newId("alarm_"),
    subject_kind: subjectOf[one.rule],
  }));
  return withUnit(kernel, async (unit) => {
    const rows = await unit.query<AlarmRow>("alarms_write", WRITE, [project_id, JSON.stringify(given), due_ids]);
    for (const row of rows) unit.frame(project_id, alarmFrame(row));
    return rows.length;
  });
}
