// What a run keeps beside its turns: data that its agents share, questions to people, and alarms with what people muted.
import type { AlarmLine, EnvLine, HumanRequestLine, MuteLine } from "@/server/contract/bundle/lines";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { ALARM_COLUMNS, ENV_COLUMNS, MUTE_COLUMNS, REQUEST_COLUMNS, usSql } from "./columns";
import { addAll, type Gathered, noteTimes, pagesOf } from "./gathered";
import type { Piece, RunKey } from "./piece";

const PAGE = 100;
const TURNS_PAGE = 100;

const ENV = `
  SELECT ${columnsOf(ENV_COLUMNS, "d")}, ${usSql("d.created_at")} AS created_at, ${usSql("d.updated_at")} AS updated_at
  FROM state.env_data d WHERE d.project_id = $1 AND d.root_turn_id = $2 AND d.key COLLATE "C" > $3
  ORDER BY d.key COLLATE "C" LIMIT ${PAGE}`;
const REQUESTS = `
  SELECT ${columnsOf(REQUEST_COLUMNS, "h")}, ${usSql("h.deadline_at")} AS deadline_at, ${usSql("h.created_at")} AS created_at,
    ${usSql("h.decided_at")} AS decided_at
  FROM state.human_requests h WHERE h.project_id = $1 AND h.agent_turn_id = ANY ($2)
  ORDER BY h.agent_turn_id COLLATE "C", h.request_id COLLATE "C"`;
const ALARMS = `
  SELECT ${columnsOf(ALARM_COLUMNS, "a")}, ${usSql("a.found_at")} AS found_at
  FROM state.alarms a WHERE a.project_id = $1 AND a.root_turn_id = $2 AND a.alarm_id COLLATE "C" > $3
  ORDER BY a.alarm_id COLLATE "C" LIMIT ${PAGE}`;

const MUTES = `
  SELECT ${columnsOf(MUTE_COLUMNS, "m")}, ${usSql("m.muted_at")} AS muted_at
  FROM state.alarm_mutes m JOIN state.alarms a ON a.project_id = $1 AND a.alarm_id = m.alarm_id AND a.rule = m.rule
  WHERE m.project_id = $1 AND m.alarm_id = ANY ($2) AND m.is_muted ORDER BY m.alarm_id COLLATE "C"`;

export async function* readRunData(
  reader: Reader,
  { project_id, root_turn_id }: RunKey,
  gathered: Gathered,
): AsyncGenerator<Piece> {
  for (let after = ""; ; ) {
    const rows = await read<EnvLine>(reader, "bundle_env", ENV, [project_id, root_turn_id, after]);
    for (const line of rows) {
      after = line.key;
      noteTimes(gathered, line.updated_at);
      yield { part: "env.jsonl", line };
    }
    if (rows.length < PAGE) break;
  }
  for (const turns of pagesOf(gathered.turns, TURNS_PAGE))
    for (const line of await read<HumanRequestLine>(reader, "bundle_human_requests", REQUESTS, [project_id, turns])) {
      addAll(gathered.cards, [line.tool_call_card_id, line.decision_card_id]);
      noteTimes(gathered, line.created_at, line.decided_at);
      yield { part: "human_requests.jsonl", line };
    }
  const own = new Set(gathered.turns);
  for (let after = ""; ; ) {
    const rows = await read<AlarmLine>(reader, "bundle_alarms", ALARMS, [project_id, root_turn_id, after]);
    for (const line of rows) {
      after = line.alarm_id;
      if (own.has(line.agent_turn_id)) yield { part: "alarms.jsonl", line };
    }
    const ids = rows.flatMap((line) => (own.has(line.agent_turn_id) ? line.alarm_id : []));
    const mutes = ids.length > 0 ? await read<MuteLine>(reader, "bundle_mutes", MUTES, [project_id, ids]) : [];
    for (const line of mutes) yield { part: "alarm_mutes.jsonl", line };
    if (rows.length < PAGE) return;
  }
}
