// Finds profiles by name, trimmed and ignoring case.
import { type Profile, ProfileBody } from "@/server/contract/profile";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { PROFILE_COLUMNS, type ProfileRow, profileOf } from "./profile-row";
import { bodySql } from "./read-bodies";

// lower() on both sides: JavaScript and Postgres differ for some letters. A body is large: only those of the names $3 are read.
const FIND = `
  SELECT n.ord::int AS ord, ${columnsOf(PROFILE_COLUMNS, "p")}, CASE WHEN n.name = ANY ($3::text[]) THEN ${bodySql("p.profile_box_id")} END AS body
  FROM unnest($2::text[]) WITH ORDINALITY AS n(name, ord)
  JOIN resource.profiles p ON p.project_id = $1 AND lower(p.name) = lower(n.name)`;

type Row = ProfileRow & { ord: number; body: unknown };

export async function findProfile(
  reader: Reader,
  input: { project_id: string; name: string },
): Promise<Profile | null> {
  const [found] = await findProfiles(reader, { project_id: input.project_id, names: [input.name] });
  return found?.profile ?? null;
}

/** `body`: of the newest version; absent where it was not asked for, or its box holds none. */
type FoundProfile = { profile: Profile; body?: ProfileBody };

/** One for each name, in order; null if none is registered. `withBody`: names whose body is read too. */
export async function findProfiles(
  reader: Reader,
  { project_id, names, withBody = [] }: { project_id: string; names: string[]; withBody?: string[] },
): Promise<(FoundProfile | null)[]> {
  const asked = [...new Set(names.map((name) => name.trim()))];
  if (asked.length === 0) return [];
  const bodied = [...new Set(withBody.map((name) => name.trim()))];
  const rows = await read<Row>(reader, "profiles_find", FIND, [project_id, asked, bodied]);
  const found = new Map(rows.map((row) => [asked[row.ord - 1], foundOf(row)]));
  return names.map((name) => found.get(name.trim()) ?? null);
}

function foundOf({ ord: _ord, body, ...row }: Row): FoundProfile {
  const profile = profileOf(row);
  return body === null ? { profile } : { profile, body: ProfileBody.parse(body) };
}
