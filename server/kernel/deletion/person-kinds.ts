// What a person can have put into a project, table by table: how it is found, and what erasing the person does to it. A person is a
// name: some rows have the name itself, others the id of the person's agent.
import { createHash } from "node:crypto";
import type { PersonGoes, PersonKind } from "@/server/contract/person-data";
import { AT } from "../cardbox/page-cursor";
import { COUNTED_MAX } from "./counted";

/** In place of the name, where rows stay. The same for the same name in one project, and another one in every other project. */
export const pseudonymOf = (project_id: string, user: string): string =>
  `person-${createHash("sha256").update(`person ${project_id} ${user}`).digest("hex").slice(0, 8)}`;

export const agentOf = (user: string): string => `human_${user}`;

// $2 the name, $3 the agent: not every kind needs both, and Postgres wants to see each.
const WHO = "WITH who AS (SELECT $2::text AS name, $3::text AS agent_id)";
const NAME = "(SELECT w.name FROM who w)";
const AGENT = "(SELECT w.agent_id FROM who w)";

// The condition of cards_by_person is repeated: Postgres uses a partial index only for what says so itself.
const AUTHOR = `x.tenant_id = $1 AND x.metadata ->> 'author_id' = ${AGENT} AND starts_with(x.metadata ->> 'author_id', 'human_')`;
const CARDS = `FROM cards x WHERE ${AUTHOR} AND x.metadata ->> 'type' <> 'sys.profile'`;
const PROFILES = `FROM cards x WHERE ${AUTHOR} AND x.metadata ->> 'type' = 'sys.profile'`;
const LAUNCHES = `FROM state.agent_turns x WHERE x.project_id = $1 AND x.agent_id = ${AGENT}`;
const ANSWERS = `FROM state.human_requests x WHERE x.project_id = $1 AND x.decided_by = ${NAME} AND x.decided_by IS NOT NULL`;
const VIEWS = `FROM resource.saved_views x WHERE x.project_id = $1 AND x.saved_by = ${NAME}`;
const DRAFTS = `FROM resource.plan_drafts x WHERE x.project_id = $1 AND x.user_id = ${NAME}`;
const PLANS = `FROM resource.plan_versions x WHERE x.project_id = $1 AND x.created_by = ${NAME}`;
const RECIPES = `FROM resource.recipe_versions x WHERE x.project_id = $1 AND x.created_by = ${NAME}`;
const FILES = `FROM resource.artifact_names x WHERE x.project_id = $1 AND x.created_by = ${NAME}`;
// A pack that a turn built has the agent there, one that a person built the name; a name may look like another's agent.
const PACKS = `FROM resource.context_packs x WHERE x.project_id = $1
  AND ((x.created_by = ${NAME} AND x.agent_turn_id IS NULL) OR (x.created_by = ${AGENT} AND x.agent_turn_id IS NOT NULL))`;
const DATA = `FROM state.env_data x WHERE x.project_id = $1 AND x.stored_by = ${AGENT}`;
const EDITS = `FROM state.plan_run_edits x WHERE x.project_id = $1 AND x.by = ${NAME}`;
const MUTES = `FROM state.alarm_mutes x WHERE x.project_id = $1 AND x.person = ${NAME}`;
const DELETIONS = `FROM state.deletions x WHERE x.project_id = $1 AND x.deleted_by = ${AGENT}`;

const count = (kind: string, from: string) =>
  `SELECT '${kind}' AS kind, count(*)::int AS n FROM (SELECT 1 ${from} LIMIT ${COUNTED_MAX + 1}) AS counted`;

/** $1 project, $2 name, $3 agent. */
export const COUNTS = `${WHO}
  ${count("cards", CARDS)} UNION ALL ${count("profiles", PROFILES)} UNION ALL ${count("launches", LAUNCHES)}
  UNION ALL ${count("answers", ANSWERS)} UNION ALL ${count("views", VIEWS)} UNION ALL ${count("drafts", DRAFTS)}
  UNION ALL ${count("plans", PLANS)} UNION ALL ${count("recipes", RECIPES)} UNION ALL ${count("files", FILES)}
  UNION ALL ${count("packs", PACKS)} UNION ALL ${count("run_data", DATA)} UNION ALL ${count("plan_edits", EDITS)}
  UNION ALL ${count("mutes", MUTES)} UNION ALL ${count("deletions", DELETIONS)}`;

// $4 and $5 where the page before ended, $6 how many. `key` tells two of the same time apart, and names nothing.
const page = (id: string, title: string, at: string, key: string, from: string) => `${WHO}
  SELECT ${id} AS id, ${title} AS title, ${key} AS key, ${AT(at)} ${from}
  AND (${at}, ${key}) < (coalesce($4::timestamptz, 'infinity'), coalesce($5::text, '')) ORDER BY ${at} DESC, ${key} DESC LIMIT $6`;

