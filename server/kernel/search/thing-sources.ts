// Runs, agents, profiles, batches and context packs: each a table that has names, found by the words in them.
import type { QueryKind } from "@/server/contract/search-query/fields";
import { AT } from "../cardbox/page-cursor";
import { read, UNPREPARED } from "../reader";
import { HUMAN_PROFILE } from "../turns/turn-row";
import { alarmFlags, alarmFlagsOfTurns } from "./alarm-sql";
import type { FieldSql, KindSql } from "./condition";
import type { Hit, Pieces, Source } from "./source";
import { inNames } from "./words";

export type ThingRow = Hit & {
  title: string;
  detail: string | null;
  status: string | null;
  created_at: string;
};

const RUNS = (p: Pieces) => `
  SELECT r.root_turn_id AS id, ${AT("r.created_at")}, concat('Run ', r.number, ': ', r.title) AS title, r.source AS detail,
    NULL::text AS status, r.created_at
  FROM (SELECT r.project_id, r.root_turn_id, r.number, r.title, r.source, r.created_at FROM state.runs r
    WHERE r.project_id = $1 AND ${p.within} ORDER BY r.created_at DESC, r.root_turn_id DESC LIMIT ${p.window}) r
  WHERE ${p.where} ORDER BY r.created_at DESC, r.root_turn_id DESC LIMIT ${p.limit}`;
const RUNS_END = (p: Pieces) => `
  SELECT r.root_turn_id AS id, ${AT("r.created_at")} FROM (SELECT r.root_turn_id, r.created_at FROM state.runs r WHERE r.project_id = $1 AND ${p.within}
    ORDER BY r.created_at DESC, r.root_turn_id DESC OFFSET ${p.window} - 1 LIMIT 2) r ORDER BY r.created_at DESC, r.root_turn_id DESC`;

const AGENTS = (p: Pieces) => `
  SELECT a.agent_id AS id, ${AT("a.created_at")}, coalesce(a.display_name, a.agent_id) AS title, a.profile_name AS detail,
    nullif(a.status, 'active') AS status, a.created_at
  FROM (SELECT a.project_id, a.agent_id, a.display_name, a.profile_name, a.worker_target, a.status, a.created_at
    FROM resource.project_agents a WHERE a.project_id = $1 AND NOT a.is_human AND ${p.within}
    ORDER BY a.created_at DESC, a.agent_id DESC LIMIT ${p.window}) a
  WHERE ${p.where} ORDER BY a.created_at DESC, a.agent_id DESC LIMIT ${p.limit}`;
const AGENTS_END = (p: Pieces) => `
  SELECT a.agent_id AS id, ${AT("a.created_at")} FROM (SELECT a.agent_id, a.created_at FROM resource.project_agents a
  WHERE a.project_id = $1 AND NOT a.is_human AND ${p.within}
    ORDER BY a.created_at DESC, a.agent_id DESC OFFSET ${p.window} - 1 LIMIT 2) a ORDER BY a.created_at DESC, a.agent_id DESC`;

const PROFILES = (p: Pieces) => `
  SELECT f.profile_box_id AS id, ${AT("f.created_at")}, f.name AS title, f.description AS detail, NULL::text AS status, f.created_at
  FROM (SELECT f.project_id, f.profile_box_id, f.name, f.description, f.worker_target, f.tags, f.created_at FROM resource.profiles f
    WHERE f.project_id = $1 AND f.name <> '${HUMAN_PROFILE}' AND ${p.within}
    ORDER BY f.created_at DESC, f.profile_box_id DESC LIMIT ${p.window}) f
  WHERE ${p.where} ORDER BY f.created_at DESC, f.profile_box_id DESC LIMIT ${p.limit}`;
const PROFILES_END = (p: Pieces) => `
  SELECT f.profile_box_id AS id, ${AT("f.created_at")} FROM (SELECT f.profile_box_id, f.created_at FROM resource.profiles f
  WHERE f.project_id = $1 AND f.name <> '${HUMAN_PROFILE}' AND ${p.within}
    ORDER BY f.created_at DESC, f.profile_box_id DESC OFFSET ${p.window} - 1 LIMIT 2) f ORDER BY f.created_at DESC, f.profile_box_id DESC`;

const CALLER =
  "(SELECT t.headcode || ' ' || t.title FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = b.parent_agent_turn_id)";
const BATCHES = (p: Pieces) => `
  SELECT b.batch_id AS id, ${AT("b.created_at")}, concat(b.tool_name, ' of ', ${CALLER}) AS title, concat(b.task_count, ' tasks') AS detail,
    b.status, b.created_at
  FROM (SELECT b.project_id, b.batch_id, b.parent_agent_turn_id, b.root_turn_id, b.tool_name, b.task_count, b.status, b.created_at
    FROM state.pmo_batches b WHERE b.project_id = $1 AND ${p.within}
    ORDER BY b.created_at DESC, b.batch_id DESC LIMIT ${p.window}) b
  WHERE ${p.where} ORDER BY b.created_at DESC, b.batch_id DESC LIMIT ${p.limit}`;
const BATCHES_END = (p: Pieces) => `
  SELECT b.batch_id AS id, ${AT("b.created_at")} FROM (SELECT b.batch_id, b.created_at FROM state.pmo_batches b WHERE b.project_id = $1 AND ${p.within}
    ORDER BY b.created_at DESC, b.batch_id DESC OFFSET ${p.window} - 1 LIMIT 2) b ORDER BY b.created_at DESC, b.batch_id DESC`;

