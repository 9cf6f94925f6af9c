// Registers profiles whose boxes are there already, where the name is still free. A name that is taken keeps the profile
// it has: agents point at their profile's box, not at its name.
import type { Unit } from "../unit";

export type NewProfileRow = {
  name: string;
  profile_box_id: string;
  worker_target: string;
  tags: string[];
  description?: string;
  delegation_context?: string;
  /** Of a run that was brought along; absent = now. */
  created_at?: string;
};

type Row = { name: string; rev: number; profile_box_id: string; worker_target: string };

const INSERT = `
  INSERT INTO resource.profiles (project_id, profile_box_id, name, worker_target, tags, description,
    delegation_context, created_at)
  SELECT $1, profile_box_id, name, worker_target, tags, description, coalesce(delegation_context, 'standard'),
    coalesce(created_at, now())
  FROM jsonb_to_recordset($2::jsonb) AS g(name text, profile_box_id text, worker_target text, tags text[], description text,
    delegation_context text, created_at timestamptz)
  ON CONFLICT DO NOTHING
  RETURNING name, rev, profile_box_id, worker_target`;

/** Answers the names that were registered. */
export async function insertProfiles(
  unit: Unit,
  input: { project_id: string; profiles: NewProfileRow[] },
): Promise<string[]> {
  const { project_id, profiles } = input;
  if (profiles.length === 0) return [];
  const rows = await unit.query<Row>("profile_insert", INSERT, [project_id, JSON.stringify(profiles)]);
  for (const row of rows) unit.frame(project_id, { kind: "profile", id: row.name, is_deleted: false, ...row });
  return rows.map((row) => row.name);
}
