// What else holds the cards of a run, asked before it is deleted: those cards stay. And what was made from it (read-run-users.ts).

import type { RunHolds } from "@/server/contract/answers/deletions";
import { chunkAt } from "../cardbox/chunks-of";
import { heldIn } from "../cardbox/held-in";
import { type Reader, read } from "../reader";
import { noRun } from "../roster/no-run";
import { COUNTED_MAX, counted } from "./counted";
import { readRunProfiles } from "./read-run-profiles";
import { readRunUsers } from "./read-run-users";

/** Places of its cards that are looked at. */
const PLACES_MAX = 20_000;
const RUNS_MAX = 20;

const HEAD = `
  SELECT r.number,
    (SELECT count(*)::int FROM (SELECT 1 FROM state.agent_turns t WHERE t.project_id = $1 AND t.root_turn_id = $2 LIMIT ${COUNTED_MAX + 1}) x) AS turns,
    (SELECT count(*)::int FROM (SELECT 1 FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.root_turn_id = $2 AND t.ended_at IS NULL LIMIT ${COUNTED_MAX}) x) AS live
  FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = $2`;

// Boxes of its turns but their requests, which are made of the same cards.
const SHARED = `
  WITH own AS MATERIALIZED (
    SELECT x.box_id FROM (SELECT t.context_box_id, t.output_box_id FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.root_turn_id = $2 LIMIT ${COUNTED_MAX}) t
    CROSS JOIN LATERAL (VALUES (t.context_box_id), (t.output_box_id)) AS x(box_id) WHERE x.box_id IS NOT NULL
  ), ids AS MATERIALIZED (
    SELECT array_agg(i.card_id) AS ids FROM (
      SELECT DISTINCT i.card_id FROM (SELECT DISTINCT o.box_id FROM own o) o
      CROSS JOIN LATERAL (SELECT k.card_ids FROM card_box_chunks k WHERE k.tenant_id = $1 AND k.box_id = o.box_id OFFSET 0) k
      CROSS JOIN LATERAL unnest(k.card_ids) AS i(card_id)
      JOIN cards c ON c.tenant_id = $1 AND c.card_id = i.card_id AND c.metadata ->> 'type' <> 'sys.profile'
      LIMIT ${COUNTED_MAX + 1}) i
  ), places AS MATERIALIZED (
    SELECT h.box_id, h.n FROM ids g CROSS JOIN LATERAL ${heldIn("g.ids")} h LIMIT ${PLACES_MAX + 1}
  ), others AS MATERIALIZED (
    SELECT k.card_ids, t.root_turn_id FROM places p CROSS JOIN LATERAL ${chunkAt("p.box_id", "p.n")} k
    CROSS JOIN LATERAL (SELECT b.box_id, b.owner_turn_id, b.kind FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = p.box_id OFFSET 0) b
    LEFT JOIN LATERAL (
      SELECT t.root_turn_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = b.owner_turn_id
      UNION ALL (SELECT t.root_turn_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.context_box_id = b.box_id)
      UNION ALL (SELECT t.root_turn_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.output_box_id = b.box_id)
    ) t ON true
    WHERE t.root_turn_id IS DISTINCT FROM $2
      AND NOT (t.root_turn_id IS NULL AND EXISTS (SELECT 1 FROM own o WHERE o.box_id = b.box_id))
  )
  SELECT s.root_turn_id, r.number, s.cards::int AS cards, s.all_cards::int AS all_cards, s.is_partial FROM (
    SELECT o.root_turn_id, count(DISTINCT i.card_id) AS cards,
      (SELECT coalesce(cardinality(g.ids), 0) FROM ids g) AS all_cards,
      (SELECT count(*) FROM places) > ${PLACES_MAX} AS is_partial
    FROM (SELECT 1) one LEFT JOIN others o ON true
    LEFT JOIN LATERAL (SELECT i.card_id FROM unnest(o.card_ids) AS i(card_id) WHERE i.card_id = ANY ((SELECT g.ids FROM ids g)::text[])) i ON true
    GROUP BY o.root_turn_id
  ) s LEFT JOIN state.runs r ON r.project_id = $1 AND r.root_turn_id = s.root_turn_id
  ORDER BY s.cards DESC, r.number DESC`;

type Head = { number: number; turns: number; live: number };
type SharedRow = {
  root_turn_id: string | null;
  number: number | null;
  cards: number;
  all_cards: number;
  is_partial: boolean;
};

/** not_found for one of another project too. */
export async function readRunHolds(
  reader: Reader,
  { project_id, root_turn_id }: { project_id: string; root_turn_id: string },
): Promise<RunHolds> {
  const values = [project_id, root_turn_id];
  const [head] = await read<Head>(reader, "run_holds", HEAD, values);
  if (!head) throw await noRun(reader, { project_id, root_turn_id });
  const rows = await read<SharedRow>(reader, "run_shared", SHARED, values);
  const users = await readRunUsers(reader, { project_id, root_turn_id });
  const profiles = await readRunProfiles(reader, { project_id, root_turn_id });
  const [first] = rows;
  const isPartial =
    users.is_partial ||
    profiles.is_partial ||
    rows.some((row) => row.is_partial) ||
    (first?.all_cards ?? 0) > COUNTED_MAX ||
    head.turns > COUNTED_MAX;
  return {
    root_turn_id,
    number: head.number,
    live_turns: head.live,
    turns: counted(head.turns),
    cards: counted(first?.all_cards ?? 0),
    shared: rows
      .flatMap(({ root_turn_id: id, number, cards }) =>
        id !== null && number !== null && cards > 0 ? { root_turn_id: id, number, cards } : [],
      )
      .slice(0, RUNS_MAX),
    shared_elsewhere: rows.find((row) => row.root_turn_id === null)?.cards ?? 0,
    used_by: users.used_by,
    profiles_left: profiles.profiles_left,
    ...(isPartial && { is_partial: true as const }),
  };
}
