// Which sealed sessions are still valid. Each answer of the database is kept for a second, so that a page of thirty requests
// asks once, and a session signed out anywhere ends everywhere within a second.
import { KernelError } from "@/server/contract/errors";

export type AskSession = (session_id: string) => Promise<boolean>;
export type LiveSessions = {
  isLive: AskSession;
  /** Changes made by this process count at once; null is every session. */
  forget: (session_id: string | null) => void;
};
export type LiveSessionsOptions = { freshMs?: number; waitMs?: number; sessionsMax?: number; now?: () => number };

type Known = { at: number; isLive: boolean | null; asking: Promise<boolean> | null };

export function createLiveSessions(ask: AskSession, options: LiveSessionsOptions = {}): LiveSessions {
  const { freshMs = 1_000, waitMs = 5_000, sessionsMax = 2_000, now = Date.now } = options;
  const known = new Map<string, Known>();

  function begin(session_id: string, entry: Known): Promise<boolean> {
    const at = now();
    entry.asking = within(ask(session_id), waitMs)
      .then((isLive) => {
        Object.assign(entry, { at, isLive });
        return isLive;
      })
      .finally(() => {
        entry.asking = null;
      });
    return entry.asking;
  }

  return {
    async isLive(session_id) {
      const entry = known.get(session_id) ?? { at: 0, isLive: null, asking: null };
      known.delete(session_id);
      known.set(session_id, entry);
      const [first] = known.keys();
      if (known.size > sessionsMax && first !== undefined) known.delete(first);
      if (entry.isLive !== null && now() - entry.at < freshMs) return entry.isLive;
      try {
        return await (entry.asking ?? begin(session_id, entry));
      } catch (error) {
        // A session's data is in the same database. A signed-in user should read that it is down, not be sent to the
        // form.
        if (entry.isLive === null) throw error;
        return entry.isLive;
      }
    },
    forget(session_id) {
      if (session_id === null) known.clear();
      else known.delete(session_id);
    },
  };
}

function within(answer: Promise<boolean>, ms: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(silent()), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const silent = () =>
  new KernelError("storage_error", "the database does not answer, so this session cannot be checked; try again");

const store = globalThis as typeof globalThis & { switchyardSessions?: LiveSessions };

/** Once, when the web server starts: pages and handlers are bundled separately and have no database of their own here. */
export function keepSessions(ask: AskSession): void {
  store.switchyardSessions = createLiveSessions(ask);
}

export function liveSessions(): LiveSessions {
  if (!store.switchyardSessions) throw new Error("no session can be checked: keepSessions was not called at the start");
  return store.switchyardSessions;
}
