// A web server that is told to end says so first: /readyz answers 503 while all else is answered as before, so that whoever
// spreads requests sends them elsewhere before the port closes. Balancers learned of it by refused connections, and people too.
import { log } from "../log";

// One order may arrive twice: from systemd and from the supervisor.
const echoMs = 1_000;

let since: number | undefined;

export const isDraining = (): boolean => since !== undefined;

/**
 * Other SIGTERM listeners are called `noticeMs` later, or at once on a second SIGTERM. `before` runs first. Ctrl-C is not
 * delayed: a person at a terminal has no load balancer.
 */
export function drainFirst(noticeMs: number, before: () => Promise<void> = async () => {}): void {
  const others = process.listeners("SIGTERM");
  process.removeAllListeners("SIGTERM");
  const end = (): void => {
    // Nothing else would end it.
    if (others.length === 0) process.exit(143);
    for (const listener of others) listener.call(process, "SIGTERM");
  };
  process.on("SIGTERM", () => {
    if (since !== undefined) {
      if (performance.now() - since > echoMs) end();
      return;
    }
    since = performance.now();
    log().debug({ for_ms: noticeMs }, "stopping: /readyz answers 503 until the port closes");
    setTimeout(() => void before().finally(end), noticeMs);
  });
}
