// A person raises or lifts the limits of a run: as many of its held turns as there is room for go on, the oldest first.
import { KernelError } from "@/server/contract/errors";
import type { RunLimitsPatch, RunLimitsState } from "@/server/contract/run-limits";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { holdRun, type RunKey, tellHold } from "./hold-run";
import { leaseNext, wakeupOf } from "./lease-next";
import { lockHeads } from "./lock-heads";
import { roomSql } from "./run-limits-sql";
import type { TurnRow } from "./turn-row";

// Agents before the run's row, as everywhere (K17): whoever ends a turn of the run holds its agent already.
const AGENTS = `
  SELECT DISTINCT d.queued_for AS agent_id FROM state.due d
  CROSS JOIN LATERAL (SELECT 1 FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.agent_turn_id = d.agent_turn_id AND t.root_turn_id = $2 OFFSET 0) t
  WHERE d.project_id = $1 AND d.run_key = hashtext($2) AND d.is_held`;

const SET = `
  UPDATE state.runs SET limits = nullif(jsonb_strip_nulls(coalesce(limits, '{}') || $3::jsonb), '{}')
  WHERE project_id = $1 AND root_turn_id = $2 AND source <> 'import' RETURNING root_turn_id`;

const RELEASE = `
  WITH room AS (SELECT ${roomSql("$2")} AS n FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = $2),
  next AS (
    SELECT d.agent_turn_id FROM state.due d JOIN state.agent_turns t ON t.project_id = d.project_id AND t.agent_turn_id = d.agent_turn_id
    WHERE d.project_id = $1 AND d.run_key = hashtext($2) AND d.is_held AND t.root_turn_id = $2
    ORDER BY d.created_at, d.agent_turn_id LIMIT (SELECT n FROM room)
  )
  UPDATE state.due d SET queued_for = CASE WHEN t.status = 'dispatched' THEN NULL ELSE d.queued_for END, is_held = false,
    next_retry_at = now()
  FROM next, state.agent_turns t
  WHERE d.project_id = $1 AND d.agent_turn_id = next.agent_turn_id AND t.project_id = $1 AND t.agent_turn_id = d.agent_turn_id
  RETURNING t.project_id, t.worker_target, t.channel, t.agent_id, t.agent_turn_id, t.turn_epoch, t.trace_id, t.status`;

type Released = Parameters<typeof wakeupOf>[0] & Pick<TurnRow, "status">;

/** not_found for an unknown run, one of another project, and an import alike. */
export async function setRunLimits(
  kernel: Kernel,
  input: RunKey & { limits: RunLimitsPatch },
): Promise<RunLimitsState> {
  const { project_id, root_turn_id, limits } = input;
  const key = { project_id, root_turn_id };
  return withUnit(kernel, async (unit) => {
    const held = await unit.query<{ agent_id: string }>("run_held_agents", AGENTS, [project_id, root_turn_id]);
    const locked = await lockHeads(unit, { project_id, agent_ids: held.map(({ agent_id }) => agent_id) });
    const found = await unit.query("run_limits", SET, [project_id, root_turn_id, JSON.stringify(limits)]);
    if (found.length === 0) throw new KernelError("not_found", `run ${root_turn_id} not found; imports have no limits`);
    const released = await unit.query<Released>("run_release", RELEASE, [project_id, root_turn_id]);
    for (const row of released) if (row.status === "dispatched") unit.ring(wakeupOf(row));
    const agent_ids = [...new Set(released.flatMap((row) => (row.status === "queued" ? row.agent_id : [])))];
    // One that was held a moment ago is locked against the order.
    const known = new Set(locked.map(({ agent_id }) => agent_id));
    await lockHeads(unit, { project_id, agent_ids: agent_ids.filter((id) => !known.has(id)) });
    await leaseNext(unit, { project_id, agent_ids });
    await holdRun(unit, key);
    const run = await tellHold(unit, key, true);
    if (!run) throw new Error(`run ${root_turn_id} was changed and did not come back`);
    return { root_turn_id, limits: run.limits ?? {}, ...(run.held !== null && { held: run.held }) };
  });
}
