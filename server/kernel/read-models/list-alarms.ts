// The alarms of a project, newest first, with the turn where to look, and how many each rule has.
import type { AlarmQuery } from "@/server/contract/alarm";
import type { AlarmCount, AlarmLine, AlarmPage } from "@/server/contract/alarm-page";
import { alarmRules } from "@/server/contract/alarm-rules";
import { COUNTED_MAX } from "@/server/contract/bounds";
import { ALARM_COLUMNS, type AlarmRow, alarmOf, MUTE_JOIN } from "../alarms/alarm-row";
import { AT, type Place } from "../cardbox/page-cursor";
import { type Filter, type WalkPieces, walk, written } from "../cardbox/walk";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read, UNPREPARED } from "../reader";
import { readProject } from "../roster/read-project";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

const OF_SUBJECT = `(a.subject_id = ? OR a.agent_turn_id = ANY (ARRAY[?::text] || ARRAY(
  SELECT o.agent_turn_id FROM state.agent_turns o WHERE o.project_id = $1 AND o.batch_id = ?)))`;
const LIST = (p: WalkPieces) => `
  SELECT ${ALARM_COLUMNS}, ${AT("a.found_at")}, (SELECT to_jsonb(t) FROM (SELECT ${TURN_REF} FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.agent_turn_id = a.agent_turn_id) t) AS turn,
    (SELECT r.number FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = a.root_turn_id) AS run_number
  FROM (SELECT a.project_id, a.alarm_id, a.rule, a.subject_kind, a.subject_id, a.root_turn_id, a.agent_turn_id, a.figures, a.found_at, a.rev
    FROM state.alarms a WHERE a.project_id = $1 AND ${p.within}
    ORDER BY a.found_at DESC, a.alarm_id DESC LIMIT ${p.window}) a ${MUTE_JOIN}
  WHERE ${p.where} ORDER BY a.found_at DESC, a.alarm_id DESC LIMIT ${p.limit}`;
const END = (p: WalkPieces) => `
  SELECT a.alarm_id AS id, ${AT("a.found_at")} FROM (SELECT a.alarm_id, a.found_at FROM state.alarms a WHERE a.project_id = $1 AND ${p.within}
    ORDER BY a.found_at DESC, a.alarm_id DESC OFFSET ${p.window} - 1 LIMIT 2) a ORDER BY a.found_at DESC, a.alarm_id DESC`;

// Each rule by itself, as far as a page says it: one count over all alarms read ten thousand of them for a page of fifty. Muted ones
// are counted from the mutes, which are few, unless the whole rule is muted. In an order that one index has: without, all alarms were read for each rule. $2 the rules.
const COUNTS = (of: string) => `
  WITH mute AS MATERIALIZED (SELECT u.rule, u.alarm_id FROM state.alarm_mutes u WHERE u.project_id = $1 AND u.is_muted)
  SELECT r.rule, CASE WHEN w.is_muted THEN 0 ELSE n.alarms END AS active, CASE WHEN w.is_muted THEN n.alarms ELSE o.alarms END AS muted
  FROM unnest($2::text[]) AS r(rule)
  CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM mute u WHERE u.rule = r.rule AND u.alarm_id = '') AS is_muted) w
  CROSS JOIN LATERAL (SELECT count(*)::int AS alarms FROM (SELECT FROM state.alarms a WHERE a.project_id = $1 AND a.rule = r.rule AND ${of}
    AND (w.is_muted OR a.alarm_id NOT IN (SELECT u.alarm_id FROM mute u))
    ORDER BY a.subject_id LIMIT ${COUNTED_MAX + 1}) a) n
  CROSS JOIN LATERAL (SELECT count(*)::int AS alarms FROM (SELECT FROM mute u CROSS JOIN LATERAL (
      SELECT FROM state.alarms a WHERE a.project_id = $1 AND a.alarm_id = u.alarm_id AND ${of} OFFSET 0) a
    WHERE u.rule = r.rule AND u.alarm_id <> '' AND NOT w.is_muted LIMIT ${COUNTED_MAX + 1}) a) o
  WHERE n.alarms + o.alarms > 0`;

// An index has the rules, but not by age: of a rule with few alarms, they are read at once.
const OF_RULE = `a.alarm_id = ANY (ARRAY(SELECT x.alarm_id FROM state.alarms x WHERE x.project_id = $1 AND x.rule = ?))`;

type Row = AlarmRow & { at: string; turn: TurnRefRow | null; run_number: number | null };

/** not_found for an unknown project, bad_request for a cursor of another one. */
export async function listAlarms(kernel: Kernel, query: AlarmQuery & { project_id: string }): Promise<AlarmPage> {
  const { project_id, limit, rule, muted, subject_id } = query;
  await readProject(kernel, project_id);
  // Read first: an alarm that is found meanwhile is listed, and its frame tells of it once more.
  const live_cursor = await readCursor(kernel, project_id);
  const of: Filter[] = [
    ["a.root_turn_id = ?", query.root_turn_id],
    [OF_SUBJECT, subject_id, subject_id, subject_id],
  ];
  const values: unknown[] = [project_id, alarmRules];
  const counts = await read<AlarmCount>(kernel, UNPREPARED, COUNTS(written(of, values)), values);
  const ofRule = counts.find((one) => one.rule === rule);
  const isCommon = ofRule !== undefined && ofRule.active + ofRule.muted > COUNTED_MAX;
  const { rows, next_cursor } = await walk<Row>({
    ...{ project_id, limit, cursor: query.cursor },
    time: "a.found_at",
    id: "a.alarm_id",
    idOf: (alarm) => alarm.alarm_id,
    keyed: [...of, isCommon ? ["a.rule = ?", undefined] : [OF_RULE, rule]],
    asked: [
      ["a.rule = ?", isCommon ? rule : undefined],
      ["(m.scope IS NOT NULL) = ?::boolean", muted === undefined ? undefined : muted === "true"],
    ],
    rows: (pieces, all) => read<Row>(kernel, UNPREPARED, LIST(pieces), all),
    end: (pieces, all) => read<Place>(kernel, UNPREPARED, END(pieces), all),
  });
  return {
    items: rows.map(lineOf),
    live_cursor,
    counts: alarmRules.flatMap((name) => counts.find((one) => one.rule === name) ?? []),
    ...(next_cursor !== undefined && { next_cursor }),
  };
}

const lineOf = ({ turn, run_number, at: _at, ...row }: Row): AlarmLine => ({
  ...alarmOf(row),
  ...(turn && { turn: turnRef(turn) }),
  ...(run_number !== null && { run_number }),
});
