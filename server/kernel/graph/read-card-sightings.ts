// Who saw a card: the boxes that hold it, the turns that read or wrote them, and how often it was sent to a model.
import type { BoxUse, CardPlace, CardSightings } from "@/server/contract/line";
import { read } from "../cardbox/reader";
import type { Kernel } from "../kernel";
import { originSql, TURN_REF, type TurnRefRow, turnRef, WRITER } from "./turn-ref";

export const SIGHTINGS_MAX = 200;

// A request repeats its turn's context at every step, so requests are counted and not listed. An agent that is called
// again goes on in the same output box: an earlier turn of it never saw what was written later.
const SIGHTINGS = `
  WITH place AS (
    SELECT b.box_id, b.kind, b.length, b.created_at, b.owner_turn_id, b.owner_agent_id,
      ${originSql("array_position(k.card_ids, $2) - 1")} AS origin,
      (k.start + array_position(k.card_ids, $2) - 1)::int AS position
    FROM card_box_chunks k JOIN card_boxes b ON b.tenant_id = k.tenant_id AND b.box_id = k.box_id
    WHERE k.tenant_id = $1 AND k.card_ids @> ARRAY[$2]
  ), box AS (
    SELECT DISTINCT ON (box_id) * FROM place WHERE kind <> 'request' ORDER BY box_id, position
  ), card AS (
    SELECT ${WRITER} AS turn_id FROM cards c WHERE c.tenant_id = $1 AND c.card_id = $2
  ), seen AS (
    SELECT DISTINCT ON (t.agent_turn_id, u.use) ${TURN_REF}, box.box_id, u.use
    FROM box JOIN state.agent_turns t ON t.project_id = $1
      AND (t.context_box_id = box.box_id OR t.output_box_id = box.box_id OR t.agent_turn_id = box.owner_turn_id)
    CROSS JOIN card
    CROSS JOIN LATERAL (SELECT CASE WHEN t.output_box_id = box.box_id AND (card.turn_id IS NULL OR card.turn_id = t.agent_turn_id)
      THEN 'output' ELSE 'context' END AS use) u
    WHERE t.output_box_id IS DISTINCT FROM box.box_id OR u.use = 'output' OR box.position < t.output_start
    ORDER BY t.agent_turn_id, u.use, box.created_at
  )
  SELECT (SELECT count(*)::int FROM box) AS box_count, (SELECT count(DISTINCT agent_turn_id)::int FROM seen) AS turn_count,
    (SELECT count(DISTINCT agent_id)::int FROM seen) AS agent_count,
    (SELECT count(DISTINCT box_id)::int FROM place WHERE kind = 'request') AS request_count,
    (SELECT min(created_at) FROM place) AS first_seen, (SELECT max(created_at) FROM place) AS last_seen,
    (SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY s.created_at DESC, s.box_id), '[]') FROM (
      SELECT box.box_id, box.kind, box.length, box.position, box.origin, box.created_at, w.headcode, w.agent_turn_id
      FROM box LEFT JOIN state.agent_turns w ON w.project_id = $1 AND w.agent_turn_id = box.owner_turn_id
      ORDER BY box.created_at DESC, box.box_id LIMIT ${SIGHTINGS_MAX}) s) AS boxes,
    (SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY s.created_at), '[]') FROM (
      SELECT * FROM seen ORDER BY created_at DESC LIMIT ${SIGHTINGS_MAX}) s) AS turns`;

type BoxRow = Omit<CardPlace, "headcode" | "agent_turn_id"> & {
  headcode: string | null;
  agent_turn_id: string | null;
};
type Row = Omit<CardSightings, "boxes" | "turns" | "first_seen" | "last_seen"> & {
  first_seen: string | null;
  last_seen: string | null;
  boxes: BoxRow[];
  turns: (TurnRefRow & { box_id: string; use: BoxUse })[];
};

/** Of an unknown card there are none. */
export async function readCardSightings(
  kernel: Kernel,
  input: { project_id: string; card_id: string },
): Promise<CardSightings> {
  const [row] = await read<Row>(kernel, "card_sightings", SIGHTINGS, [input.project_id, input.card_id]);
  if (!row) throw new Error("an aggregate answered no row");
  return {
    box_count: row.box_count,
    turn_count: row.turn_count,
    agent_count: row.agent_count,
    request_count: row.request_count,
    first_seen: row.first_seen ?? undefined,
    last_seen: row.last_seen ?? undefined,
    boxes: row.boxes.map(({ headcode, agent_turn_id, ...box }) => ({
      ...box,
      created_at: new Date(box.created_at).toISOString(),
      headcode: headcode ?? undefined,
      agent_turn_id: agent_turn_id ?? undefined,
    })),
    turns: row.turns.map((turn) => ({ ...turnRef(turn), box_id: turn.box_id, use: turn.use })),
  };
}
