// Finds profiles by name, trimmed and ignoring case.
import type { Profile } from "@/server/contract/profile";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { PROFILE_COLUMNS, type ProfileRow, profileOf } from "./profile-row";

// lower() on both sides: JavaScript and Postgres differ for some letters.
const FIND = `
  SELECT n.ord::int AS ord, ${columnsOf(PROFILE_COLUMNS, "p")}
  FROM unnest($2::text[]) WITH ORDINALITY AS n(name, ord)
  JOIN resource.profiles p ON p.project_id = $1 AND lower(p.name) = lower(n.name)`;

type Row = ProfileRow & { ord: number };

export async function findProfile(
  reader: Reader,
  input: { project_id: string; name: string },
): Promise<Profile | null> {
  const [profile] = await findProfiles(reader, { project_id: input.project_id, names: [input.name] });
  return profile ?? null;
}

/** One for each name, in order; null if none is registered. */
export async function findProfiles(
  reader: Reader,
  input: { project_id: string; names: string[] },
): Promise<(Profile | null)[]> {
  if (input.names.length === 0) return [];
  const names = input.names.map((name) => name.trim());
  const rows = await read<Row>(reader, "profiles_find", FIND, [input.project_id, names]);
  const found = new Map(rows.map(({ ord, ...row }) => [ord, profileOf(row)]));
  return names.map((_, i) => found.get(i + 1) ?? null);
}
