// The bodies of profiles by box, set-wise: policy, window, prompt and fields are read from what the agent was made of.
import { KernelError } from "@/server/contract/errors";
import { ProfileBody } from "@/server/contract/profile";
import { firstCardsOf } from "../cardbox/chunks-of";
import { type Reader, read } from "../reader";

const bodiesOf = (boxes: string) => `
  SELECT b.box_id, c.content -> 'data' AS body
  FROM (SELECT b.box_id, ${firstCardsOf("b")} AS card_ids FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = ${boxes} OFFSET 0) b
  CROSS JOIN LATERAL (
    SELECT c.content FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY (b.card_ids) AND c.metadata ->> 'type' = 'sys.profile'
    ORDER BY array_position(b.card_ids, c.card_id) LIMIT 1
  ) c`;
const BODIES = bodiesOf("ANY ($2::text[])");
const NAMED = bodiesOf(`ANY (ARRAY(SELECT p.profile_box_id FROM unnest($2::text[]) AS n(name)
    JOIN resource.profiles p ON p.project_id = $1 AND lower(p.name) = lower(n.name)))`);
const OF_TURN = bodiesOf("(SELECT profile_box_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2)");

/** bad_request names a box that holds no sys.profile card. */
export async function readBodies(
  reader: Reader,
  input: { project_id: string; profile_box_ids: string[] },
): Promise<Map<string, ProfileBody>> {
  const bodies = await findBodies(reader, input);
  for (const id of input.profile_box_ids) if (!bodies.has(id)) throw noBody(id);
  return bodies;
}

export const noBody = (profile_box_id: string): KernelError =>
  new KernelError("bad_request", `profile box ${profile_box_id} holds no sys.profile card; save the profile again`);

/** Of the agent whose turn it is. null: the turn is not there, or its box holds none. */
export async function readBodyOfTurn(
  reader: Reader,
  { project_id, agent_turn_id }: { project_id: string; agent_turn_id: string },
): Promise<ProfileBody | null> {
  const [row] = await read<Row>(reader, "profile_body_of_turn", OF_TURN, [project_id, agent_turn_id]);
  return row ? ProfileBody.parse(row.body) : null;
}

type Row = { box_id: string; body: unknown };

/** Only those that hold one. */
export async function findBodies(
  reader: Reader,
  input: { project_id: string; profile_box_ids: string[] },
): Promise<Map<string, ProfileBody>> {
  const rows = await read<Row>(reader, "profile_bodies", BODIES, [input.project_id, input.profile_box_ids]);
  return new Map(rows.map((row) => [row.box_id, ProfileBody.parse(row.body)]));
}

/** Of the newest versions of profiles, by name: asked for together with the profiles themselves. */
export async function findNamedBodies(
  reader: Reader,
  input: { project_id: string; names: string[] },
): Promise<Map<string, ProfileBody>> {
  const names = [...new Set(input.names.map((name) => name.trim()))];
  if (names.length === 0) return new Map();
  const rows = await read<Row>(reader, "profile_bodies_named", NAMED, [input.project_id, names]);
  return new Map(rows.map((row) => [row.box_id, ProfileBody.parse(row.body)]));
}
