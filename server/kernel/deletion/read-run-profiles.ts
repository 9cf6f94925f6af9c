// The profiles that an import brought and no other run uses: they stay when the run is deleted, and whoever deletes it is told.
import type { RunHolds } from "@/server/contract/answers/deletions";
import { type Reader, read } from "../reader";
import { counted } from "./counted";

/** Turns of the run that are looked at. */
const TURNS_MAX = 20_000;
const NAMED_MAX = 20;

// An agent of the profile that worked in another run, or never worked at all, keeps the profile in use.
const PROFILES = `
  WITH own AS MATERIALIZED (
    SELECT t.agent_id, t.profile_box_id FROM state.runs r JOIN state.agent_turns t ON t.project_id = $1 AND t.root_turn_id = r.root_turn_id
    WHERE r.project_id = $1 AND r.root_turn_id = $2 AND r.source = 'import' LIMIT ${TURNS_MAX + 1}
  ), agents AS MATERIALIZED (SELECT DISTINCT o.agent_id FROM own o), boxes AS MATERIALIZED (SELECT DISTINCT o.profile_box_id FROM own o)
  SELECT p.name, (count(*) OVER ())::int AS total, (SELECT count(*) FROM own) > ${TURNS_MAX} AS is_partial
  FROM boxes b JOIN resource.profiles p ON p.project_id = $1 AND p.profile_box_id = b.profile_box_id
  WHERE NOT EXISTS (
    SELECT 1 FROM resource.project_agents a WHERE a.project_id = $1 AND a.profile_box_id = b.profile_box_id
      AND (NOT EXISTS (SELECT 1 FROM agents g WHERE g.agent_id = a.agent_id)
        OR EXISTS (SELECT 1 FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_id = a.agent_id AND t.root_turn_id <> $2)))
  ORDER BY p.name LIMIT ${NAMED_MAX}`;

type Row = { name: string; total: number; is_partial: boolean };

/** None of a run that was launched here: its profiles were here before it. */
export async function readRunProfiles(
  reader: Reader,
  { project_id, root_turn_id }: { project_id: string; root_turn_id: string },
): Promise<{ profiles_left: RunHolds["profiles_left"]; is_partial: boolean }> {
  const rows = await read<Row>(reader, "run_profiles", PROFILES, [project_id, root_turn_id]);
  return {
    profiles_left: { total: counted(rows[0]?.total ?? 0), items: rows.map(({ name }) => ({ name })) },
    is_partial: rows.some((row) => row.is_partial),
  };
}
