// NATS as a doorbell. NATS may go away and come back at any time: rings are then dropped, polling finds the work, and nothing
// waits for it.
import { setTimeout as sleep } from "node:timers/promises";
import type { Doorbell, Ring } from "@/server/kernel/kernel";
import { log } from "@/server/log";
import { createNatsNews } from "./nats-news";
import type { NatsSettings } from "./nats-options";
import { type NatsSession, openSession } from "./nats-session";

const retryMsMin = 100;
const retryMsMax = 5_000;
// A session that broke sooner did not work, and the next try waits longer.
const soundMs = 5_000;

/** Connects at once and reconnects for ever; `name` shows in the server's list of connections. */
export function createNatsDoorbell(options: { settings: NatsSettings; name: string; askMs?: number }): Doorbell {
  const handlers = new Set<(ring: Ring) => void>();
  const closing = new AbortController();
  const news = createNatsNews();
  let session: NatsSession | undefined;

  const onRing = (ring: Ring): void => {
    for (const handler of handlers) handler(ring);
  };

  async function keep(): Promise<void> {
    for (let waitMs = retryMsMin; !closing.signal.aborted; waitMs = Math.min(waitMs * 2, retryMsMax)) {
      const started = Date.now();
      try {
        const next = await openSession({ ...options, onRing });
        if (closing.signal.aborted) return await next.close();
        session = next;
        news.isBack();
        const reason = await next.gone;
        session = undefined;
        if (!closing.signal.aborted) news.isAway(reason);
      } catch (error) {
        news.isAway(error);
      }
      if (Date.now() - started > soundMs) waitMs = retryMsMin;
      // Not all at the same moment when a server comes back to many processes.
      await sleep(waitMs * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  void keep();
  return {
    kind: "nats",
    wantsEvents: true,
    isConnected: () => session?.isOpen() ?? false,
    events: () => (session?.isOpen() && session.isKeeping() ? "ok" : "unavailable"),
    ring: async (rings) => {
      if (!session?.isOpen()) return;
      try {
        for (const ring of rings) session.send(ring);
      } catch (error) {
        log().debug({ error: String(error) }, "wake-ups were lost with the connection; polling will find the work");
      }
    },
    listen: async (handler) => {
      handlers.add(handler);
      return async () => {
        handlers.delete(handler);
      };
    },
    close: async () => {
      closing.abort();
      handlers.clear();
      await session?.close();
      session = undefined;
    },
  };
}
