// The turn that wrote a card and the step in which it did. A card that a hand-over made has no turn in its own records: its
// writer is the caller of the first turn that was given it, at the step of the call.
import { chunkAt } from "../../cardbox/chunks-of";
import { heldIn } from "../../cardbox/held-in";
import { type Reader, read } from "../../reader";
import type { BlameFact } from "./blame-card";

export type Writer = {
  agent_turn_id: string;
  root_turn_id: string;
  headcode: string;
  profile_name: string;
  is_human: boolean;
  context_box_id: string;
  output_box_id: string | null;
  step_id: string | null;
  /** Requests up to this one count. null = none is stored by then. */
  ordinal: number | null;
};

// Foreign workers may leave the step out: then it is the last one that had begun. Times come back without their microseconds.
const WRITER = `
  SELECT t.agent_turn_id, t.root_turn_id, t.headcode, t.profile_name, t.is_human, t.context_box_id, t.output_box_id, s.step_id, q.ordinal
  FROM state.agent_turns t
  LEFT JOIN LATERAL (SELECT s.step_id, s.ordinal FROM state.agent_steps s
    WHERE s.project_id = $1 AND s.agent_turn_id = t.agent_turn_id AND (s.step_id = $3 OR s.started_at <= $4::timestamptz + interval '1 ms')
    ORDER BY s.step_id = $3 DESC NULLS LAST, s.ordinal DESC LIMIT 1) s ON true
  LEFT JOIN LATERAL (SELECT q.ordinal FROM state.agent_steps q
    WHERE q.project_id = $1 AND q.agent_turn_id = t.agent_turn_id AND q.request_box_id IS NOT NULL AND q.ordinal <= s.ordinal
    ORDER BY q.ordinal DESC LIMIT 1) q ON true
  WHERE t.project_id = $1 AND t.agent_turn_id = $2`;

const MADE = `
  WITH held AS MATERIALIZED (
    SELECT h.box_id, array_position(k.card_ids, $2) AS place, k.origins
    FROM ${heldIn("ARRAY[$2::text]")} h CROSS JOIN LATERAL ${chunkAt("h.box_id", "h.n")} k
  )
  SELECT t.parent_turn_id, t.parent_step_id, t.created_at, o.origin
  FROM held h JOIN state.agent_turns t ON t.project_id = $1 AND t.context_box_id = h.box_id
  CROSS JOIN LATERAL (
    SELECT r.run ->> 1 AS origin FROM (
      SELECT run, sum((run ->> 0)::int) OVER (ORDER BY ord) AS upto FROM jsonb_array_elements(h.origins) WITH ORDINALITY AS e(run, ord)
    ) r WHERE r.upto >= h.place ORDER BY r.upto LIMIT 1
  ) o
  ORDER BY t.created_at, t.agent_turn_id LIMIT 1`;

type Made = { parent_turn_id: string | null; parent_step_id: string | null; created_at: string; origin: string };

/** Written for one hand-over. All other origins are those of cards that existed before. */
export const MADE_FOR_ONE = /^(arg:|sys$|pack$)/;

/** null = nobody's turn: it was put into the project from outside, or its turn is not stored. */
export async function readWriter(
  reader: Reader,
  { project_id, card }: { project_id: string; card: BlameFact },
): Promise<Writer | null> {
  const { agent_turn_id, step_id, created_at } = card;
  if (agent_turn_id !== null) return readTurnAt(reader, { project_id, agent_turn_id, step_id, created_at });
  const [made] = await read<Made>(reader, "blame_made", MADE, [project_id, card.card_id]);
  if (!made || made.parent_turn_id === null || !MADE_FOR_ONE.test(made.origin)) return null;
  const caller = { agent_turn_id: made.parent_turn_id, step_id: made.parent_step_id, created_at: made.created_at };
  return readTurnAt(reader, { project_id, ...caller });
}

type At = { project_id: string; agent_turn_id: string; step_id: string | null; created_at: string };

export async function readTurnAt(
  reader: Reader,
  { project_id, agent_turn_id, step_id, created_at }: At,
): Promise<Writer | null> {
  const values = [project_id, agent_turn_id, step_id, created_at];
  const [row] = await read<Writer>(reader, "blame_writer", WRITER, values);
  return row ?? null;
}
