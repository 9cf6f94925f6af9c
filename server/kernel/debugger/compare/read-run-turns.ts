// The turns of two runs as they are aligned and listed: one statement for both.

import type { ForkedFrom } from "@/server/contract/fork-turn";
import type { TurnFrame } from "@/server/contract/frame";
import { inOrder } from "@/server/contract/run-compare/align-turns";
import type { AlignTurn } from "@/server/contract/run-compare/turn-pair";
import { type Reader, read } from "../../reader";
import { REF } from "../read-handover-edge";
import type { PlanPlace } from "./read-plan-places";

/** Of each run: the first that began. */
const TURNS_MAX = 5_000;
/** Letters of an instruction that are compared. */
const WORDS_MAX = 400;

// A run that was started again is named by the person who did it.
const TURNS = `
  WITH own AS (
    SELECT r.root, o.agent_turn_id, o.total FROM unnest($2::text[]) AS r(root) CROSS JOIN LATERAL (
      SELECT o.agent_turn_id, count(*) OVER ()::int AS total FROM state.agent_turns o
      WHERE o.project_id = $1 AND o.root_turn_id = r.root ORDER BY o.created_at, o.agent_turn_id LIMIT ${TURNS_MAX}) o
    UNION ALL SELECT g.root, g.id, 0 FROM unnest($3::text[], $4::text[]) AS g(root, id)
  )
  SELECT own.root, own.total, ${REF("t")} AS turn, t.parent_turn_id, t.primitive, t.task_index, t.profile_box_id, t.context_box_id,
    t.output_box_id, coalesce(t.output_start, 0) AS output_start, t.deliverable_card_id, t.context_cards, t.output_cards,
    t.context_tokens::int AS context_tokens, t.output_tokens::int AS output_tokens, t.step_count, t.tokens_in::int AS tokens_in,
    t.tokens_out::int AS tokens_out, t.cost::float8 AS cost, t.note, t.error, t.forked_from, t.started_at, t.ended_at,
    CASE WHEN t.root_turn_id <> own.root THEN (SELECT s.number FROM state.runs s
      WHERE s.project_id = $1 AND s.root_turn_id = t.root_turn_id) END AS as_in_run, d.content -> 'data' ->> 'rerun_of' AS rerun_of,
    left(CASE i.content ->> 'kind' WHEN 'text' THEN i.content ->> 'text' ELSE t.title END, ${WORDS_MAX}) AS words
  FROM own
  JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = own.agent_turn_id
  LEFT JOIN cards i ON i.tenant_id = $1 AND i.card_id = t.instruction_card_id
  LEFT JOIN state.agent_turns h ON h.project_id = $1 AND h.agent_turn_id = t.parent_turn_id AND h.is_human
  LEFT JOIN cards d ON d.tenant_id = $1 AND d.card_id = h.deliverable_card_id`;

type Row = {
  root: string;
  total: number;
  turn: Pick<
    TurnFrame,
    "agent_turn_id" | "root_turn_id" | "headcode" | "agent_id" | "profile_name" | "is_human" | "status" | "title"
  > & {
    created_at: string;
  };
  parent_turn_id: string | null;
  primitive: TurnFrame["primitive"];
  task_index: number | null;
  profile_box_id: string;
  context_box_id: string;
  output_box_id: string | null;
  output_start: number;
  deliverable_card_id: string | null;
  context_cards: number;
  output_cards: number;
  context_tokens: number;
  output_tokens: number;
  step_count: number;
  tokens_in: number;
  tokens_out: number;
  cost: number | null;
  note: string | null;
  error: string | null;
  forked_from: ForkedFrom | null;
  started_at: string | null;
  ended_at: string | null;
  as_in_run: number | null;
  rerun_of: string | null;
  words: string | null;
};

export type RunTurn = Omit<Row, "root" | "total" | "turn" | "words" | "rerun_of"> & Row["turn"] & AlignTurn;
export type RunTurns = { turns: RunTurn[]; total: number };

/** In the order of reading. */
export async function readRunTurns(
  reader: Reader,
  { project_id, roots, places }: { project_id: string; roots: { a: string; b: string }; places: readonly PlanPlace[] },
): Promise<{ a: RunTurns; b: RunTurns }> {
  const ids = [...new Set([roots.a, roots.b])];
  const rows = await read<Row>(reader, "compare_turns", TURNS, [
    project_id,
    ids,
    places.map(({ root_turn_id }) => root_turn_id),
    places.map(({ agent_turn_id }) => agent_turn_id),
  ]);
  const placeOf = new Map(places.map((place) => [`${place.root_turn_id} ${place.agent_turn_id}`, place]));
  const of = (root: string): RunTurns => {
    const mine = rows.filter((row) => row.root === root);
    const turns = mine.map((row) => turnOf(row, placeOf.get(`${root} ${row.turn.agent_turn_id}`)));
    const unique = new Map(turns.map((turn) => [turn.agent_turn_id, turn]));
    return { turns: inOrder([...unique.values()]), total: Math.max(0, ...mine.map(({ total }) => total)) };
  };
  return withTakenOver({ a: of(roots.a), b: of(roots.b) });
}

function turnOf({ root: _root, total: _total, turn, words, rerun_of, ...row }: Row, place?: PlanPlace): RunTurn {
  const { node = null, plan = null } = place ?? {};
  const origin = row.forked_from
    ? { agent_turn_id: row.forked_from.agent_turn_id, how: "forked_from" as const }
    : rerun_of !== null
      ? { agent_turn_id: rerun_of, how: "rerun_of" as const }
      : null;
  return {
    ...row,
    ...turn,
    created_at: new Date(turn.created_at).toISOString(),
    node,
    plan,
    origin,
    words: words ?? "",
  };
}

/** What a result that was taken over had called belongs to it on both sides. */
function withTakenOver({ a, b }: { a: RunTurns; b: RunTurns }): { a: RunTurns; b: RunTurns } {
  return { a: { ...a, turns: withBelow(a.turns, b.turns) }, b: { ...b, turns: withBelow(b.turns, a.turns) } };
}

function withBelow(turns: RunTurn[], others: readonly RunTurn[]): RunTurn[] {
  const taken = new Map(
    turns.flatMap((turn) => (turn.as_in_run === null ? [] : [[turn.agent_turn_id, turn.as_in_run] as const])),
  );
  if (taken.size === 0) return turns;
  const there = new Set(turns.map(({ agent_turn_id }) => agent_turn_id));
  const below = others.flatMap((turn) => {
    const as_in_run = taken.get(turn.parent_turn_id ?? "");
    if (as_in_run === undefined || there.has(turn.agent_turn_id)) return [];
    taken.set(turn.agent_turn_id, as_in_run);
    return [{ ...turn, as_in_run }];
  });
  return below.length === 0 ? turns : inOrder([...turns, ...below]);
}
