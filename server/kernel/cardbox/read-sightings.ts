// Who saw this card: every box that contains it, and every turn and agent that was given one of those boxes.
import type { BoxKind, Origin } from "@/server/contract/box";
import { type Reader, read } from "../reader";
import { getCard } from "./get-cards";

export type SightingBox = {
  box_id: string;
  kind: BoxKind;
  position: number;
  origin: Origin;
  owner_agent_id?: string;
  owner_turn_id?: string;
  created_at: string;
};

/** context: handed over to it. memory: already in its output box. output: written by it. request: in the prompt of a step. */
export type SightingTurn = {
  agent_turn_id: string;
  agent_id: string;
  headcode: string;
  as: ("context" | "memory" | "output" | "request")[];
  created_at: string;
};

/** Lists are limited; the totals are not. Times are those of the boxes, never earlier than the card's own. */
export type Sightings = {
  card_id: string;
  boxes: SightingBox[];
  turns: SightingTurn[];
  agents: { agent_id: string; turns: number }[];
  boxes_total: number;
  /** Of these, the requests: how often it was sent to a model. */
  requests_total: number;
  turns_total: number;
  first_seen?: string;
  last_seen?: string;
};

const SHOWN_MAX = 500;

// The index on card_ids does not include the project, so the filter is applied afterwards.
const HELD = `
  held AS MATERIALIZED (
    SELECT DISTINCT ON (k.box_id) k.box_id, k.start + array_position(k.card_ids, $2) - 1 AS position,
      array_position(k.card_ids, $2) AS place, k.origins
    FROM card_box_chunks k WHERE k.card_ids @> ARRAY[$2::text] AND k.tenant_id = $1
    ORDER BY k.box_id, k.n
  )`;

// Requests come last: every step has one, and they would hide the boxes they were made from.
const BOXES = `
  WITH ${HELD}
  SELECT h.box_id, b.kind, h.position, o.origin, b.owner_agent_id, b.owner_turn_id, b.created_at,
    count(*) OVER ()::int AS total, (count(*) FILTER (WHERE b.kind = 'request') OVER ())::int AS requests, min(greatest(b.created_at, c.created_at)) OVER () AS first_seen,
    max(greatest(b.created_at, c.created_at)) OVER () AS last_seen
  FROM held h
  JOIN card_boxes b ON b.tenant_id = $1 AND b.box_id = h.box_id
  JOIN cards c ON c.tenant_id = $1 AND c.card_id = $2
  CROSS JOIN LATERAL (
    SELECT r.run ->> 1 AS origin FROM (
      SELECT run, sum((run ->> 0)::int) OVER (ORDER BY ord) AS upto FROM jsonb_array_elements(h.origins) WITH ORDINALITY AS e(run, ord)
    ) r WHERE r.upto >= h.place ORDER BY r.upto LIMIT 1
  ) o
  ORDER BY b.kind = 'request', b.created_at DESC, b.box_id DESC
  LIMIT ${SHOWN_MAX}`;

// All turns of a reused agent share an output box: a turn that ended before the card was written never saw it.
const TURNS = `
  WITH ${HELD}, seen AS (
    SELECT t.agent_turn_id, 'context' AS what FROM held h JOIN state.agent_turns t ON t.project_id = $1 AND t.context_box_id = h.box_id
    UNION
    SELECT t.agent_turn_id, CASE WHEN h.position < t.output_start THEN 'memory' ELSE 'output' END
    FROM held h JOIN state.agent_turns t ON t.project_id = $1 AND t.output_box_id = h.box_id
    JOIN cards c ON c.tenant_id = $1 AND c.card_id = $2
    WHERE h.position < t.output_start OR c.metadata ->> 'agent_turn_id' = t.agent_turn_id
    UNION
    SELECT b.owner_turn_id, 'request' FROM held h JOIN card_boxes b ON b.tenant_id = $1 AND b.box_id = h.box_id
    WHERE b.kind = 'request' AND b.owner_turn_id IS NOT NULL
  )
  SELECT t.agent_turn_id, t.agent_id, t.headcode, t.created_at, array_agg(s.what ORDER BY s.what) AS "as"
  FROM seen s JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = s.agent_turn_id
  GROUP BY t.agent_turn_id, t.agent_id, t.headcode, t.created_at
  ORDER BY t.created_at DESC, t.agent_turn_id DESC`;

type BoxRow = Omit<SightingBox, "owner_agent_id" | "owner_turn_id"> & {
  owner_agent_id: string | null;
  owner_turn_id: string | null;
  total: number;
  requests: number;
  first_seen: string;
  last_seen: string;
};

/** not_found for an unknown card, and also for one of another project. */
export async function readSightings(
  reader: Reader,
  input: { project_id: string; card_id: string },
): Promise<Sightings> {
  const { card_id } = await getCard(reader, input);
  const values = [input.project_id, card_id];
  const boxes = await read<BoxRow>(reader, "sightings_boxes", BOXES, values);
  const turns = await read<SightingTurn>(reader, "sightings_turns", TURNS, values);
  const agents = new Map<string, number>();
  for (const turn of turns) agents.set(turn.agent_id, (agents.get(turn.agent_id) ?? 0) + 1);
  const [first] = boxes;
  return {
    card_id,
    boxes: boxes.map(
      ({
        total: _total,
        requests: _requests,
        first_seen: _first,
        last_seen: _last,
        owner_agent_id,
        owner_turn_id,
        ...box
      }) => ({
        ...box,
        ...(owner_agent_id && { owner_agent_id }),
        ...(owner_turn_id && { owner_turn_id }),
      }),
    ),
    turns: turns.slice(0, SHOWN_MAX),
    agents: [...agents].map(([agent_id, count]) => ({ agent_id, turns: count })),
    boxes_total: first?.total ?? 0,
    requests_total: first?.requests ?? 0,
    turns_total: turns.length,
    ...(first && { first_seen: first.first_seen, last_seen: first.last_seen }),
  };
}
