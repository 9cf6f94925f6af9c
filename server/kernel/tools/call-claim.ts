// Who carries a call out. The same call may come twice at once, from a worker whose answer is late or lost, over any two
// processes: the first takes it before anything is done about it, the others wait for what comes of it. Calls that only
// looked for a result before they asked had the service asked three times, and wrote three results.
import { setTimeout as sleep } from "node:timers/promises";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { graceSql, isLeaseGraceIn } from "../turns/lease-grace";
import type { Unit } from "../unit";

export type CallKey = { project_id: string; agent_turn_id: string; tool_call_id: string };

/** `asked`: its service has said that it reports later, and is not asked again. */
export type Taken = { holder: string } | "busy" | "asked";

const TAKE = `
  INSERT INTO state.calls_in_flight AS c (project_id, tool_call_id, agent_turn_id, holder, leased_until)
  VALUES ($1, $2, $3, $4, now() + $5 * interval '1 ms')
  ON CONFLICT (project_id, tool_call_id) DO UPDATE SET holder = excluded.holder, leased_until = excluded.leased_until
    WHERE c.leased_until < now() AND NOT c.is_asked AND $6::boolean
  RETURNING holder`;
// While the database was away its holder could not renew its lease, and had asked the service all the same.
const LOOK = `
  SELECT c.is_asked, c.leased_until > now() OR ${graceSql("$3")} AS is_held
  FROM state.calls_in_flight c CROSS JOIN state.installation n WHERE c.project_id = $1 AND c.tool_call_id = $2`;
const RENEW = `
  UPDATE state.calls_in_flight SET leased_until = now() + $4 * interval '1 ms'
  WHERE project_id = $1 AND tool_call_id = $2 AND holder = $3`;
const RELEASE = "DELETE FROM state.calls_in_flight WHERE project_id = $1 AND tool_call_id = $2 AND holder = $3";
const ASKED = `
  UPDATE state.calls_in_flight SET is_asked = true, leased_until = now()
  WHERE project_id = $1 AND tool_call_id = $2 AND holder = $3`;

type Look = { is_asked: boolean; is_held: boolean };

/** The turn is locked: of two that come at once the second finds what the first wrote. */
export async function takeCall(unit: Unit, { project_id, agent_turn_id, tool_call_id }: CallKey): Promise<Taken> {
  const holder = unit.kernel.newId();
  const values = [project_id, tool_call_id, agent_turn_id, holder, unit.kernel.tunables.leaseMs];
  const [free] = await unit.query("call_take", TAKE, [...values, false]);
  if (free) return { holder };
  const [other] = await unit.query<Look>("call_look", LOOK, [project_id, tool_call_id, unit.kernel.tunables.leaseMs]);
  if (other?.is_asked) return "asked";
  // It may be the first to find it ended, before any watchdog is back.
  if (other?.is_held || (await isLeaseGraceIn(unit))) return "busy";
  const [left] = await unit.query("call_take", TAKE, [...values, true]);
  return left ? { holder } : "busy";
}

/** Until it is free to be taken, or its service has been asked. A holder that died is waited for until its lease ends. */
export async function untilFree(kernel: Kernel, call: CallKey, signal: AbortSignal | undefined): Promise<void> {
  const values = [call.project_id, call.tool_call_id, kernel.tunables.leaseMs];
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, kernel.tunables.pollMs)) {
    await sleep(pauseMs, undefined, { signal }).catch(() => {
      throw new KernelError("conflict", "this call is still in progress; send it again with the same client_call_id");
    });
    const { rows } = await kernel.db.pool.query<Look>({ name: "call_look_again", text: LOOK, values });
    const [other] = rows;
    if (!other?.is_held || other.is_asked) return;
  }
}

/**
 * Runs `work` while the call is kept, however long its service takes, and gives it free afterwards: by then its result is
 * written, or it failed and may be made again. `isAsked` of what came of it says that its service reports later.
 */
export async function whileTaken<T>(
  kernel: Kernel,
  { project_id, tool_call_id, holder }: CallKey & { holder: string },
  work: () => Promise<T>,
  isAsked: (done: T) => boolean,
): Promise<T> {
  const { pool } = kernel.db;
  const values = [project_id, tool_call_id, holder];
  const { beatMs, leaseMs } = kernel.tunables;
  // One that fails is made up for by the next; so is a row that stays because the database is away: its lease ends.
  const renew = () => pool.query({ name: "call_renew", text: RENEW, values: [...values, leaseMs] }).catch(ignore);
  const beat = setInterval(() => void renew(), beatMs);
  let text = RELEASE;
  try {
    const done = await work();
    if (isAsked(done)) text = ASKED;
    return done;
  } finally {
    clearInterval(beat);
    await pool.query(text, values).catch(ignore);
  }
}

const ignore = (): undefined => undefined;
