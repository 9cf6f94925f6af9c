// Who has put something into a project, by name: to erase a person, somebody has to know first what the person is called there.
import type { People } from "@/server/contract/answers/person-data";
import { type Reader, read } from "../reader";

/** Names that are answered. */
const PEOPLE_MAX = 200;
/** Names that one table is asked for. Pseudonyms are among them, and are left out later. */
const NAMES_MAX = 1_000;

// A table is asked for its first name, then for the next one after that: as many steps in an index as there are names, not rows.
const next = (column: string, from: string) => (after: string) =>
  `SELECT ${column} AS who FROM ${from} AND ${column} > ${after} ORDER BY ${column} LIMIT 1`;
const walk = (name: string, after: string, step: (after: string) => string) => `
  ${name} AS (
    SELECT x.who, 1 AS n FROM (${step(after)}) x
    UNION ALL
    SELECT x.who, p.n + 1 FROM ${name} p CROSS JOIN LATERAL (${step("p.who")}) x WHERE p.n <= ${NAMES_MAX}
  )`;

const AUTHOR = "c.metadata ->> 'author_id'";
// Ids of agents in any order of letters: those that begin with human_ are between these two.
const between = (column: string) => `${column} < 'humao' AND starts_with(${column}, 'human_')`;
/** These have the id of a person's agent. */
const AGENTS: Record<string, (after: string) => string> = {
  authors: next(AUTHOR, `cards c WHERE c.tenant_id = $1 AND starts_with(${AUTHOR}, 'human_')`),
  agents: next(
    "a.agent_id",
    `resource.project_agents a WHERE a.project_id = $1 AND a.is_human AND ${between("a.agent_id")}`,
  ),
  storers: next("d.stored_by", `state.env_data d WHERE d.project_id = $1 AND ${between("d.stored_by")}`),
  deleters: next("d.deleted_by", `state.deletions d WHERE d.project_id = $1 AND ${between("d.deleted_by")}`),
};
/** These have the name itself. */
const NAMES: Record<string, (after: string) => string> = {
  deciders: next("h.decided_by", "state.human_requests h WHERE h.project_id = $1 AND h.decided_by IS NOT NULL"),
  packers: next("k.created_by", "resource.context_packs k WHERE k.project_id = $1 AND k.agent_turn_id IS NULL"),
  filers: next("f.created_by", "resource.artifact_names f WHERE f.project_id = $1"),
  editors: next("e.by", "state.plan_run_edits e WHERE e.project_id = $1"),
};
/** The same, of tables that are small: what people themselves saved. */
const FEW = `
  SELECT v.saved_by AS who FROM resource.saved_views v WHERE v.project_id = $1
  UNION SELECT d.user_id FROM resource.plan_drafts d WHERE d.project_id = $1
  UNION SELECT p.created_by FROM resource.plan_versions p WHERE p.project_id = $1
  UNION SELECT r.created_by FROM resource.recipe_versions r WHERE r.project_id = $1
  UNION SELECT m.person FROM state.alarm_mutes m WHERE m.project_id = $1`;

const all = [...Object.keys(AGENTS), ...Object.keys(NAMES)];
const PEOPLE = `
  WITH RECURSIVE ${[
    ...Object.entries(AGENTS).map(([name, step]) => walk(name, "'human'", step)),
    ...Object.entries(NAMES).map(([name, step]) => walk(name, "''", step)),
  ].join(",")}
  SELECT x.who AS user, (${all.map((name) => `(SELECT count(*) FROM ${name}) > ${NAMES_MAX}`).join(" OR ")}) AS is_cut FROM (
    ${Object.keys(AGENTS)
      .map((name) => `SELECT substr(${name}.who, 7) AS who FROM ${name}`)
      .join(" UNION ")}
    UNION ${Object.keys(NAMES)
      .map((name) => `SELECT ${name}.who FROM ${name}`)
      .join(" UNION ")}
    UNION ${FEW}
  ) x WHERE x.who ~ '^[A-Za-z0-9_-]{1,64}$' AND x.who !~ '^person-[0-9a-f]{8}$' ORDER BY x.who LIMIT ${PEOPLE_MAX + 1}`;

/** By name. Names that only pseudonyms have, and those that no request can carry, are left out. */
export async function listPeople(reader: Reader, { project_id }: { project_id: string }): Promise<People> {
  const rows = await read<{ user: string; is_cut: boolean }>(reader, "people", PEOPLE, [project_id]);
  const isMore = rows.length > PEOPLE_MAX || rows.some((row) => row.is_cut);
  return {
    items: rows.slice(0, PEOPLE_MAX).map(({ user }) => ({ user })),
    ...(isMore && { is_more: true as const }),
  };
}
