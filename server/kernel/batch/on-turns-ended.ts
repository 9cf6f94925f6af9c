// What the end of turns means to batches: batches they waited for end in the same transaction, and batches they are branches
// of are settled after it, where that transaction has not joined them.
import type { EndedTurn, Kernel, OnTurnsEnded, Transaction } from "../kernel";
import { dueBatches } from "./due";
import { endBatch } from "./end-batch";
import { lockJoinable } from "./lock-joinable";
import { lockStanding } from "./read-standing";
import { settleBatch } from "./settle";

const WAITED_FOR = `
  SELECT batch_id FROM state.pmo_batches WHERE project_id = $1 AND parent_agent_turn_id = ANY ($2::text[]) AND status = 'running'
  ORDER BY batch_id`;

export const onTurnsEnded: OnTurnsEnded = { beforeEnd: lockJoinable, afterEnd: turnsEnded };

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
  if (alone?.length) unit.after(() => settleAll(unit.kernel, project_id, alone));
  if (shared?.length)
    unit.after(async () => {
      const due = await dueBatches(unit.kernel, { project_id, batch_ids: shared });
      await settleAll(unit.kernel, project_id, due);
    });
}

const batchesOf = (ended: EndedTurn[]): string[] => [...new Set(ended.flatMap((turn) => turn.batch_id ?? []))];

/** Each takes a connection. */
const SETTLES_AT_ONCE = 4;

/** Several at a time: each is a transaction that locks one batch, and whoever ended the turns waits for all of them. */
async function settleAll(kernel: Kernel, project_id: string, batch_ids: string[]): Promise<void> {
  for (let at = 0; at < batch_ids.length; at += SETTLES_AT_ONCE) {
    const some = batch_ids.slice(at, at + SETTLES_AT_ONCE);
    await Promise.all(some.map((batch_id) => settleBatch(kernel, { project_id, batch_id })));
  }
}
