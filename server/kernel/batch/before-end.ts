// A unit that ends the last branches of a batch joins it too, which saves a commit and a round trip. It waits for nobody: if the batch is
// not free, or there is more to decide, the batch is settled after the commit (on-turns-ended.ts).
import type { LockedBox } from "../cardbox/grow-boxes";
import type { EndsAhead, JoinableBatch, WrittenEnd } from "../kernel";
import { PLAIN } from "../turns/lock-turn";
import type { Unit } from "../unit";
import { forgetOnCommit, mayCompleteBatch } from "./open-branches";
import { type JoinReads, LOCKED_BATCH_SETTING, readForJoin } from "./read-for-join";
import { lockStanding, STANDING_BATCH, type Standing } from "./read-standing";
import { decideOnce, endDecided } from "./settle";
import { withEnds } from "./with-ends";

/**
 * Two answers. Are the ends of `$2` plain? If so, is there a batch of which these are the last branches that have not ended? That batch is locked,
 * with the turn that waits for it and that turn's agent and output box. Everybody else locks a batch before its branches (K17), so this skips
 * whatever is locked. What it has locked by then stays locked until the commit; so nothing is locked for ends that are not plain: such ends still
 * wait for other locks. The id of the locked batch is kept in a setting of the transaction, so that the next statement (read-for-join.ts) need not
 * wait for this answer. Left out, and settled after the commit: batches with a join policy, of plans and of people, and all but one of those that
 * the same ends complete. The batch comes as JSON: its times are ISO text with an offset, not with `Z`.
 */
const BEFORE_END = `
  WITH ends AS MATERIALIZED (SELECT (SELECT count(*) FROM (${PLAIN}) p) = cardinality($2::text[]) AS are_plain)
  SELECT e.are_plain, to_jsonb(b) AS batch, set_config('${LOCKED_BATCH_SETTING}', coalesce(b.batch_id, ''), true) AS _setting FROM ends e LEFT JOIN LATERAL (SELECT b.* FROM (
    SELECT ${STANDING_BATCH} FROM state.pmo_batches b
    WHERE e.are_plain AND b.project_id = $1 AND b.status = 'running' AND b.policy IS NULL AND b.plan_run_id IS NULL
      AND b.batch_id = ANY (ARRAY(
        SELECT t.batch_id FROM unnest($2::text[]) AS g(agent_turn_id) CROSS JOIN LATERAL (SELECT t.batch_id FROM state.agent_turns t
          WHERE t.project_id = $1 AND t.agent_turn_id = g.agent_turn_id OFFSET 0) t))
      AND NOT EXISTS (SELECT 1 FROM state.branch_extra x WHERE x.project_id = $1 AND x.batch_id = b.batch_id AND x.status IN ('pending', 'dispatched'))
      AND NOT EXISTS (
        SELECT 1 FROM (SELECT u.agent_turn_id FROM unnest(b.turns) WITH ORDINALITY AS u(agent_turn_id, n)
          WHERE u.agent_turn_id <> ALL ($2::text[]) ORDER BY u.n DESC OFFSET 0) u
        CROSS JOIN LATERAL (SELECT t.ended_at FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = u.agent_turn_id OFFSET 0) t
        WHERE t.ended_at IS NULL)
    ORDER BY b.batch_id LIMIT 1 FOR UPDATE SKIP LOCKED) b
  CROSS JOIN LATERAL (SELECT t.output_box_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = b.parent_agent_turn_id
    AND NOT t.is_human FOR UPDATE SKIP LOCKED) t
  CROSS JOIN LATERAL (SELECT 1 FROM resource.project_agents a WHERE a.project_id = $1 AND a.agent_id = b.parent_agent_id
    FOR NO KEY UPDATE SKIP LOCKED) a
  CROSS JOIN LATERAL (SELECT 1 FROM card_boxes x WHERE x.tenant_id = $1 AND x.box_id = t.output_box_id FOR UPDATE SKIP LOCKED) x
  ) b ON true`;

type Found = { are_plain: boolean; batch: Standing["batch"] | null; _setting: string };

/** Asked behind the locks of the turns. */
export async function beforeEnd(
  unit: Unit,
  { project_id, agent_turn_ids }: { project_id: string; agent_turn_ids: string[] },
): Promise<EndsAhead> {
  forgetOnCommit(unit, agent_turn_ids);
  const [[found], reads] = await Promise.all([
    unit.query<Found>("batch_before_end", BEFORE_END, [project_id, agent_turn_ids]),
    mayCompleteBatch(agent_turn_ids) ? readForJoin(unit, { project_id, agent_turn_ids }) : null,
  ]);
  if (!found) throw new Error("the statement batch_before_end returned no row");
  const { are_plain, batch } = found;
  return { are_plain, joinable: batch && joinableOf(unit, batch, reads) };
}

const joinableOf = (unit: Unit, batch: Standing["batch"], reads: JoinReads | null): JoinableBatch => ({
  batch_id: batch.batch_id,
  join: async (ends) =>
    reads
      ? join(unit, standingAfter(batch, reads, ends), reads.box)
      : join(unit, await lockStanding(unit, batch, batch)),
});

const standingAfter = (
  batch: Standing["batch"],
  { parent, branches }: JoinReads,
  ends: readonly WrittenEnd[],
): Standing => ({
  batch,
  parent,
  branches: withEnds(branches, ends),
});

async function join(unit: Unit, found: Standing | null, box: LockedBox | null = null): Promise<boolean> {
  if (!found) return false;
  const { standing, again, arrivals, verdict } = decideOnce(found);
  const isOpen = standing.branches.some(({ status }) => status === "pending" || status === "dispatched");
  if (verdict.kind !== "end" || again.length > 0 || isOpen) return false;
  await unit.probe("settle-locked");
  await endDecided(unit, standing, verdict, arrivals, box);
  return true;
}
