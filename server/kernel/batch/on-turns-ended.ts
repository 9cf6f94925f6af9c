// What the end of turns means to batches: batches they waited for end in the same transaction, and batches they are branches
// of are settled after it, where that transaction has not joined them.
import type { EndedTurn, Kernel, OnTurnsEnded, Transaction } from "../kernel";
import { beforeEnd } from "./before-end";
import { dueBatches } from "./due";
import { endBatch } from "./end-batch";
import { lockStanding } from "./read-standing";
import { settleBatch } from "./settle";

const WAITED_FOR = `
  SELECT batch_id FROM state.pmo_batches WHERE project_id = $1 AND parent_agent_turn_id = ANY ($2::text[]) AND status = 'running'
  ORDER BY batch_id`;

export const onTurnsEnded: OnTurnsEnded = { beforeEnd, afterEnd: turnsEnded };

async function turnsEnded(unit: Transaction, ended: EndedTurn[]): Promise<void> {
  const [first] = ended;
  if (!first) return;
  const { project_id } = first;
  const parents = ended.filter((turn) => turn.has_batch).map((turn) => turn.agent_turn_id);
  if (parents.length > 0) {
    const rows = await unit.query<{ batch_id: string }>("ended_batches", WAITED_FOR, [project_id, parents]);
    for (const { batch_id } of rows) {
      const standing = await lockStanding(unit, { project_id, batch_id });
      if (!standing) continue;
      const reason = "stopped: the turn that forked it has ended";
      await endBatch(unit, standing, { status: "canceled", cause: "parent_ended", reason });
    }
  }
  // Where nobody else is waited for, there is something to decide.
  const [alone, shared] = [true, false].map((is) => batchesOf(ended.filter((turn) => turn.is_alone === is)));
  if (alone?.length) unit.after(() => settleComplete(unit.kernel, project_id, alone));
  if (shared?.length)
    unit.after(async () => {
      const due = await dueBatches(unit.kernel, { project_id, batch_ids: shared });
      const idsOf = (isComplete: boolean) => due.flatMap((row) => (row.is_complete === isComplete ? row.batch_id : []));
      await settleComplete(unit.kernel, project_id, idsOf(true));
      // One by one: who stops branches may end batches of theirs, and two of these would wait for one another.
      for (const batch_id of idsOf(false)) await settleBatch(unit.kernel, { project_id, batch_id });
    });
}

const batchesOf = (ended: EndedTurn[]): string[] => [...new Set(ended.flatMap((turn) => turn.batch_id ?? []))];

/** Each takes a connection. */
const SETTLES_AT_ONCE = 4;

/** Batches without live branches, several at a time: each is settled by a transaction that locks no other, and whoever ended the turns waits for all. */
async function settleComplete(kernel: Kernel, project_id: string, batch_ids: string[]): Promise<void> {
  const failed: unknown[] = [];
  for (let at = 0; at < batch_ids.length; at += SETTLES_AT_ONCE) {
    const some = batch_ids.slice(at, at + SETTLES_AT_ONCE);
    const settled = await Promise.allSettled(some.map((batch_id) => settleBatch(kernel, { project_id, batch_id })));
    for (const one of settled) if (one.status === "rejected") failed.push(one.reason);
  }
  if (failed.length > 0)
    throw new AggregateError(failed, `batches could not be settled: ${failed.map(String).join("; ")}`);
}
