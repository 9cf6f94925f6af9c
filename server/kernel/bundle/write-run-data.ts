// Data, questions to people, alarms and their mutes of a run that was brought along. A question that was open asks nobody here.
import type { AlarmLine, EnvLine, HumanRequestLine, MuteLine } from "@/server/contract/bundle/lines";
import { columnsOf } from "../columns";
import { REQUEST_COLUMNS as ALL_REQUEST, type HumanRequestRow, humanRequestFrame } from "../inbox/human-request-row";
import { ALARM_COLUMNS, ENV_COLUMNS, ENV_TIMES, REQUEST_COLUMNS, REQUEST_TIMES } from "./columns";
import { endRequest } from "./ended";
import { partsOf } from "./parts-of";
import { refuseTaken, type Writing, withoutNulls } from "./writing";

// A value may be JSON's null, which the column holds.
const ENV = `
  INSERT INTO state.env_data (project_id, root_turn_id, ${ENV_COLUMNS.join(", ")}, ${ENV_TIMES.join(", ")})
  SELECT $1, $2, g.key, g.short_description, coalesce(g.value, 'null'), g.stored_by, g.stored_by_turn_id, g.value_bytes, g.rev,
    ${columnsOf(ENV_TIMES, "g")}
  FROM jsonb_populate_recordset(NULL::state.env_data, $3::jsonb) AS g
  ON CONFLICT DO NOTHING RETURNING key`;
const REQUESTS = `
  INSERT INTO state.human_requests (project_id, root_turn_id, ${REQUEST_COLUMNS.join(", ")}, ${REQUEST_TIMES.join(", ")})
  SELECT $1, $2, ${columnsOf(REQUEST_COLUMNS, "g")}, ${columnsOf(REQUEST_TIMES, "g")}
  FROM jsonb_populate_recordset(NULL::state.human_requests, $3::jsonb) AS g
  ON CONFLICT DO NOTHING RETURNING ${columnsOf(ALL_REQUEST, "human_requests")}`;
// What was found once in a project is not found again: an alarm of the same subject that is there stands for it.
const ALARMS = `
  INSERT INTO state.alarms (project_id, root_turn_id, ${ALARM_COLUMNS.join(", ")}, found_at)
  SELECT $1, $2, ${columnsOf(ALARM_COLUMNS, "g")}, g.found_at
  FROM jsonb_populate_recordset(NULL::state.alarms, $3::jsonb) AS g
  ON CONFLICT DO NOTHING`;

// Of an alarm that an older one of the same subject stands for, nothing is muted here.
const MUTES = `
  INSERT INTO state.alarm_mutes (project_id, rule, alarm_id, scope, person, reason, muted_at)
  SELECT $1, a.rule, a.alarm_id, 'this', g.person, g.reason, g.muted_at
  FROM jsonb_to_recordset($2::jsonb) AS g(alarm_id text, person text, reason text, muted_at timestamptz)
  JOIN state.alarms a ON a.project_id = $1 AND a.alarm_id = g.alarm_id AND a.root_turn_id = $3
  ON CONFLICT DO NOTHING`;

export async function writeRunData({ unit, project_id, source }: Writing): Promise<void> {
  const { root_turn_id, exported_at } = source;
  for await (const part of partsOf<EnvLine>(source.lines("env.jsonl"))) {
    const values = [project_id, root_turn_id, JSON.stringify(part.map(withoutNulls))];
    const made = await unit.query<{ key: string }>("bundle_env_add", ENV, values);
    refuseTaken(
      "key",
      part.map((line) => line.key),
      made.map((row) => row.key),
    );
  }
  for await (const part of partsOf<HumanRequestLine>(source.lines("human_requests.jsonl"))) {
    const rows = part.map((line) => withoutNulls(endRequest(line, exported_at)));
    const made = await unit.query<HumanRequestRow>("bundle_human_requests_add", REQUESTS, [
      project_id,
      root_turn_id,
      JSON.stringify(rows),
    ]);
    refuseTaken(
      "request",
      part.map((line) => line.request_id),
      made.map((row) => row.request_id),
    );
    for (const row of made) unit.frame(project_id, humanRequestFrame(row));
  }
  for await (const part of partsOf<AlarmLine>(source.lines("alarms.jsonl")))
    await unit.query("bundle_alarms_add", ALARMS, [project_id, root_turn_id, JSON.stringify(part)]);
  for await (const part of partsOf<MuteLine>(source.lines("alarm_mutes.jsonl")))
    await unit.query("bundle_mutes_add", MUTES, [project_id, JSON.stringify(part), root_turn_id]);
}
