// Finds what a person put into a project: counted by kind, with what erasing the person does to each, and listed in pages.
import type { PersonData, PersonItem } from "@/server/contract/answers/person-data";
import { PERSON_KINDS, type PersonKind } from "@/server/contract/person-data";
import { formatPageCursor, parsePageCursor } from "../cardbox/page-cursor";
import { type Reader, read } from "../reader";
import { counted } from "./counted";
import { agentOf, COUNTS, GOES, PAGES, pseudonymOf } from "./person-kinds";

export type PersonOf = { project_id: string; user: string };

const AGENT =
  "SELECT 1 AS is_there FROM resource.project_agents a WHERE a.project_id = $1 AND a.agent_id = $2 AND a.is_human";

export async function readPersonData(reader: Reader, { project_id, user }: PersonOf): Promise<PersonData> {
  const agent_id = agentOf(user);
  const found = await read<{ kind: string; n: number }>(reader, "person_counts", COUNTS, [project_id, user, agent_id]);
  const agents = await read(reader, "person_agent", AGENT, [project_id, agent_id]);
  const counts = new Map(found.map(({ kind, n }) => [kind, n]));
  return {
    user,
    agent_id,
    has_agent: agents.length > 0,
    pseudonym: pseudonymOf(project_id, user),
    items: PERSON_KINDS.map((kind) => ({
      kind,
      ...counted(counts.get(kind) ?? 0),
      ...GOES[kind],
      path: `/api/v1/projects/${encodeURIComponent(project_id)}/people/${encodeURIComponent(user)}/data/${kind}`,
    })),
  };
}

type Row = { id: string; title: string; key: string; at: string };
export type PersonPage = PersonOf & { kind: PersonKind; limit?: number; cursor?: string };

/** Newest first. */
export async function listPersonData(
  reader: Reader,
  { project_id, user, kind, limit = 50, cursor }: PersonPage,
): Promise<{ items: PersonItem[]; next_cursor?: string }> {
  const place = parsePageCursor(project_id, cursor);
  const values = [project_id, user, agentOf(user), place?.at ?? null, place?.id ?? null, limit + 1];
  const rows = await read<Row>(reader, `person_${kind}_page`, PAGES[kind], values);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ id, title, at }) => ({ id, title, at, ...pageOf(project_id, kind, id) })),
    ...(last && rows.length > limit && { next_cursor: formatPageCursor(project_id, { at: last.at, id: last.key }) }),
  };
}

/** Where a browser shows it; none for what has no page of its own. */
function pageOf(project_id: string, kind: PersonKind, id: string): { page?: string } {
  const at = `/p/${encodeURIComponent(project_id)}`;
  const one = encodeURIComponent(id);
  if (kind === "cards" || kind === "profiles") return { page: `${at}/cards/${one}` };
  if (kind === "launches") return { page: `${at}/turns/${one}` };
  if (kind === "answers") return { page: `${at}/inbox` };
  if (kind === "plans") return { page: `${at}/plans/${one}` };
  if (kind === "packs") return { page: `${at}/packs/${one}` };
  if (kind === "run_data") return { page: `${at}?run=${one}` };
  return {};
}
