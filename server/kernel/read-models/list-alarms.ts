// The alarms of a project, newest first, with the turn where to look, and how many each rule has.
import type { AlarmQuery } from "@/server/contract/alarm";
import type { AlarmCount, AlarmLine, AlarmPage } from "@/server/contract/alarm-page";
import { alarmRules } from "@/server/contract/alarm-rules";
import { ALARM_COLUMNS, type AlarmRow, alarmOf, MUTE_JOIN } from "../alarms/alarm-row";
import { AT, formatPageCursor, parsePageCursor } from "../cardbox/page-cursor";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readProject } from "../roster/read-project";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

const OF = `a.project_id = $1 AND ($2::text IS NULL OR a.root_turn_id = $2)
  AND ($3::text IS NULL OR a.subject_id = $3 OR a.agent_turn_id = ANY (ARRAY[$3] || ARRAY(
    SELECT o.agent_turn_id FROM state.agent_turns o WHERE o.project_id = $1 AND o.batch_id = $3)))`;
const LIST = `
  SELECT ${ALARM_COLUMNS}, ${AT("a.found_at")}, (SELECT to_jsonb(t) FROM (SELECT ${TURN_REF} FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.agent_turn_id = a.agent_turn_id) t) AS turn,
    (SELECT r.number FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = a.root_turn_id) AS run_number
  FROM state.alarms a ${MUTE_JOIN}
  WHERE ${OF} AND ($4::text IS NULL OR a.rule = $4) AND ($5::boolean IS NULL OR (m.scope IS NOT NULL) = $5)
    AND ($6::timestamptz IS NULL OR (a.found_at, a.alarm_id) < ($6::timestamptz, $7::text))
  ORDER BY a.found_at DESC, a.alarm_id DESC LIMIT $8`;
const COUNTS = `
  SELECT a.rule, (count(*) FILTER (WHERE m.scope IS NULL))::int AS active, (count(*) FILTER (WHERE m.scope IS NOT NULL))::int AS muted
  FROM state.alarms a ${MUTE_JOIN} WHERE ${OF} GROUP BY a.rule`;

type Row = AlarmRow & { at: string; turn: TurnRefRow | null; run_number: number | null };

/** not_found for an unknown project, bad_request for a cursor of another one. */
export async function listAlarms(kernel: Kernel, query: AlarmQuery & { project_id: string }): Promise<AlarmPage> {
  const { project_id, limit, muted } = query;
  const after = parsePageCursor(project_id, query.cursor);
  await readProject(kernel, project_id);
  // Read first: an alarm that is found meanwhile is listed, and its frame tells of it once more.
  const live_cursor = await readCursor(kernel, project_id);
  const of = [project_id, query.root_turn_id ?? null, query.subject_id ?? null];
  const [rows, counts] = await Promise.all([
    read<Row>(kernel, "alarms_list", LIST, [
      ...of,
      query.rule ?? null,
      muted === undefined ? null : muted === "true",
      after?.at ?? null,
      after?.id ?? null,
      limit + 1,
    ]),
    read<AlarmCount>(kernel, "alarms_count", COUNTS, of),
  ]);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(lineOf),
    live_cursor,
    counts: alarmRules.flatMap((rule) => counts.find((one) => one.rule === rule) ?? []),
    ...(last && { next_cursor: formatPageCursor(project_id, { at: last.at, id: last.alarm_id }) }),
  };
}

const lineOf = ({ turn, run_number, ...row }: Row): AlarmLine => ({
  ...alarmOf(row),
  ...(turn && { turn: turnRef(turn) }),
  ...(run_number !== null && { run_number }),
});
