// One profile, whole: the body as it was saved, as YAML too, and how many agents run on it.
import { stringify } from "yaml";
import { KernelError } from "@/server/contract/errors";
import type { ProfileBody, ProfileDetail } from "@/server/contract/profile";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readStored } from "./parse-profile";
import { PROFILE_COLUMNS, type ProfileRow, profileOf } from "./profile-row";
import { profileWarnings } from "./profile-warnings";

const READ = `
  SELECT ${columnsOf(PROFILE_COLUMNS, "p")}, c.content -> 'data' AS body,
    (SELECT count(*)::int FROM resource.project_agents a WHERE a.project_id = p.project_id AND a.profile_name = p.name) AS agent_count
  FROM resource.profiles p
  JOIN card_box_chunks b ON b.tenant_id = p.project_id AND b.box_id = p.profile_box_id AND b.n = 0
  JOIN cards c ON c.tenant_id = p.project_id AND c.card_id = b.card_ids[1]
  WHERE p.project_id = $1 AND lower(p.name) = lower(trim($2))`;

type Row = ProfileRow & { body: ProfileBody; agent_count: number };

export async function readProfile(kernel: Kernel, input: { project_id: string; name: string }): Promise<ProfileDetail> {
  const rows = await read<Row>(kernel, "profile_read", READ, [input.project_id, input.name]);
  const row = rows[0];
  if (!row) throw new KernelError("not_found", `profile ${input.name} not found in project ${input.project_id}`);
  const { body, agent_count, ...rest } = row;
  const stored = readStored(body);
  const warnings = [...stored.warnings, ...(await profileWarnings(kernel, { ...input, body: stored.body }))];
  return { ...profileOf(rest), body, agent_count, yaml: stringify(body), warnings };
}
