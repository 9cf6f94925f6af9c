// Branches that failed and have attempts left get another one by themselves, after 2, 4, 8 and 16 s. A person's retries count
// as attempts. Not tried again by itself: a branch that was stopped, and one that was refused before it had a turn.
import { BY_ATTEMPTS } from "@/server/contract/batch";
import { columnsOf } from "../columns";
import { TURN_COLUMNS, type TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";
import type { Branch, Standing } from "./read-standing";
import { reopenBranches } from "./reopen-branches";

/** Nothing is tried again once the deadline has passed. */
export function withAttemptsLeft({ batch, branches }: Standing): Branch[] {
  return batch.is_overdue ? [] : branches.filter(hasAttempt);
}

function hasAttempt(branch: Branch): boolean {
  const status = branch.status;
  if ((status !== "failed" && status !== "timeout") || branch.agent_turn_id === null) return false;
  return branch.attempts_max > 1 + (branch.metadata.earlier?.length ?? 0);
}

const TURNS = `
  SELECT ${columnsOf(TURN_COLUMNS, "agent_turns")} FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = ANY ($2::text[])`;

/** Two statements for any number of branches. */
export async function tryAgain(unit: Unit, { batch }: Standing, branches: readonly Branch[]): Promise<void> {
  if (branches.length === 0) return;
  const ids = branches.flatMap((branch) => branch.agent_turn_id ?? []);
  const turns = await unit.query<TurnRow>("attempts_turns", TURNS, [batch.project_id, ids]);
  const byId = new Map(turns.map((turn) => [turn.agent_turn_id, turn]));
  const { dispatchRetryMs, dispatchRetryMsMax } = unit.kernel.tunables;
  const given = branches.map((branch) => {
    const turn = byId.get(branch.agent_turn_id ?? "");
    if (!turn) throw new Error(`branch ${branch.task_index} of batch ${batch.batch_id} has ended and its turn is gone`);
    const before = branch.metadata.earlier?.length ?? 0;
    const wait_ms = Math.min(dispatchRetryMs * 2 ** before, dispatchRetryMsMax);
    return { task: branch, turn, retried_by: BY_ATTEMPTS, wait_ms };
  });
  await reopenBranches(unit, batch, given);
}
