// An idle head with a queued turn: cannot happen while every enqueue and every end takes the head first, and is mended
// all the same (a restored backup, a row moved by hand).
import type { Kernel } from "../kernel";
import { leaseNext } from "../turns/lease-next";
import { lockHeads } from "../turns/lock-heads";
import { withUnit } from "../unit";

const LEFT = `
  SELECT i.project_id, array_agg(DISTINCT i.agent_id) AS agent_ids
  FROM state.agent_inbox i JOIN state.agent_state_head h USING (project_id, agent_id)
  WHERE i.status = 'queued' AND h.status = 'idle' AND i.created_at < now() - interval '2 s'
  GROUP BY i.project_id LIMIT 20`;

export async function leaseIdle(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<{ project_id: string; agent_ids: string[] }>({
    name: "reclaim_left",
    text: LEFT,
  });
  let acted = 0;
  for (const left of rows)
    acted += await withUnit(kernel, async (unit) => {
      await lockHeads(unit, left);
      return (await leaseNext(unit, left)).length;
    });
  return acted;
}
