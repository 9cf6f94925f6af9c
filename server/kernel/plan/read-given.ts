// What turns were given, as it was recorded: target, task, receipt and the cards of their arguments. For plans that are made from
// work that was done.

import type { CardContent } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import type { JoinPolicy } from "@/server/contract/join-policy";
import type { Receipt } from "@/server/contract/pack";
import { PLAN_WAGONS_MAX } from "@/server/contract/plan/plan";
import type { TargetStrategy } from "@/server/contract/turn";
import { SHOWN_CONTENT } from "../cardbox/card-row";
import type { Unit } from "../unit";

export type GivenTurn = {
  agent_turn_id: string;
  agent_id: string;
  headcode: string;
  is_human: boolean;
  primitive: string;
  profile_name: string;
  profile_box_id: string;
  target_strategy: TargetStrategy | null;
  derived_from: string | null;
  context_box_id: string | null;
  output_box_id: string | null;
  deliverable_card_id: string | null;
  /** The turn whose context this one was forked or repeated from. */
  forked_from: string | null;
  receipt: Receipt | null;
  /** In the order of the context. */
  cards: {
    card_id: string;
    type: string;
    content: CardContent | null;
    redacted_from: string | null;
    /** Of a context pack: its name in the artifact store. */
    pack_ref?: string | null;
  }[];
  /** Of the context: `cards` has those that are needed. */
  card_count: number;
  /** What its batch says; null for a turn without one. */
  batch_id: string | null;
  tool_name: string | null;
  plan_node_id: string | null;
  task_index: number | null;
  attempts_max: number | null;
  fail_fast: boolean | null;
  max_parallel: number | null;
  policy: JoinPolicy | null;
  deadline_seconds: number | null;
};

/**
 * Of a context the first cards are read, its instruction, and those that its receipt names: arguments stand behind what was
 * inherited, however much that was.
 */
const CARDS_MAX = 200;

const GIVEN = `
  SELECT t.agent_turn_id, t.agent_id, t.headcode, t.is_human, t.primitive, t.profile_name, t.profile_box_id, t.target_strategy,
    a.derived_from, t.context_box_id, t.output_box_id, t.deliverable_card_id,
    coalesce(t.forked_from ->> 'headcode', t.forked_from ->> 'agent_turn_id') AS forked_from, x.receipt, coalesce(g.cards, '[]') AS cards,
    coalesce(g.card_count, 0)::int AS card_count,
    t.batch_id, b.tool_name, b.plan_node_id, k.task_index, k.attempts_max, b.fail_fast, b.max_parallel, b.policy,
    extract(epoch FROM b.deadline_at - b.created_at)::float8 AS deadline_seconds
  FROM state.agent_turns t
  LEFT JOIN LATERAL (SELECT a.derived_from FROM resource.project_agents a WHERE a.project_id = $1 AND a.agent_id = t.agent_id OFFSET 0) a ON true
  LEFT JOIN LATERAL (SELECT b.tool_name, b.plan_node_id, b.fail_fast, b.max_parallel, b.policy, b.deadline_at, b.created_at FROM state.pmo_batches b
    WHERE b.project_id = $1 AND b.batch_id = t.batch_id OFFSET 0) b ON true
  LEFT JOIN LATERAL (SELECT k.task_index, k.attempts_max FROM state.pmo_batch_tasks k
    WHERE k.project_id = $1 AND k.batch_id = t.batch_id AND k.task_index = t.task_index AND k.agent_turn_id = t.agent_turn_id OFFSET 0) k ON true
  LEFT JOIN LATERAL (SELECT x.receipt FROM card_boxes x WHERE x.tenant_id = $1 AND x.box_id = t.context_box_id OFFSET 0) x ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('card_id', d.card_id, 'type', d.metadata ->> 'type', 'content', d.content,
      'redacted_from', d.metadata ->> 'redacted_from', 'pack_ref', d.metadata #>> '{context_pack,ref}') ORDER BY u.place) AS cards, max(u.card_count) AS card_count
    FROM (SELECT i.card_id, row_number() OVER (ORDER BY k.n, i.ord) AS place, count(*) OVER () AS card_count
      FROM card_box_chunks k CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS i(card_id, ord)
      WHERE k.tenant_id = $1 AND k.box_id = t.context_box_id) u
    JOIN LATERAL (SELECT c.card_id, c.metadata, ${SHOWN_CONTENT} AS content FROM cards c
      WHERE c.tenant_id = $1 AND c.card_id = u.card_id OFFSET 0) d ON true
    WHERE u.place <= ${CARDS_MAX} OR u.card_id = t.instruction_card_id
      OR u.card_id = ANY (ARRAY(SELECT l ->> 'card_id' FROM jsonb_array_elements(x.receipt -> 'lines') AS l))
  ) g ON true
  WHERE t.project_id = $1 AND NOT t.is_human AND `;
