// An idle agent with a queued turn: impossible while every enqueue and every end locks the agent first, but repaired anyway
// (a restored backup, a row moved by hand).
import type { Kernel } from "../kernel";
import { leaseNext } from "../turns/lease-next";
import { lockHeads } from "../turns/lock-heads";
import { withUnit } from "../unit";
import { eachRow, failureJoin, IS_TRIED, inTurn, LIST_MAX, rowKey, type WatchedRow } from "./each-row";

const LEFT = `
  SELECT q.project_id, q.agent_id, ${rowKey("q.agent_id")}
  FROM (SELECT DISTINCT d.project_id, d.queued_for AS agent_id FROM state.due d
    WHERE d.queued_for IS NOT NULL AND NOT d.is_held AND d.created_at < now() - interval '2 s') q
  CROSS JOIN LATERAL (SELECT 1 FROM resource.project_agents a WHERE a.project_id = q.project_id AND a.agent_id = q.agent_id
    AND a.active_turn IS NULL OFFSET 0) idle
  ${failureJoin("lease-idle", "q.project_id", "q.agent_id")}
  WHERE ${IS_TRIED}
  ORDER BY ${inTurn("q.project_id", "q.agent_id")} LIMIT ${LIST_MAX}`;

/** One by one: normally there are none. */
export async function leaseIdle(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<WatchedRow & { agent_id: string }>({ name: "reclaim_left", text: LEFT });
  const due = { rule: "lease-idle", rows, isWhole: rows.length < LIST_MAX } as const;
  return eachRow(kernel, due, ({ project_id, agent_id }, brief) =>
    withUnit(brief, async (unit) => {
      const left = { project_id, agent_ids: [agent_id] };
      await lockHeads(unit, left);
      return (await leaseNext(unit, left)).length;
    }),
  );
}
