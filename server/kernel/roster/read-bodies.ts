// The bodies of profiles by box, set-wise: policy, window, prompt and fields are read from what the agent was made of.
import { KernelError } from "@/server/contract/errors";
import { ProfileBody } from "@/server/contract/profile";
import { firstCardsOf } from "../cardbox/chunks-of";
import { type Reader, read } from "../reader";

/** SQL: the content of the first sys.profile card among the first cards of a box; `row` names a row of card_boxes, $1 is the project. */
const contentIn = (
  row: string,
) => `(SELECT c.content FROM (SELECT ${firstCardsOf(row)} AS card_ids OFFSET 0) k CROSS JOIN LATERAL (
      SELECT c.content FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY (k.card_ids) AND c.metadata ->> 'type' = 'sys.profile'
      ORDER BY array_position(k.card_ids, c.card_id) LIMIT 1) c)`;
const BODIES = `
  SELECT b.box_id, c.content -> 'data' AS body FROM card_boxes b CROSS JOIN LATERAL ${contentIn("b")} c
  WHERE b.tenant_id = $1 AND b.box_id = ANY ($2::text[])`;
/** SQL: the body that one box holds, null if it holds none; `profile_box_id` is SQL too. */
export const bodySql = (
  profile_box_id: string,
) => `(SELECT c.content -> 'data' FROM card_boxes b CROSS JOIN LATERAL ${contentIn("b")} c
    WHERE b.tenant_id = $1 AND b.box_id = ${profile_box_id})`;
// A version of a profile may be pinned to any box that begins with its card, also one that is based on another.
const BASED = `
  SELECT b.box_id, c.content -> 'data' AS body FROM card_box_chunks b CROSS JOIN LATERAL (
    SELECT c.content FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY (b.card_ids) AND c.metadata ->> 'type' = 'sys.profile'
    ORDER BY array_position(b.card_ids, c.card_id) LIMIT 1) c
  WHERE b.tenant_id = $1 AND b.box_id = ANY ($2::text[]) AND b.n = 0`;
const OF_TURN = `
  SELECT ${bodySql("t.profile_box_id")} AS body
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2`;

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

/** Of the agent whose turn it is. null: the turn is not there, or its box holds none of its own (readBodies). */
export async function readBodyOfTurn(
  reader: Reader,
  { project_id, agent_turn_id }: { project_id: string; agent_turn_id: string },
): Promise<ProfileBody | null> {
  const [row] = await read<Pick<Row, "body">>(reader, "profile_body_of_turn", OF_TURN, [project_id, agent_turn_id]);
  return row?.body ? ProfileBody.parse(row.body) : null;
}

type Row = { box_id: string; body: unknown };

/** Only those that hold one. */
export async function findBodies(
  reader: Reader,
  input: { project_id: string; profile_box_ids: string[] },
): Promise<Map<string, ProfileBody>> {
  const rows = await read<Row>(reader, "profile_bodies", BODIES, [input.project_id, input.profile_box_ids]);
  const found = new Set(rows.map((row) => row.box_id));
  const rest = input.profile_box_ids.filter((id) => !found.has(id));
  const based =
    rest.length === 0 ? [] : await read<Row>(reader, "profile_bodies_based", BASED, [input.project_id, rest]);
  return new Map([...rows, ...based].map((row) => [row.box_id, ProfileBody.parse(row.body)]));
}
