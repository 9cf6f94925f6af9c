// Who saw this card: every box that contains it, and every turn and agent that was given one of those boxes; also those that
// were given its words as another card, where that is asked for.
import type { BoxKind, Origin } from "@/server/contract/box";
import type { SeenWhy, SightingsInclude } from "@/server/contract/sightings";
import { type Reader, read } from "../reader";
import { findAlike } from "./find-alike";
import { findPlaces, type Place } from "./find-places";
import { getCard } from "./get-cards";

export type SightingBox = {
  box_id: string;
  kind: BoxKind;
  position: number;
  origin: Origin;
  owner_agent_id?: string;
  owner_turn_id?: string;
  /** The card that it holds, and what that is to the card asked for. */
  card_id: string;
  why: SeenWhy;
  created_at: string;
};

/** context: handed over to it. memory: already in its output box. output: written by it. request: in the prompt of a step. */
export type SightingTurn = {
  agent_turn_id: string;
  agent_id: string;
  headcode: string;
  as: ("context" | "memory" | "output" | "request")[];
  why: SeenWhy[];
  created_at: string;
};

/** Lists are limited; the totals are not. Times are those of the boxes, never earlier than the card's own. */
export type Sightings = {
  card_id: string;
  /** The card, and those that count with it. */
  cards: { card_id: string; why: SeenWhy }[];
  boxes: SightingBox[];
  turns: SightingTurn[];
  agents: { agent_id: string; turns: number }[];
  boxes_total: number;
  /** Of these, the requests: how often it was sent to a model. */
  requests_total: number;
  turns_total: number;
  /** There are more places than are looked at: all but boxes_total is of the newest so many. */
  looked_at?: number;
  first_seen?: string;
  last_seen?: string;
};

const SHOWN_MAX = 500;

// Each place is read by its key. Looked for again by the card, twenty thousand boxes were joined before the first 500 were taken.
const HELD = `
  held AS MATERIALIZED (
    SELECT DISTINCT ON (p.box_id, p.card_id) p.box_id, p.card_id, k.start + k.place - 1 AS position, k.place, k.origins,
      b.kind, b.owner_agent_id, b.owner_turn_id, b.created_at
    FROM unnest($2::text[], $3::int[], $4::text[]) AS p(box_id, n, card_id)
    CROSS JOIN LATERAL (SELECT k.start, k.origins, array_position(k.card_ids, p.card_id) AS place FROM card_box_chunks k
      WHERE k.tenant_id = $1 AND k.box_id = p.box_id AND k.n = p.n OFFSET 0) k
    CROSS JOIN LATERAL (SELECT b.kind, b.owner_agent_id, b.owner_turn_id, b.created_at FROM card_boxes b
      WHERE b.tenant_id = $1 AND b.box_id = p.box_id OFFSET 0) b
    ORDER BY p.box_id, p.card_id, p.n
  ), card AS MATERIALIZED (
    SELECT c.card_id, c.created_at, c.metadata ->> 'agent_turn_id' AS writer FROM cards c
    WHERE c.tenant_id = $1 AND c.card_id = ANY (ARRAY(SELECT DISTINCT x FROM unnest($4::text[]) x))
  )`;

// Requests come last: every step has one, and they would hide the boxes they were made from. Within a box, cards are in
// box order: without it, their order depended on the query plan.
const BOXES = `
  WITH ${HELD}
  SELECT b.box_id, b.card_id, b.kind, b.position, o.origin, b.owner_agent_id, b.owner_turn_id, b.created_at,
    b.total, b.requests, b.first_seen, b.last_seen
  FROM (
    SELECT h.box_id, h.card_id, h.position, h.place, h.origins, h.kind, h.owner_agent_id, h.owner_turn_id, h.created_at,
      count(*) OVER ()::int AS total, (count(*) FILTER (WHERE h.kind = 'request') OVER ())::int AS requests,
      min(greatest(h.created_at, c.created_at)) OVER () AS first_seen, max(greatest(h.created_at, c.created_at)) OVER () AS last_seen
    FROM held h JOIN card c ON c.card_id = h.card_id
    ORDER BY h.kind = 'request', h.created_at DESC, h.box_id DESC, h.position
    LIMIT ${SHOWN_MAX}
  ) b
  CROSS JOIN LATERAL (
    SELECT r.run ->> 1 AS origin FROM (
      SELECT run, sum((run ->> 0)::int) OVER (ORDER BY ord) AS upto FROM jsonb_array_elements(b.origins) WITH ORDINALITY AS e(run, ord)
    ) r WHERE r.upto >= b.place ORDER BY r.upto LIMIT 1
  ) o
  ORDER BY b.kind = 'request', b.created_at DESC, b.box_id DESC, b.position`;

