// The figures of runs, of all runs of a page in one statement. Turns are counted as the yard counts them, a person's too; people have
// neither tokens nor cost. $1 is the project, $2 the runs.
import type { RunLine } from "@/server/contract/run-list";
import { RUN_TURNS_COUNTED } from "@/server/contract/run-order";
import type { EndStatus } from "@/server/contract/turn";
import { MUTE_JOIN } from "../alarms/alarm-row";

/** First turns of a run that has more than are counted: what people launched is among them. */
const FIRST = 50;

const TURN = "o.is_human, o.parent_turn_id, o.depth, o.batch_id, o.status, o.ended_at";
const OF_RUN = "o.project_id = $1 AND o.root_turn_id = r.root_turn_id";

/**
 * What a person launched: the turn that they handed over to, and for a fork or a plan their own turn, which ends as the gate or the
 * plan decides. In an import without a person, the first turns.
 */
const LAUNCHED = `(t.is_human OR t.parent_turn_id IS NULL
  OR (t.depth = 1 AND t.batch_id IS NULL AND t.parent_turn_id <> ALL (p.planners)))`;

// By the index of a run's turns in their order. One LATERAL for each run of the page, so that no other run is read. What is launched is
// few: DISTINCT is left to the end, because an aggregate with it sorts all turns of the run first.
export const FIGURES = `
  SELECT r.root_turn_id, r.number, r.title, r.source, r.created_at, r.metadata ->> 'times' IS NOT DISTINCT FROM 'synthetic' AS is_untimed,
    coalesce(w.agent_id, '') AS agent_id,
    coalesce(w.display_name, w.agent_id, '') AS who,
    c.turns, c.is_cut, c.working, c.live_all, c.live, c.failed, c.tokens, c.cost, c.unpriced, c.ended_at, a.alarms,
    (SELECT o.agent_turn_id FROM state.agent_turns o WHERE o.project_id = $1 AND o.parent_turn_id = r.root_turn_id AND NOT o.is_human
      AND o.batch_id IS NULL AND r.root_turn_id <> ALL (p.planners) ORDER BY o.created_at, o.agent_turn_id LIMIT 1) AS launched_turn_id,
    ARRAY(SELECT DISTINCT e.status FROM unnest(c.ends || f.ends) AS e(status)) AS ends
  FROM state.runs r
  LEFT JOIN LATERAL (SELECT o.agent_id, (SELECT n.display_name FROM resource.project_agents n
      WHERE n.project_id = $1 AND n.agent_id = o.agent_id) AS display_name
    FROM state.agent_turns o WHERE o.project_id = $1 AND o.agent_turn_id = r.root_turn_id OFFSET 0) w ON true
  CROSS JOIN LATERAL (SELECT ARRAY(SELECT l.parent_turn_id FROM state.plan_runs l
    WHERE l.project_id = $1 AND l.root_turn_id = r.root_turn_id) AS planners) p
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS turns, count(*) = ${RUN_TURNS_COUNTED} AS is_cut,
      (count(*) FILTER (WHERE t.status IN ('dispatched', 'running')))::int AS working,
      (count(*) FILTER (WHERE t.ended_at IS NULL))::int AS live_all,
      (count(*) FILTER (WHERE t.ended_at IS NULL AND NOT t.is_human))::int AS live,
      (count(*) FILTER (WHERE t.status IN ('failed', 'timeout')))::int AS failed,
      coalesce(sum(t.tokens_in + t.tokens_out) FILTER (WHERE NOT t.is_human), 0)::bigint AS tokens,
      (sum(t.cost) FILTER (WHERE NOT t.is_human))::float8 AS cost,
      (count(*) FILTER (WHERE t.cost IS NULL AND t.tokens_in + t.tokens_out > 0 AND NOT t.is_human))::int AS unpriced,
      CASE WHEN count(*) = count(t.ended_at) THEN max(t.ended_at) END AS ended_at,
      coalesce(array_agg(t.status) FILTER (WHERE t.ended_at IS NOT NULL AND ${LAUNCHED}), '{}') AS ends
    FROM (SELECT ${TURN}, o.tokens_in, o.tokens_out, o.cost FROM state.agent_turns o WHERE ${OF_RUN}
      ORDER BY o.created_at DESC, o.agent_turn_id DESC LIMIT ${RUN_TURNS_COUNTED}) t
  ) c
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(t.status) FILTER (WHERE t.ended_at IS NOT NULL AND ${LAUNCHED}), '{}') AS ends
    FROM (SELECT ${TURN} FROM state.agent_turns o WHERE ${OF_RUN} AND c.is_cut
      ORDER BY o.created_at, o.agent_turn_id LIMIT ${FIRST}) t
  ) f
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS alarms FROM (SELECT 1 FROM state.alarms a ${MUTE_JOIN}
      WHERE a.project_id = $1 AND a.root_turn_id = r.root_turn_id AND m.scope IS NULL LIMIT ${RUN_TURNS_COUNTED}) a
  ) a
  WHERE r.project_id = $1 AND r.root_turn_id = ANY ($2::text[])`;

export type FiguresRow = Omit<
  RunLine,
  "status" | "ended_at" | "launched_turn_id" | "is_cut" | "cost" | "is_untimed"
> & {
  is_untimed: boolean;
  ended_at: string | null;
  launched_turn_id: string | null;
  is_cut: boolean;
  cost: number | null;
  working: number;
  live_all: number;
  ends: EndStatus[];
};
