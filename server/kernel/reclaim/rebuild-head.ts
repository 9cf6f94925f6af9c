// Rescue: an agent says again what its turns say, where somebody has changed rows by hand or a backup was put together of several. No
// agent loses its head: it is its own row. But the row may name a turn that is over or gone, none while one is live, or an epoch
// below one that was seen. What is due of its turns and has no row in state.due is there again too: without one no claim, heartbeat or
// watchdog finds them.

import type { HeadStatus } from "@/server/contract/agent";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { holdTurns } from "../turns/hold-turns";
import { leaseNext } from "../turns/lease-next";
import { lockHeads } from "../turns/lock-heads";
import { withUnit } from "../unit";

export type RebuiltHead = {
  agent_id: string;
  status: HeadStatus;
  turn_epoch: number;
  active_agent_turn_id: string | null;
  /** Of so many of its turns the row in state.due was missing: the queued wait, the dispatched can be claimed, the running have a lease again. */
  due_restored: number;
};

const AWAKE = `
  SELECT agent_turn_id FROM state.agent_turns
  WHERE project_id = $1 AND agent_id = $2 AND status IN ('queued', 'dispatched', 'running') AND NOT is_human`;

// The turns are held. Whether a limit of its run held one is not on record any more: it is not held.
const RESTORE = `
  INSERT INTO state.due (project_id, agent_turn_id, turn_epoch, worker_target, needs_own_worker, run_key, created_at, attempt, queued_for,
    claimed_by, claimed_at, heartbeat_at)
  SELECT $1, t.agent_turn_id, t.turn_epoch, t.worker_target, t.needs_own_worker, hashtext(t.root_turn_id), t.created_at, t.attempt,
    CASE WHEN t.status = 'queued' THEN t.agent_id END, CASE WHEN t.status = 'running' THEN coalesce(t.lease_holder, '?') END,
    CASE WHEN t.status = 'running' THEN coalesce(t.leased_at, now()) END, CASE WHEN t.status = 'running' THEN coalesce(t.heartbeat_at, now()) END
  FROM state.agent_turns t
  WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[]) AND t.status IN ('queued', 'dispatched', 'running') AND NOT t.is_human
  ON CONFLICT DO NOTHING RETURNING agent_turn_id`;

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
    AND ($3::boolean OR a.active_turn IS DISTINCT FROM live.agent_turn_id OR (live.agent_turn_id IS NULL AND a.turn_epoch < seen.turn_epoch))
  RETURNING a.agent_id, coalesce(live.status, 'idle') AS status, a.turn_epoch, a.active_turn AS active_agent_turn_id`;

/**
 * not_found for an unknown agent; conflict if it says what its turns say and nothing due of them is missing. If nothing runs, the next
 * queued turn is leased.
 */
export async function rebuildHead(
  kernel: Kernel,
  input: { project_id: string; agent_id: string },
): Promise<RebuiltHead> {
  const { project_id, agent_id } = input;
  return withUnit(kernel, async (unit) => {
    const awake = await unit.query<{ agent_turn_id: string }>("head_awake", AWAKE, [project_id, agent_id]);
    const agent_turn_ids = awake.map((turn) => turn.agent_turn_id);
    await holdTurns(unit, { project_id, agent_turn_ids });
    const [there] = await lockHeads(unit, { project_id, agent_ids: [agent_id] });
    if (!there) throw new KernelError("not_found", `agent ${agent_id} not found`);
    const restored =
      agent_turn_ids.length === 0 ? [] : await unit.query("due_restore", RESTORE, [project_id, agent_turn_ids]);
    const due_restored = restored.length;
    const values = [project_id, agent_id, due_restored > 0];
    const [found] = await unit.query<Omit<RebuiltHead, "due_restored">>("head_rebuild", REBUILD, values);
    if (!found) throw new KernelError("conflict", `agent ${agent_id} says what its turns say; nothing to rebuild`);
    const head = { ...found, due_restored };
    if (head.status !== "idle") return head;
    const [next] = await leaseNext(unit, { project_id, agent_ids: [agent_id] });
    return next
      ? { ...head, status: "dispatched", turn_epoch: next.turn_epoch, active_agent_turn_id: next.agent_turn_id }
      : head;
  });
}