const TURN = "t.agent_turn_id, t.agent_id, t.headcode, t.created_at";
// A request is no context and no output, so no turn is looked for by it. All turns of a reused agent share an output box: a turn that
// ended before the card was written never saw it.
const TURNS = `
  WITH ${HELD}, seen AS (
    SELECT t.agent_turn_id, t.agent_id, t.headcode, t.created_at, 'context' AS what, h.card_id FROM held h CROSS JOIN LATERAL (
      SELECT ${TURN} FROM state.agent_turns t WHERE t.project_id = $1 AND t.context_box_id = h.box_id OFFSET 0) t
    WHERE h.kind <> 'request'
    UNION ALL
    SELECT t.agent_turn_id, t.agent_id, t.headcode, t.created_at, CASE WHEN h.position < t.output_start THEN 'memory' ELSE 'output' END, h.card_id
    FROM held h CROSS JOIN LATERAL (
      SELECT ${TURN}, t.output_start FROM state.agent_turns t WHERE t.project_id = $1 AND t.output_box_id = h.box_id OFFSET 0) t
    JOIN card c ON c.card_id = h.card_id
    WHERE h.kind <> 'request' AND (h.position < t.output_start OR c.writer = t.agent_turn_id)
    UNION ALL
    SELECT t.agent_turn_id, t.agent_id, t.headcode, t.created_at, 'request', h.card_id FROM held h CROSS JOIN LATERAL (
      SELECT ${TURN} FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = h.owner_turn_id OFFSET 0) t
    WHERE h.kind = 'request'
  )
  SELECT s.agent_turn_id, s.agent_id, s.headcode, s.created_at, array_agg(DISTINCT s.what ORDER BY s.what) AS "as",
    array_agg(DISTINCT s.card_id) AS card_ids
  FROM seen s GROUP BY 1, 2, 3, 4
  ORDER BY s.created_at DESC, s.agent_turn_id DESC`;

type BoxRow = Omit<SightingBox, "owner_agent_id" | "owner_turn_id" | "why"> & {
  owner_agent_id: string | null;
  owner_turn_id: string | null;
  total: number;
  requests: number;
  first_seen: string;
  last_seen: string;
};
type TurnRow = Omit<SightingTurn, "why"> & { card_ids: string[] };

/** not_found for an unknown card, and also for one of another project. */
export async function readSightings(
  reader: Reader,
  input: { project_id: string; card_id: string; include?: readonly SightingsInclude[] },
): Promise<Sightings> {
  const { project_id, include = [] } = input;
  const card = await getCard(reader, input);
  const alike = await findAlike(reader, { project_id, card, include });
  const cards = [{ card_id: card.card_id, why: "card" as SeenWhy }, ...alike];
  const found = await findPlaces(reader, { project_id, card_ids: cards.map((one) => one.card_id) });
  const values = valuesOf(project_id, found.places);
  const rows = await read<BoxRow>(reader, "sightings_boxes", BOXES, values);
  const turns = await read<TurnRow>(reader, "sightings_turns", TURNS, values);
  const whyOf = new Map(cards.map((one) => [one.card_id, one.why]));
  const agents = new Map<string, number>();
  for (const turn of turns) agents.set(turn.agent_id, (agents.get(turn.agent_id) ?? 0) + 1);
  const [first] = rows;
  return {
    card_id: card.card_id,
    cards,
    boxes: rows.map((row) => boxOf(row, whyOf.get(row.card_id) ?? "card")),
    turns: turns.slice(0, SHOWN_MAX).map(({ card_ids, ...turn }) => ({
      ...turn,
      why: [...new Set(card_ids.map((id) => whyOf.get(id) ?? "card"))].sort(),
    })),
    agents: [...agents].map(([agent_id, count]) => ({ agent_id, turns: count })),
    boxes_total: found.looked_at === undefined ? (first?.total ?? 0) : found.total,
    requests_total: first?.requests ?? 0,
    turns_total: turns.length,
    ...(found.looked_at !== undefined && { looked_at: found.looked_at }),
    ...(first && { first_seen: first.first_seen, last_seen: first.last_seen }),
  };
}

const valuesOf = (project_id: string, places: Place[]): unknown[] => [
  project_id,
  places.map((place) => place.box_id),
  places.map((place) => place.n),
  places.map((place) => place.card_id),
];

function boxOf(row: BoxRow, why: SeenWhy): SightingBox {
  const {
    total: _total,
    requests: _requests,
    first_seen: _first,
    last_seen: _last,
    owner_agent_id,
    owner_turn_id,
    ...box
  } = row;
  return { ...box, why, ...(owner_agent_id && { owner_agent_id }), ...(owner_turn_id && { owner_turn_id }) };
}
