// A fork reads its run with everything else it needs, and takes the run's codes by what it has read: the run is locked and compared by a
// statement in front of what is written, and nobody waits for its answer. If the run gave codes in between, the unit is given up and runs
// again with the lock first.
import type { Kernel } from "../kernel";
import { sqlState } from "../storage-error";
import type { HeadcodeLetters } from "../turns/headcode";

/** `letters`: what the next codes are made of. */
export type RunAsRead = { letters: HeadcodeLetters };

/** As JSON, of the run of turn `turn`; null if it has limits. $1 is the project. */
export const runAsReadSql = (turn: string) => `(
    SELECT jsonb_build_object('letters', r.letters) FROM state.runs r WHERE r.project_id = $1 AND r.limits IS NULL
      AND r.root_turn_id = (SELECT t.root_turn_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = ${turn}))`;

const CHANGED = "SY409";
/** Runs in which agents fork at the same time, or whose project has many turns waiting: there the lock comes first for a while. */
const LOCKED_FIRST_MS = 10_000;
const RUNS_MAX = 1_000;
const lockedFirst = new Map<string, number>();

type Run = { project_id: string; root_turn_id: string };
export type MayTrust = (run: Run) => boolean;

/** `work` asks whether its unit may go by what it has read of a run. If the run has changed since, it is called again and told that it may not. */
export async function byRunAsRead<T>(
  { now }: Pick<Kernel, "now">,
  work: (mayTrust: MayTrust) => Promise<T>,
): Promise<T> {
  let trusted: string | undefined;
  const mayTrust: MayTrust = (run) => {
    const key = keyOf(run);
    if ((lockedFirst.get(key) ?? 0) > now().getTime()) return false;
    trusted = key;
    return true;
  };
  try {
    return await work(mayTrust);
  } catch (error) {
    if (trusted === undefined || sqlState(error) !== CHANGED) throw error;
    remember(trusted, now().getTime() + LOCKED_FIRST_MS);
    return work(() => false);
  }
}

const keyOf = ({ project_id, root_turn_id }: Run): string => `${project_id} ${root_turn_id}`;

function remember(key: string, until: number): void {
  lockedFirst.delete(key);
  lockedFirst.set(key, until);
  const [oldest] = lockedFirst.keys();
  if (lockedFirst.size > RUNS_MAX && oldest !== undefined) lockedFirst.delete(oldest);
}
