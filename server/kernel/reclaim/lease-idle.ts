// An idle head with a queued turn: impossible while every enqueue and every end locks the head first, but repaired anyway
// (a restored backup, a row moved by hand).
import type { Kernel } from "../kernel";
import { leaseNext } from "../turns/lease-next";
import { lockHeads } from "../turns/lock-heads";
import { withUnit } from "../unit";
import { eachRow, failureJoin, IS_TRIED, inTurn, LIST_MAX, rowKey, type WatchedRow } from "./each-row";

const LEFT = `
  SELECT h.project_id, h.agent_id, ${rowKey("h.agent_id")}
  FROM state.agent_state_head h ${failureJoin("lease-idle", "h.project_id", "h.agent_id")}
  WHERE h.status = 'idle' AND ${IS_TRIED} AND EXISTS (SELECT 1 FROM state.agent_inbox i WHERE i.project_id = h.project_id
    AND i.agent_id = h.agent_id AND i.status = 'queued' AND i.defer_reason IS DISTINCT FROM 'run_limit'
    AND i.created_at < now() - interval '2 s')
  ORDER BY ${inTurn("h.project_id", "h.agent_id")} LIMIT ${LIST_MAX}`;

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
