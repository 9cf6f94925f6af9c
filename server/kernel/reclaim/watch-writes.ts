// Whether a commit is confirmed is known by making one. While a synchronous standby was away four sessions waited for it, and
// health said ok.

import { KernelError } from "@/server/contract/errors";
import type { Writes } from "@/server/contract/health";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

const PROVE = `
  WITH gone AS (DELETE FROM state.write_proofs WHERE written_at < now() - interval '1 day' AND process <> $1)
  INSERT INTO state.write_proofs (process) VALUES ($1)
  ON CONFLICT (process) DO UPDATE SET written_at = now()`;

// Somebody who holds these whole (a VACUUM FULL, an index being built, a LOCK left open) keeps every claim and every launch
// waiting, and a row of our own would still be written. What is asked for here keeps no writer waiting.
const REACH =
  "LOCK TABLE state.agent_turns, state.agent_inbox, state.agent_state_head, public.cards IN ROW EXCLUSIVE MODE";

const PATIENCE = "SELECT set_config('lock_timeout', $1, true)";

export type WatchedWrites = { state: () => Writes; stop: () => void };
type Options = { process: string; everyMs?: number; limitMs?: number };

/** A row of its own for each process: one that waits must not keep the others waiting. */
export function watchWrites(kernel: Kernel, { process, everyMs = 5_000, limitMs = 2_000 }: Options): WatchedWrites {
  let state: Writes = { status: "ok" };
  let isProving = false;
  // One that is under way is waited for: each that is given up would leave a session waiting on the server.
  const timer = setInterval(() => {
    if (!isProving) void prove();
  }, everyMs).unref();

  async function prove(): Promise<void> {
    isProving = true;
    const late = setTimeout(() => {
      state = { status: "waiting", reason: "unconfirmed" };
    }, limitMs).unref();
    try {
      await withUnit(kernel, async (unit) => {
        // Before the time for a confirmation is up: which of the two it was could not be said otherwise.
        await unit.query("writes_patience", PATIENCE, [String(Math.ceil(limitMs * 0.75))]);
        await unit.query("writes_reach", REACH, []);
      });
      await withUnit(kernel, (unit) => unit.query("writes_prove", PROVE, [process]), {
        statementMs: kernel.tunables.longStatementMs,
      });
      state = { status: "ok" };
    } catch (error) {
      state = { status: "waiting", reason: reasonOf(error) };
    } finally {
      clearTimeout(late);
      isProving = false;
    }
  }

  void prove();
  return { state: () => state, stop: () => clearInterval(timer) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof KernelError)) return "internal_error";
  return typeof error.detail?.reason === "string" ? error.detail.reason : error.code;
}
