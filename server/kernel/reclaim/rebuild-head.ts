// Rescue: an agent says again what its turns say, where somebody has changed rows by hand or a backup was put together of several. No
// agent loses its head: it is its own row. But the row may name a turn that is over or gone, none while one is live, or an epoch
// below one that was seen.

import type { HeadStatus } from "@/server/contract/agent";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { leaseNext } from "../turns/lease-next";
import { lockHeads } from "../turns/lock-heads";
import { withUnit } from "../unit";

export type RebuiltHead = {
  agent_id: string;
  status: HeadStatus;
  turn_epoch: number;
  active_agent_turn_id: string | null;
};

// The epoch is the highest on record, so that no worker of an older one is accepted again.
const REBUILD = `
  WITH live AS (
    SELECT agent_turn_id, status FROM state.agent_turns
    WHERE project_id = $1 AND agent_id = $2 AND status IN ('dispatched', 'running', 'suspended') AND NOT is_human
    ORDER BY turn_epoch DESC, agent_turn_id LIMIT 1
  ), seen AS (
    SELECT greatest(
      (SELECT max(turn_epoch) FROM state.agent_turns WHERE project_id = $1 AND agent_id = $2),
      (SELECT max(turn_epoch) FROM state.inbox_messages WHERE project_id = $1 AND agent_id = $2),
      (SELECT max(t.turn_epoch) FROM state.journal_packs p CROSS JOIN LATERAL unnest(p.turns) AS t
        WHERE p.project_id = $1 AND t.agent_id = $2),
      (SELECT max((e.frame ->> 'turn_epoch')::bigint) FROM state.journal_packs p CROSS JOIN LATERAL jsonb_array_elements(p.frames) AS e(frame)
        WHERE p.project_id = $1 AND p.frames IS NOT NULL AND e.frame ->> 'kind' = 'turn' AND e.frame ->> 'agent_id' = $2), 0) AS turn_epoch
  )
  UPDATE resource.project_agents a SET active_turn = live.agent_turn_id, turn_epoch = greatest(a.turn_epoch, seen.turn_epoch)
  FROM seen LEFT JOIN live ON true
  WHERE a.project_id = $1 AND a.agent_id = $2 AND NOT a.is_human
    AND (a.active_turn IS DISTINCT FROM live.agent_turn_id OR (live.agent_turn_id IS NULL AND a.turn_epoch < seen.turn_epoch))
  RETURNING a.agent_id, coalesce(live.status, 'idle') AS status, a.turn_epoch, a.active_turn AS active_agent_turn_id`;

/** not_found for an unknown agent; conflict if it says what its turns say. If nothing runs, the next queued turn is leased. */
export async function rebuildHead(
  kernel: Kernel,
  input: { project_id: string; agent_id: string },
): Promise<RebuiltHead> {
  const { project_id, agent_id } = input;
  return withUnit(kernel, async (unit) => {
    const [there] = await lockHeads(unit, { project_id, agent_ids: [agent_id] });
    if (!there) throw new KernelError("not_found", `agent ${agent_id} not found`);
    const [head] = await unit.query<RebuiltHead>("head_rebuild", REBUILD, [project_id, agent_id]);
    if (!head) throw new KernelError("conflict", `agent ${agent_id} says what its turns say; nothing to rebuild`);
    if (head.status !== "idle") return head;
    const [next] = await leaseNext(unit, { project_id, agent_ids: [agent_id] });
    return next
      ? { ...head, status: "dispatched", turn_epoch: next.turn_epoch, active_agent_turn_id: next.agent_turn_id }
      : head;
  });
}
