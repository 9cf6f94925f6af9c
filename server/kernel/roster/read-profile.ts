// One profile, whole: the body as it was saved, as YAML too, and how many agents run on it.
import { stringify } from "yaml";
import { KernelError } from "@/server/contract/errors";
import type { ProfileBody, ProfileDetail } from "@/server/contract/profile";
import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { AGENT_COUNT } from "./list-profiles";
import { readStored } from "./parse-profile";
import { PROFILE_COLUMNS, type ProfileRow, profileOf } from "./profile-row";
import { profileWarnings } from "./profile-warnings";

const READ = `
  SELECT ${columnsOf(PROFILE_COLUMNS, "p")}, c.content -> 'data' AS body,
    ${AGENT_COUNT} AS agent_count
  FROM resource.profiles p
  CROSS JOIN LATERAL (SELECT b.card_ids[1] AS card_id FROM card_box_chunks b
    WHERE b.tenant_id = $1 AND b.box_id = p.profile_box_id AND b.n = 0 OFFSET 0) b
  CROSS JOIN LATERAL (SELECT c.content FROM cards c WHERE c.tenant_id = $1 AND c.card_id = b.card_id OFFSET 0) c
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
