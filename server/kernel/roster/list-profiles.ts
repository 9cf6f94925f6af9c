// The profiles of a project by name.
import { COUNTED_MAX } from "@/server/contract/bounds";
import type { Profile } from "@/server/contract/profile";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { PROFILE_COLUMNS, type ProfileRow, profileOf } from "./profile-row";
import { readProject } from "./read-project";

export type ProfileSummary = Profile & { agent_count: number };

/** For a table `p` of profiles. Counting goes no further than a page says. */
export const AGENT_COUNT = `(SELECT count(*)::int FROM (SELECT FROM resource.project_agents a
  WHERE a.project_id = $1 AND a.profile_name = p.name LIMIT ${COUNTED_MAX + 1}) n)`;

const LIST = `
  SELECT ${columnsOf(PROFILE_COLUMNS, "p")}, ${AGENT_COUNT} AS agent_count
  FROM resource.profiles p WHERE p.project_id = $1 ORDER BY p.name`;

export async function listProfiles(kernel: Kernel, project_id: string): Promise<ProfileSummary[]> {
  await readProject(kernel, project_id);
  const rows = await read<ProfileRow & { agent_count: number }>(kernel, "profiles_list", LIST, [project_id]);
  return rows.map(({ agent_count, ...row }) => ({ ...profileOf(row), agent_count }));
}