const ORDER = ` ORDER BY t.created_at, k.task_index, t.agent_turn_id LIMIT ${PLAN_WAGONS_MAX + 1}`;
const OF_TURN = `${GIVEN} t.agent_turn_id = $2 ${ORDER}`;
const OF_BATCH = `${GIVEN} t.batch_id = $2 AND k.task_index IS NOT NULL ${ORDER}`;
// A branch that takes a recorded result has no turn: its work was given to the turn that it is the result of.
const REPLAYED = `
  SELECT k.metadata #>> '{replays,agent_turn_id}' AS agent_turn_id, k.task_index, k.batch_id, b.tool_name, b.plan_node_id, b.fail_fast,
    b.max_parallel, b.policy, extract(epoch FROM b.deadline_at - b.created_at)::float8 AS deadline_seconds
  FROM state.pmo_batch_tasks k JOIN state.pmo_batches b ON b.project_id = $1 AND b.batch_id = k.batch_id
  WHERE k.project_id = $1 AND k.batch_id = $2 AND k.agent_turn_id IS NULL AND k.metadata #>> '{replays,agent_turn_id}' IS NOT NULL
  ORDER BY k.task_index LIMIT ${PLAN_WAGONS_MAX + 1}`;
// A branch that was tried again is its last attempt; the one before has no task any more.
const OF_CALLER = `${GIVEN} t.parent_turn_id = $2 AND (t.batch_id IS NULL OR k.task_index IS NOT NULL) ${ORDER}`;

// Looked for among the project's newest turns: a recipe that none of them was packed with has nothing recent to be tried on.
const RECENT = `
  SELECT t.agent_turn_id FROM (SELECT agent_turn_id, context_box_id, profile_name, created_at FROM state.agent_turns
    WHERE project_id = $1 AND NOT is_human ORDER BY created_at DESC LIMIT 5000) t
  JOIN LATERAL (SELECT receipt FROM card_boxes WHERE tenant_id = $1 AND box_id = t.context_box_id OFFSET 0) b ON true
  WHERE b.receipt IS NOT NULL AND ($2::text IS NULL OR b.receipt #>> '{recipe,name}' = $2)
    AND ($3::text IS NULL OR lower(t.profile_name) = lower($3)) ORDER BY t.created_at DESC LIMIT $4`;
const OF_RECENT = `${GIVEN} t.agent_turn_id = ANY ($2::text[]) ${ORDER}`;

/** `recent`: the last hand-overs that were packed with a recipe, or to a profile. */
export type GivenOf =
  | { agent_turn_id: string }
  | { batch_id: string }
  | { parent_turn_id: string }
  | { recent: { recipe: string | null; profile: string | null; last: number } };

/** Oldest first; bad_request for more than a plan can hold. */
export async function readGiven(unit: Unit, project_id: string, of: GivenOf): Promise<GivenTurn[]> {
  if ("recent" in of) {
    const { recipe, profile, last } = of.recent;
    const found = await unit.query<{ agent_turn_id: string }>("given_recent", RECENT, [
      project_id,
      recipe,
      profile,
      last,
    ]);
    const ids = found.map(({ agent_turn_id }) => agent_turn_id);
    return unit.query<GivenTurn>("given_turns", OF_RECENT, [project_id, ids]);
  }
  const [name, sql, id] =
    "batch_id" in of
      ? ["given_batch", OF_BATCH, of.batch_id]
      : "parent_turn_id" in of
        ? ["given_caller", OF_CALLER, of.parent_turn_id]
        : ["given_turn", OF_TURN, of.agent_turn_id];
  const started = await unit.query<GivenTurn>(name, sql, [project_id, id]);
  const turns = "batch_id" in of ? await withReplayed(unit, project_id, of.batch_id, started) : started;
  if (turns.length <= PLAN_WAGONS_MAX) return turns;
  throw new KernelError(
    "bad_request",
    `more than ${PLAN_WAGONS_MAX} turns are too many for one plan; name a part of it`,
  );
}

type ReplayedTask = Pick<
  GivenTurn,
  | "agent_turn_id"
  | "task_index"
  | "batch_id"
  | "tool_name"
  | "plan_node_id"
  | "fail_fast"
  | "max_parallel"
  | "policy"
  | "deadline_seconds"
>;

/** In task order, each as a task of this batch. */
async function withReplayed(
  unit: Unit,
  project_id: string,
  batch_id: string,
  started: GivenTurn[],
): Promise<GivenTurn[]> {
  const tasks = await unit.query<ReplayedTask>("given_replayed", REPLAYED, [project_id, batch_id]);
  if (tasks.length === 0) return started;
  const ids = [...new Set(tasks.map(({ agent_turn_id }) => agent_turn_id))];
  const given = await unit.query<GivenTurn>("given_turns", OF_RECENT, [project_id, ids]);
  const byId = new Map(given.map((turn) => [turn.agent_turn_id, turn]));
  const replayed = tasks.flatMap((task): GivenTurn[] => {
    const turn = byId.get(task.agent_turn_id);
    return turn ? [{ ...turn, ...task }] : [];
  });
  return [...started, ...replayed].toSorted((a, b) => (a.task_index ?? 0) - (b.task_index ?? 0));
}
