// A fork reads its run without locking it, and assigns headcodes from what it read. A later statement locks the run and checks that its letters
// are unchanged, that it has no limits, and that the queue has plenty of room. If not, that statement fails (SY409), and the fork runs again,
// locking the run first.
import type { Kernel } from "../kernel";
import { isChanged } from "../storage-error";
import type { HeadcodeLetters } from "../turns/headcode";

/** `letters`: what the next codes are made of. */
export type RunAsRead = { letters: HeadcodeLetters };

/** As JSON: the run of turn `turn`. Null if it has limits, or was not found. $1 is the project. */
export const runAsReadSql = (turn: string) => `(
    SELECT jsonb_build_object('letters', r.letters) FROM state.runs r WHERE r.project_id = $1 AND r.limits IS NULL
      AND r.root_turn_id = (SELECT t.root_turn_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = ${turn}))`;

/** After a conflict, forks of that run in this process lock it first for this long. */
const LOCKED_FIRST_MS = 10_000;
const RUNS_MAX = 1_000;
/** Runs whose forks lock first, with the time until which they do. */
const lockFirstUntil = new Map<string, number>();

type Run = { project_id: string; root_turn_id: string };
export type MayTrust = (run: Run) => boolean;

/** Runs `work`, which asks whether it may rely on an unlocked read of a run. If that run has changed, runs `work` once more with the answer no. */
export async function retryIfRunChanged<T>(
  { now }: Pick<Kernel, "now">,
  work: (mayTrust: MayTrust) => Promise<T>,
): Promise<T> {
  let trusted: string | undefined;
  const mayTrust: MayTrust = (run) => {
    const key = keyOf(run);
    if ((lockFirstUntil.get(key) ?? 0) > now().getTime()) return false;
    trusted = key;
    return true;
  };
  try {
    return await work(mayTrust);
  } catch (error) {
    if (trusted === undefined || !isChanged(error)) throw error;
    remember(trusted, now().getTime() + LOCKED_FIRST_MS);
    return work(() => false);
  }
}

const keyOf = ({ project_id, root_turn_id }: Run): string => `${project_id} ${root_turn_id}`;

function remember(key: string, until: number): void {
  lockFirstUntil.delete(key);
  lockFirstUntil.set(key, until);
  const [oldest] = lockFirstUntil.keys();
  if (lockFirstUntil.size > RUNS_MAX && oldest !== undefined) lockFirstUntil.delete(oldest);
}
