// Makes a commit to find out whether commits are confirmed. When a synchronous standby was down, four sessions waited for it,
// and health said ok.

import { KernelError } from "@/server/contract/errors";
import type { Writes } from "@/server/contract/health";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

const PROVE = `
  WITH gone AS (DELETE FROM state.write_proofs WHERE written_at < now() - interval '1 day' AND process <> $1)
  INSERT INTO state.write_proofs (process) VALUES ($1)
  ON CONFLICT (process) DO UPDATE SET written_at = now()`;

// A session that locks these tables (a VACUUM FULL, an index being built, a LOCK left open) makes every claim and every launch
// wait, while our own row could still be written. The locks requested here make no writer wait.
const REACH =
  "LOCK TABLE state.agent_turns, state.due, state.inbox_messages, resource.project_agents, public.cards IN ROW EXCLUSIVE MODE";

const PATIENCE = "SELECT set_config('lock_timeout', $1, true)";

export type WatchedWrites = { state: () => Writes; stop: () => void };
type Options = { process: string; everyMs?: number; limitMs?: number };

/** Each process has its own row: one that waits must not make the others wait. */
export function watchWrites(kernel: Kernel, { process, everyMs = 5_000, limitMs = 2_000 }: Options): WatchedWrites {
  let state: Writes = { status: "ok" };
  let isProving = false;
  // A check that is still running is waited for: each one that is given up would leave a session waiting on the server.
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
        // Shorter than the time for a confirmation: otherwise it would not be clear which of the two it was.
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