const PACKS = (p: Pieces) => `
  SELECT k.sha256 AS id, ${AT("k.created_at")}, k.title, concat('P-', upper(left(k.sha256, 4)), ', ', k.estimate, ' tokens') AS detail, k.kind AS status, k.created_at
  FROM (SELECT k.project_id, k.sha256, k.pack_id, k.kind, k.title, k.goal, k.estimate, k.created_at FROM resource.context_packs k
    WHERE k.project_id = $1 AND ${p.within} ORDER BY k.created_at DESC, k.sha256 DESC LIMIT ${p.window}) k
  WHERE ${p.where} ORDER BY k.created_at DESC, k.sha256 DESC LIMIT ${p.limit}`;
const PACKS_END = (p: Pieces) => `
  SELECT k.sha256 AS id, ${AT("k.created_at")} FROM (SELECT k.sha256, k.created_at FROM resource.context_packs k WHERE k.project_id = $1 AND ${p.within}
    ORDER BY k.created_at DESC, k.sha256 DESC OFFSET ${p.window} - 1 LIMIT 2) k ORDER BY k.created_at DESC, k.sha256 DESC`;

type Thing = "run" | "agent" | "profile" | "batch" | "pack";
type Statements = Pick<Source<ThingRow>, "rows" | "end">;

const source = (
  kind: Thing & QueryKind,
  id: string,
  time: string,
  sql: KindSql,
  run: Statements,
): Source<ThingRow> => ({
  ...{ kind, sql, id, time },
  ...run,
});

/** Words and phrases in `text`, and the id. */
const named = (text: string, id: string, time: string, fields: FieldSql, flags: KindSql["flags"] = {}): KindSql => ({
  fields: { before: ({ is }) => is(time), after: ({ is }) => is(time), ...fields },
  flags,
  ...inNames(text, id),
});

const runSql = named(
  "concat_ws(' ', 'run', r.number, r.title, r.source)",
  "r.root_turn_id",
  "r.created_at",
  {
    run: ({ ids }) => {
      const wanted = ids();
      return `r.root_turn_id = ANY (${wanted}) OR r.number::text = ANY (${wanted})`;
    },
  },
  alarmFlags("al.root_turn_id = r.root_turn_id"),
);
const agentSql = named(
  "concat_ws(' ', a.agent_id, a.display_name, a.profile_name, a.worker_target)",
  "a.agent_id",
  "a.created_at",
  {
    agent: ({ is }) => `${is("a.agent_id")} OR ${is("a.display_name")}`,
    profile: ({ is }) => is("a.profile_name"),
    target: ({ is }) => is("a.worker_target"),
  },
  alarmFlagsOfTurns("o.agent_id = a.agent_id"),
);
const profileSql = named(
  "concat_ws(' ', f.name, f.worker_target, array_to_string(f.tags, ' '), f.description)",
  "f.profile_box_id",
  "f.created_at",
  { profile: ({ is }) => is("f.name"), target: ({ is }) => is("f.worker_target") },
);
const batchSql = named(
  `concat_ws(' ', b.tool_name, b.status, ${CALLER})`,
  "b.batch_id",
  "b.created_at",
  {
    batch: ({ is }) => is("b.batch_id"),
    run: ({ ids }) => {
      const wanted = ids();
      return `b.root_turn_id = ANY (${wanted}) OR (SELECT r.number::text = ANY (${wanted}) FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = b.root_turn_id)`;
    },
  },
  alarmFlagsOfTurns("o.batch_id = b.batch_id"),
);
const packSql = named("concat_ws(' ', k.pack_id, k.kind, k.title, k.goal)", "k.sha256", "k.created_at", {});

export const thingSources: Readonly<Record<Thing, Source<ThingRow>>> = {
  run: source("run", "r.root_turn_id", "r.created_at", runSql, {
    rows: (reader, pieces, values) => read<ThingRow>(reader, UNPREPARED, RUNS(pieces), values),
    end: (reader, pieces, values) => read<Hit>(reader, UNPREPARED, RUNS_END(pieces), values),
  }),
  agent: source("agent", "a.agent_id", "a.created_at", agentSql, {
    rows: (reader, pieces, values) => read<ThingRow>(reader, UNPREPARED, AGENTS(pieces), values),
    end: (reader, pieces, values) => read<Hit>(reader, UNPREPARED, AGENTS_END(pieces), values),
  }),
  profile: source("profile", "f.profile_box_id", "f.created_at", profileSql, {
    rows: (reader, pieces, values) => read<ThingRow>(reader, UNPREPARED, PROFILES(pieces), values),
    end: (reader, pieces, values) => read<Hit>(reader, UNPREPARED, PROFILES_END(pieces), values),
  }),
  batch: source("batch", "b.batch_id", "b.created_at", batchSql, {
    rows: (reader, pieces, values) => read<ThingRow>(reader, UNPREPARED, BATCHES(pieces), values),
    end: (reader, pieces, values) => read<Hit>(reader, UNPREPARED, BATCHES_END(pieces), values),
  }),
  pack: source("pack", "k.sha256", "k.created_at", packSql, {
    rows: (reader, pieces, values) => read<ThingRow>(reader, UNPREPARED, PACKS(pieces), values),
    end: (reader, pieces, values) => read<Hit>(reader, UNPREPARED, PACKS_END(pieces), values),
  }),
};
