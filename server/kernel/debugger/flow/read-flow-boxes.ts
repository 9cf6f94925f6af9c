// The turns of a run and what their boxes hold, each box read once however many turns share it. Newest first up to a limit.
import { type Reader, read } from "../../reader";
import type { FlowTurn, FlowTurns, Held } from "./came-from";

const TURNS_MAX = 5_000;
/** A group chat has all earlier messages in each context. */
const PLACES_MAX = 200_000;

// `$3`: only the boxes of this turn. Ids as one text are read ten times faster than rows.
const BOXES = `
  WITH run AS MATERIALIZED (
    SELECT t.agent_turn_id, t.parent_turn_id, t.context_box_id, t.output_box_id, coalesce(t.output_start, 0) AS output_start, t.created_at,
      row_number() OVER (ORDER BY t.created_at DESC, t.agent_turn_id DESC)::int AS nth FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.root_turn_id = $2 ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${TURNS_MAX}
  ), box AS (
    SELECT b.box_id, min(b.nth) AS nth FROM (
      SELECT r.context_box_id AS box_id, r.nth FROM run r WHERE $3::text IS NULL OR r.agent_turn_id = $3
      UNION ALL SELECT r.output_box_id, r.nth FROM run r WHERE r.output_box_id IS NOT NULL AND ($3::text IS NULL OR r.agent_turn_id = $3)
    ) b GROUP BY b.box_id
  ), held AS (
    SELECT b.nth, b.box_id, k.n, k.start, array_to_string(k.card_ids, ' ') AS ids, k.origins,
      sum(cardinality(k.card_ids)) OVER (ORDER BY b.nth, b.box_id, k.n) AS places
    FROM box b CROSS JOIN LATERAL (SELECT k.n, k.start, k.card_ids, k.origins FROM card_box_chunks k
      WHERE k.tenant_id = $1 AND k.box_id = b.box_id OFFSET 0) k
  )
  SELECT (SELECT coalesce(json_agg(json_build_array(r.agent_turn_id, r.parent_turn_id, r.context_box_id, r.output_box_id, r.output_start,
      (extract(epoch FROM r.created_at) * 1000)::float8) ORDER BY r.nth), '[]') FROM run r) AS turns,
    (SELECT coalesce(json_agg(json_build_array(h.box_id, h.ids, h.origins) ORDER BY h.nth, h.box_id, h.n), '[]')
      FROM held h WHERE h.places <= ${PLACES_MAX}) AS held,
    (SELECT coalesce(bool_or(h.places > ${PLACES_MAX}), false) FROM held h) AS has_more`;

type Row = {
  turns: [string, string | null, string, string | null, number, number][];
  held: [box_id: string, ids: string, origins: [number, string][]][];
  has_more: boolean;
};
type BoxCards = { ids: string[]; origins: string[] };

export type FlowBoxes = {
  /** Newest first. */
  list: FlowTurn[];
  turns: FlowTurns;
  heldBy: (turn: FlowTurn) => Held[];
  ids: string[];
  boxes: string[];
  places: number;
  is_partial: boolean;
};

export async function readFlowBoxes(
  reader: Reader,
  { project_id, root_turn_id, to }: { project_id: string; root_turn_id: string; to?: string },
): Promise<FlowBoxes> {
  const [row] = await read<Row>(reader, "flow_boxes", BOXES, [project_id, root_turn_id, to ?? null]);
  const list = (row?.turns ?? []).map(
    ([agent_turn_id, parent_turn_id, context_box_id, output_box_id, output_start, created_ms]): FlowTurn => ({
      ...{ agent_turn_id, parent_turn_id, context_box_id, output_box_id, output_start, created_ms },
    }),
  );
  const boxes = new Map<string, BoxCards>();
  for (const [box_id, ids, origins] of row?.held ?? []) {
    const box = boxes.get(box_id) ?? { ids: [], origins: [] };
    for (const id of ids.split(" ")) box.ids.push(id);
    for (const [n, origin] of origins) for (let i = 0; i < n; i++) box.origins.push(origin);
    boxes.set(box_id, box);
  }
  const all = [...boxes.values()];
  return {
    list,
    turns: turnsOf(list),
    heldBy: (turn) => heldBy(turn, boxes),
    ids: [...new Set(all.flatMap(({ ids }) => ids))],
    boxes: [...new Set(all.flatMap(({ origins }) => origins))].flatMap((o) => (o.startsWith("box:") ? o.slice(4) : [])),
    places: all.reduce((sum, { ids }) => sum + ids.length, 0),
    is_partial: row?.has_more === true || list.length === TURNS_MAX,
  };
}

/** All turns of a reused agent share an output box: what stood in it before a turn is the turn's memory. */
function heldBy(turn: FlowTurn, boxes: ReadonlyMap<string, BoxCards>): Held[] {
  const cards = (box_id: string | null, as: (at: number) => Held["as"]): Held[] => {
    const box = boxes.get(box_id ?? "");
    return box ? box.ids.map((card_id, at) => ({ card_id, origin: box.origins[at] ?? "given", as: as(at) })) : [];
  };
  return [
    ...cards(turn.context_box_id, () => "context"),
    ...cards(turn.output_box_id, (at) => (at < turn.output_start ? "memory" : "output")),
  ];
}

function turnsOf(list: readonly FlowTurn[]): FlowTurns {
  const byId = new Map(list.map((turn) => [turn.agent_turn_id, turn]));
  const byBox = new Map<string, FlowTurn[]>();
  for (const turn of list)
    for (const box_id of [turn.context_box_id, turn.output_box_id])
      if (box_id !== null) {
        const sharing = byBox.get(box_id);
        if (sharing) sharing.push(turn);
        else byBox.set(box_id, [turn]);
      }
  return {
    get: (id) => byId.get(id ?? ""),
    ofBox: (box_id, before_ms) => {
      const sharing = byBox.get(box_id) ?? [];
      return sharing.find(({ created_ms }) => created_ms <= before_ms) ?? sharing.at(-1);
    },
  };
}
