// Who has put something into a project, by name: to erase a person, somebody has to know first what the person is called there.
import type { People } from "@/server/contract/answers/person-data";
import { type Reader, read } from "../reader";

/** Names that are answered. */
const PEOPLE_MAX = 200;
/** Names that one table is asked for. Pseudonyms are among them, and are left out later. */
const NAMES_MAX = 1_000;

// A table is asked for its first name, then for the next one after that: as many steps in an index as there are names, not rows.
const walk = (name: string, column: string, after: string, from: string) => `
  ${name} AS (
    SELECT x.who, 1 AS n FROM (SELECT ${column} AS who FROM ${from} AND ${column} > '${after}' ORDER BY ${column} LIMIT 1) x
    UNION ALL
    SELECT x.who, p.n + 1 FROM ${name} p
    CROSS JOIN LATERAL (SELECT ${column} AS who FROM ${from} AND ${column} > p.who ORDER BY ${column} LIMIT 1) x WHERE p.n <= ${NAMES_MAX}
  )`;
// Of ids of agents, in whatever order of letters: those that begin with human_ are after 'human' and before 'humao'.
const byAgent = (name: string, column: string, from: string) =>
  walk(name, column, "human", `${from} AND ${column} < 'humao' AND starts_with(${column}, 'human_')`);
// The condition of cards_by_person is repeated: Postgres uses a partial index only for what says so itself.
const AUTHORS = "cards x WHERE x.tenant_id = $1 AND starts_with(x.metadata ->> 'author_id', 'human_')";
const DECIDERS = "state.human_requests x WHERE x.project_id = $1 AND x.decided_by IS NOT NULL";
/** Signs what the product brings itself. */
const ITSELF = "switchyard";
const isCut = (name: string) => `(SELECT count(*) FROM ${name}) > ${NAMES_MAX}`;

const PEOPLE = `
  WITH RECURSIVE ${walk("authors", "(x.metadata ->> 'author_id')", "human", AUTHORS)},
  ${byAgent("agents", "x.agent_id", "resource.project_agents x WHERE x.project_id = $1 AND x.is_human")},
  ${byAgent("storers", "x.stored_by", "state.env_data x WHERE x.project_id = $1")},
  ${byAgent("deleters", "x.deleted_by", "state.deletions x WHERE x.project_id = $1")},
  ${walk("deciders", "x.decided_by", "", DECIDERS)},
  ${walk("packers", "x.created_by", "", "resource.context_packs x WHERE x.project_id = $1 AND x.agent_turn_id IS NULL")},
  ${walk("filers", "x.created_by", "", "resource.artifact_names x WHERE x.project_id = $1")},
  ${walk("editors", "x.by", "", "state.plan_run_edits x WHERE x.project_id = $1")},
  names AS (
    SELECT substr(i.who, 7) AS who FROM (SELECT authors.who FROM authors UNION SELECT agents.who FROM agents
      UNION SELECT storers.who FROM storers UNION SELECT deleters.who FROM deleters) i
    UNION SELECT deciders.who FROM deciders UNION SELECT packers.who FROM packers
    UNION SELECT filers.who FROM filers UNION SELECT editors.who FROM editors
    UNION SELECT v.saved_by FROM resource.saved_views v WHERE v.project_id = $1
    UNION SELECT d.user_id FROM resource.plan_drafts d WHERE d.project_id = $1
    UNION SELECT v.created_by FROM resource.plan_versions v WHERE v.project_id = $1
    UNION SELECT v.created_by FROM resource.recipe_versions v WHERE v.project_id = $1
    UNION SELECT m.person FROM state.alarm_mutes m WHERE m.project_id = $1
  )
  SELECT n.who AS "user", (${isCut("authors")} OR ${isCut("agents")} OR ${isCut("storers")} OR ${isCut("deleters")} OR ${isCut("deciders")}
    OR ${isCut("packers")} OR ${isCut("filers")} OR ${isCut("editors")}) AS is_cut
  FROM names n WHERE n.who ~ '^[A-Za-z0-9_-]{1,64}$' AND n.who !~ '^person-[0-9a-f]{8}$' AND n.who <> '${ITSELF}' ORDER BY n.who LIMIT ${PEOPLE_MAX + 1}`;

/** By name. Names that only pseudonyms have, and those that no request can carry, are left out. */
export async function listPeople(reader: Reader, { project_id }: { project_id: string }): Promise<People> {
  const rows = await read<{ user: string; is_cut: boolean }>(reader, "people", PEOPLE, [project_id]);
  const isMore = rows.length > PEOPLE_MAX || rows.some((row) => row.is_cut);
  return {
    items: rows.slice(0, PEOPLE_MAX).map(({ user }) => ({ user })),
    ...(isMore && { is_more: true as const }),
  };
}
