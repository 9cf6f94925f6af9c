// The bodies of profiles by box, set-wise: policy, window, prompt and fields are read from what the agent was made of.
import { KernelError } from "@/server/contract/errors";
import { ProfileBody } from "@/server/contract/profile";
import { type Reader, read } from "../reader";

const BODIES = `
  SELECT b.box_id, c.content -> 'data' AS body
  FROM card_box_chunks b
  JOIN LATERAL (
    SELECT content FROM cards WHERE tenant_id = b.tenant_id AND card_id = ANY (b.card_ids) AND metadata ->> 'type' = 'sys.profile'
    ORDER BY array_position(b.card_ids, card_id) LIMIT 1
  ) c ON true
  WHERE b.tenant_id = $1 AND b.box_id = ANY ($2::text[]) AND b.n = 0`;

/** bad_request names a box that holds no sys.profile card. */
export async function readBodies(
  reader: Reader,
  input: { project_id: string; profile_box_ids: string[] },
): Promise<Map<string, ProfileBody>> {
  const bodies = await findBodies(reader, input);
  for (const id of input.profile_box_ids)
    if (!bodies.has(id))
      throw new KernelError("bad_request", `profile box ${id} holds no sys.profile card; save the profile again`);
  return bodies;
}

/** Only those that hold one. */
export async function findBodies(
  reader: Reader,
  input: { project_id: string; profile_box_ids: string[] },
): Promise<Map<string, ProfileBody>> {
  const rows = await read<{ box_id: string; body: unknown }>(reader, "profile_bodies", BODIES, [
    input.project_id,
    input.profile_box_ids,
  ]);
  return new Map(rows.map((row) => [row.box_id, ProfileBody.parse(row.body)]));
}
