// A turn as a plate to click on.
import type { TurnRef } from "@/server/contract/line";
import { HUMAN_TARGET } from "../turns/turn-row";

export type TurnRefRow = Omit<TurnRef, "is_human"> & { worker_target: string };

/** For a table `t` of turns. */
export const TURN_REF = `t.agent_turn_id, t.root_turn_id, t.headcode, t.agent_id, t.profile_name, t.worker_target, t.status, t.title, t.created_at`;

export const turnRef = (row: TurnRefRow): TurnRef => ({
  agent_turn_id: row.agent_turn_id,
  root_turn_id: row.root_turn_id,
  headcode: row.headcode,
  agent_id: row.agent_id,
  profile_name: row.profile_name,
  is_human: row.worker_target === HUMAN_TARGET,
  status: row.status,
  title: row.title,
  created_at: new Date(row.created_at).toISOString(),
});

/** Of one chunk `k`: the origin at an offset (SQL, from 0); origins are kept as runs [[count, origin], ...]. */
export const originSql = (offset: string): string => `(
    SELECT r.run ->> 1 FROM (SELECT e.run, sum((e.run ->> 0)::int) OVER (ORDER BY e.ord) AS upto
      FROM jsonb_array_elements(k.origins) WITH ORDINALITY AS e(run, ord)) r WHERE r.upto > ${offset} ORDER BY r.upto LIMIT 1)`;

/** The turn that wrote card $2 `c` of project $1: named by the card, or, of an imported one, by a box's origin. */
export const WRITER = `coalesce(c.metadata ->> 'agent_turn_id', (
    SELECT substr(o.origin, 6) FROM card_box_chunks k
    CROSS JOIN LATERAL (SELECT ${originSql("array_position(k.card_ids, $2) - 1")} AS origin) o
    WHERE k.tenant_id = $1 AND k.card_ids @> ARRAY[$2] AND o.origin LIKE 'turn:%' LIMIT 1))`;
