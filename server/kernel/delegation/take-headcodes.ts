// Gives headcodes to the turns of a run. The run's row is locked before the commit, so two delegations never get the same code. The same
// statement counts the project's waiting turns, because the queue has a limit.
import { KernelError } from "@/server/contract/errors";
import { type HeadcodeLetters, nextHeadcode } from "../turns/headcode";
import type { Unit } from "../unit";
import type { RunAsRead } from "./run-as-read";

/**
 * Counted by an index of waiting turns, no further than needed. Turns held back by max_parallel count too: when they were
 * counted only at the fork, forks one after another took a project to many times its limit.
 */
const countSql = (limit: string) => `
  SELECT count(*)::int AS waiting FROM (
    (SELECT 1 FROM state.due WHERE project_id = $1 AND claimed_by IS NULL LIMIT ${limit})
    UNION ALL
    (SELECT 1 FROM state.pmo_batches b CROSS JOIN LATERAL (
        SELECT 1 FROM state.branch_extra k WHERE k.project_id = $1 AND k.batch_id = b.batch_id AND k.status = 'pending' OFFSET 0) AS held
      WHERE b.project_id = $1 AND b.status = 'running' AND b.max_parallel < b.task_count LIMIT ${limit})
    LIMIT ${limit}) AS one`;
export const COUNT_WAITING = countSql("$2");
const LOCK = `
  SELECT letters, limits IS NOT NULL AS is_limited, (${countSql("$3")}) AS waiting
  FROM state.runs WHERE project_id = $1 AND root_turn_id = $2 FOR UPDATE`;
const LOCK_AS_READ = `
  SELECT CASE WHEN letters = $3::jsonb AND limits IS NULL AND (${countSql("$4")}) < $4 THEN true ELSE state.raise_changed('run ' || $2) END AS is_unchanged
  FROM state.runs WHERE project_id = $1 AND root_turn_id = $2 FOR UPDATE`;
const saveSql = (root: string, letters: string) =>
  `UPDATE state.runs SET letters = ${letters}::jsonb WHERE project_id = $1 AND root_turn_id = ${root}`;
const SAVE = saveSql("$2", "$3");
/** As a part of a WITH; `letters`: JSON. $1 is the project. */
export const savedLettersSql = (root: string, letters: string) => `saved_letters AS (${saveSql(root, letters)})`;

// Calls that count the queue at the same time could together exceed the limit. Near the limit, a call therefore waits until earlier
// ones of its project have committed, and counts again. With more places left than calls can add at a time, nobody waits. The lock
// is taken after the run's row.
const HOLD = "SELECT pg_advisory_xact_lock(hashtextextended('queue ' || $1::text, 0))";

/** What a code is made of. */
export type NamedTurn = { profile_name: string; depth: number };

export type TakeHeadcodes = {
  project_id: string;
  root_turn_id: string;
  turns: NamedTurn[];
  /** How many turns the call adds, now and later; absent = they were counted before. */
  adds?: number;
  /** The caller saves the letters in the same unit (savedLettersSql). If it does not, the next call gives the same codes again. */
  isSavedByCaller?: true;
  /**
   * Assign codes from this, and do not wait for the run's lock. The unit fails if the run has changed (retryIfRunChanged). Used only with
   * `adds`, and only if the limit of the queue leaves enough room.
   */
  asRead?: RunAsRead;
};

/** `is_limited`: the run has limits. `letters`: what its next codes are made of (turns/headcode.ts), as JSON. */
export type TakenCodes = { codes: string[]; is_limited: boolean; letters: string };

/** Codes in the requested order. queue_full if the project has no room for the new turns. */
export async function takeHeadcodes(unit: Unit, input: TakeHeadcodes): Promise<TakenCodes> {
  const { project_id, root_turn_id, turns, adds, asRead } = input;
  const plenty = adds === undefined ? 0 : uncontendedWaitingMax(unit, adds);
  if (asRead && plenty > 0) {
    const given = giveCodes(asRead.letters, turns);
    unit.send("run_lock_as_read", LOCK_AS_READ, [project_id, root_turn_id, JSON.stringify(asRead.letters), plenty]);
    save(unit, input, given);
    return { ...given, is_limited: false };
  }
  const room = adds === undefined ? 0 : Math.max(0, unit.kernel.tunables.queuedMax - adds + 1);
  const [run] = await unit.query<Run>("run_lock", LOCK, [project_id, root_turn_id, room]);
  if (!run) throw new KernelError("not_found", `run ${root_turn_id} not found in project ${project_id}`);
  if (adds !== undefined) await refuseFull(unit, { project_id, adds, room, waiting: run.waiting });
  const given = giveCodes(run.letters, turns);
  save(unit, input, given);
  return { ...given, is_limited: run.is_limited };
}

function save(
  unit: Unit,
  { project_id, root_turn_id, isSavedByCaller }: TakeHeadcodes,
  { letters }: Pick<TakenCodes, "letters">,
): void {
  if (!isSavedByCaller) unit.send("run_letters", SAVE, [project_id, root_turn_id, letters]);
}

function giveCodes(before: HeadcodeLetters, turns: readonly NamedTurn[]): Pick<TakenCodes, "codes" | "letters"> {
  let letters = before;
  const codes = turns.map((turn) => {
    const next = nextHeadcode(letters, turn.profile_name, turn.depth);
    letters = next.letters;
    return next.headcode;
  });
  return { codes, letters: JSON.stringify(letters) };
}

type Run = { letters: HeadcodeLetters; is_limited: boolean; waiting: number };

/** The most that calls of one project add at a time, before any of them has committed: 78 forks of 64. */
const UNDER_WAY_MAX = 5_000;

/** Below this many waiting turns, forks at the same time cannot overfill the queue, so no second count is needed. */
function uncontendedWaitingMax({ kernel: { tunables } }: Unit, adds: number): number {
  const { queuedMax } = tunables;
  return queuedMax - adds - Math.max(Math.ceil(queuedMax / 2), UNDER_WAY_MAX) + 1;
}

type Asked = { project_id: string; adds: number; room: number; waiting: number };

async function refuseFull(unit: Unit, { project_id, adds, room, waiting }: Asked): Promise<void> {
  const { queuedMax } = unit.kernel.tunables;
  if (waiting < uncontendedWaitingMax(unit, adds)) return;
  unit.send("queue_hold", HOLD, [project_id]);
  const [now] = await unit.query<{ waiting: number }>("queue_count", COUNT_WAITING, [project_id, room]);
  if (now && now.waiting < room) return;
  throw new KernelError(
    "queue_full",
    `project ${project_id} can have ${queuedMax} waiting turns, and ${adds} more would exceed that; try again when some have started, start more workers, or stop turns you don't need`,
    { max_queued: queuedMax, asked: adds },
  );
}