/** A page of each kind, newest first. */
export const PAGES: Record<PersonKind, string> = {
  cards: page("x.card_id", "x.metadata ->> 'type'", "x.created_at", "x.card_id", CARDS),
  profiles: page("x.card_id", "x.metadata ->> 'type'", "x.created_at", "x.card_id", PROFILES),
  launches: page("x.agent_turn_id", "x.title", "x.created_at", "x.agent_turn_id", LAUNCHES),
  answers: page("x.request_id", "x.tool_name", "x.created_at", "x.request_id", ANSWERS),
  views: page("x.name", "x.name", "x.created_at", "md5(x.name)", VIEWS),
  drafts: page("x.draft_id", "coalesce(x.plan_id, 'new plan')", "x.created_at", "x.draft_id", DRAFTS),
  plans: page("x.plan_id", "'version ' || x.version", "x.created_at", "md5(x.plan_id || ' ' || x.version)", PLANS),
  recipes: page("x.name", "'version ' || x.version", "x.created_at", "md5(x.name || ' ' || x.version)", RECIPES),
  files: page("x.area || '/' || x.name", "x.mime", "x.created_at", "md5(x.area || '/' || x.name)", FILES),
  packs: page("x.sha256", "x.title", "x.created_at", "x.sha256", PACKS),
  run_data: page("x.root_turn_id", "x.key", "x.created_at", "md5(x.root_turn_id || ' ' || x.key)", DATA),
  plan_edits: page("x.plan_run_id", "'edit ' || x.n", "x.created_at", "md5(x.plan_run_id || ' ' || x.n)", EDITS),
  mutes: page("x.rule", "x.alarm_id", "x.muted_at", "md5(x.rule || ' ' || x.alarm_id)", MUTES),
  deletions: page("x.deletion_id", "x.kind", "x.begun_at", "x.deletion_id", DELETIONS),
};

// $4 what stands in place of the name, $5 so many. Locked first: a row that moves meanwhile is found where it is then.
const drop = (table: string, from: string) => `${WHO}
  DELETE FROM ${table} WHERE project_id = $1 AND $4::text IS NOT NULL
    AND ctid = ANY (ARRAY(SELECT x.ctid ${from} LIMIT $5 FOR UPDATE OF x)) RETURNING 1 AS gone`;
const rename = (table: string, set: string, from: string) => `${WHO}
  UPDATE ${table} SET ${set} WHERE project_id = $1
    AND ctid = ANY (ARRAY(SELECT x.ctid ${from} LIMIT $5 FOR UPDATE OF x)) RETURNING 1 AS gone`;

export type Part = { kind: PersonKind; name: string; text: string };

/** What goes, or loses the name, when its cards are erased. */
export const PARTS: readonly Part[] = [
  { kind: "views", name: "person_views", text: drop("resource.saved_views", VIEWS) },
  { kind: "drafts", name: "person_drafts", text: drop("resource.plan_drafts", DRAFTS) },
  {
    kind: "answers",
    name: "person_answers",
    text: rename("state.human_requests", "decided_by = $4, reason = NULL, rev = rev + 1", ANSWERS),
  },
  { kind: "plans", name: "person_plans", text: rename("resource.plan_versions", "created_by = $4", PLANS) },
  { kind: "recipes", name: "person_recipes", text: rename("resource.recipe_versions", "created_by = $4", RECIPES) },
  { kind: "files", name: "person_files", text: rename("resource.artifact_names", "created_by = $4", FILES) },
  { kind: "packs", name: "person_packs", text: rename("resource.context_packs", "created_by = $4", PACKS) },
  { kind: "run_data", name: "person_data", text: rename("state.env_data", "stored_by = 'human_' || $4", DATA) },
  { kind: "plan_edits", name: "person_edits", text: rename("state.plan_run_edits", "by = $4, reason = ''", EDITS) },
  {
    kind: "mutes",
    name: "person_mutes",
    text: rename("state.alarm_mutes", "person = $4, reason = '[content deleted]', rev = rev + 1", MUTES),
  },
  {
    kind: "deletions",
    name: "person_deletions",
    text: rename("state.deletions", "deleted_by = 'human_' || $4", DELETIONS),
  },
];

const NAMED = "Only the name is replaced.";
/** What erasing does, and why what stays does. */
export const GOES: Record<PersonKind, { goes: PersonGoes; why?: string }> = {
  cards: { goes: "erased", why: "Each stays as a stub without content, so that boxes stay whole." },
  profiles: { goes: "stays", why: "Agents are made of profiles. Save the profile without the text, or delete it." },
  launches: {
    goes: "stays",
    why: "What the person told agents is erased. A run keeps its turns, and the id of the person's agent is in them: delete the runs to remove those.",
  },
  answers: { goes: "renamed", why: "The run went on with the decision. Its words are erased with its card." },
  views: { goes: "deleted" },
  drafts: { goes: "deleted" },
  plans: { goes: "renamed", why: `${NAMED} Published versions never change: delete the plan to remove what it says.` },
  recipes: { goes: "renamed", why: `${NAMED} Versions of recipes never change.` },
  files: { goes: "renamed", why: `${NAMED} Others may work with the file: delete the file to remove it.` },
  packs: { goes: "renamed", why: `${NAMED} Agents were handed the pack: delete the runs to remove it.` },
  run_data: { goes: "renamed", why: `${NAMED} Agents of the run work with the value: delete the key to remove it.` },
  plan_edits: { goes: "renamed", why: "The drawing of the run is made of its edits. The reason is removed." },
  mutes: { goes: "renamed", why: "The alarm stays muted. The reason is removed." },
  deletions: { goes: "renamed", why: "The record of a deletion stays, with its reason." },
};
