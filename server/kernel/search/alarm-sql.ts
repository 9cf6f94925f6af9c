// Whether something has an alarm, as SQL for the flags of a search. $1 is the project. Asked row by row, so that the walk by age
// stops at the end of the page.

const MUTED = `EXISTS (SELECT 1 FROM state.alarm_mutes m
  WHERE m.project_id = $1 AND m.rule = al.rule AND m.alarm_id IN (al.alarm_id, '') AND m.is_muted)`;

const flagsOf = (found: (muted: string) => string) => ({ alarm: found(`NOT ${MUTED}`), muted: found(MUTED) });

/** `own`: a condition on `state.alarms al`. */
export const alarmFlags = (own: string) =>
  flagsOf((muted) => `(SELECT true FROM state.alarms al WHERE al.project_id = $1 AND ${own} AND ${muted} LIMIT 1)`);

/** `own`: a condition on the turn `o` in which the alarm was found. */
export const alarmFlagsOfTurns = (own: string) =>
  flagsOf(
    (muted) => `(SELECT true FROM state.agent_turns o
      JOIN state.alarms al ON al.project_id = $1 AND al.agent_turn_id = o.agent_turn_id
      WHERE o.project_id = $1 AND ${own} AND ${muted} LIMIT 1)`,
  );
