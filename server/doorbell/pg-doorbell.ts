// LISTEN/NOTIFY as a doorbell. NOTIFY inside a transaction takes a database-wide lock at commit, so it rings after the
// commit, in a statement of its own, and rings that meet on the way share one.
import pg from "pg";
import type { Doorbell, Ring } from "@/server/kernel/kernel";
import { log } from "@/server/log";
import { readPiece } from "./read-piece";

const CHANNEL = "switchyard";
const RECONNECT_MS_MAX = 5_000;
/** A live view looks again at most so often: a ring is a transaction of its own, and a busy run commits hundreds a second. */
const JOURNAL_MS = 120;

type Handler = (ring: Ring) => void;

export function createPgDoorbell(options: { pool: pg.Pool; url: string }): Doorbell {
  const handlers = new Set<Handler>();
  let pending = new Set<string>();
  let listener: pg.Client | undefined;
  let isConnected = false;
  let isClosed = false;
  let reconnecting: Promise<void> | undefined;
  let ringing = Promise.resolve();
  let toldAt = 0;
  let later: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    if (pending.size === 0) return;
    const payloads = [...pending];
    pending = new Set();
    toldAt = performance.now();
    try {
      await options.pool.query({
        name: "doorbell_ring",
        text: `SELECT pg_notify('${CHANNEL}', p) FROM unnest($1::text[]) AS p`,
        values: [payloads],
      });
    } catch (error) {
      // Of words there are ten rings a second, and whoever misses them asks again.
      const level = payloads.every((payload) => payload.startsWith("t|")) ? "debug" : "warn";
      log()[level]({ error: String(error) }, "a ring was lost; polling finds the work");
    }
  }

  function flushNow(): void {
    clearTimeout(later);
    later = undefined;
    ringing = ringing.then(flush);
  }

  async function connect(): Promise<void> {
    const client = new pg.Client({ connectionString: options.url, application_name: "switchyard-doorbell" });
    client.on("error", () => lost(client));
    client.on("end", () => lost(client));
    client.on("notification", (message) => {
      const ring = decode(message.payload ?? "");
      if (ring) for (const handler of handlers) handler(ring);
    });
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
    listener = client;
    isConnected = true;
  }

  function lost(client: pg.Client): void {
    if (listener !== client && listener !== undefined) return;
    listener = undefined;
    isConnected = false;
    if (!isClosed) reconnecting ??= reconnect();
  }

  async function reconnect(): Promise<void> {
    for (let wait = 50; !isClosed; wait = Math.min(wait * 2, RECONNECT_MS_MAX)) {
      await new Promise((done) => setTimeout(done, wait));
      try {
        await connect();
        break;
      } catch (error) {
        log().debug({ error: String(error) }, "the doorbell is not back yet");
      }
    }
    reconnecting = undefined;
  }

  return {
    kind: "postgres",
    isConnected: () => isConnected,
    ring: async (rings) => {
      for (const ring of rings) {
        const payload = encode(ring);
        if (payload !== null) pending.add(payload);
      }
      const early = JOURNAL_MS - (performance.now() - toldAt);
      if (early > 0 && !isClosed && rings.every((ring) => ring.kind === "journal" || ring.kind === "event")) {
        later ??= setTimeout(flushNow, early);
        return;
      }
      // Whoever rings has committed and has nothing to wait for.
      flushNow();
    },
    listen: async (handler) => {
      handlers.add(handler);
      if (!listener && !reconnecting) {
        try {
          await connect();
        } catch (error) {
          log().warn({ error: String(error) }, "the doorbell does not answer; polling goes on, it is tried again");
          reconnecting ??= reconnect();
        }
      }
      return async () => {
        handlers.delete(handler);
      };
    },
    close: async () => {
      isClosed = true;
      while (later || pending.size > 0) {
        flushNow();
        await ringing;
      }
      await ringing;
      const client = listener;
      listener = undefined;
      isConnected = false;
      await client?.end().catch(() => undefined);
    },
  };
}

/** Events are not sent: whoever has this database has the journal. */
function encode(ring: Ring): string | null {
  if (ring.kind === "journal") return `j|${ring.project_id}`;
  if (ring.kind === "wakeup") return `w|${ring.project_id}|${ring.worker_target}`;
  if (ring.kind === "lease") return `l|${ring.project_id}|${ring.agent_turn_id}`;
  if (ring.kind === "watch") return `${ring.wants_all ? "a" : "v"}|${ring.project_id}|${ring.agent_turn_id}`;
  if (ring.kind === "thinking") {
    const { kind: _kind, project_id, channel: _channel, ...piece } = ring;
    return `t|${project_id}|${JSON.stringify(piece)}`;
  }
  return ring.kind === "command" ? `c|${JSON.stringify(ring)}` : null;
}

function decode(payload: string): Ring | null {
  if (payload.startsWith("c|")) return decodeCommand(payload.slice(2));
  const [kind, project_id, of, ...rest] = payload.split("|");
  if (project_id === undefined) return null;
  if (kind === "j") return { kind: "journal", project_id };
  if (of === undefined) return null;
  if (kind === "w") return { kind: "wakeup", project_id, worker_target: of };
  if (kind === "l") return { kind: "lease", project_id, agent_turn_id: of };
  if (kind === "v" || kind === "a") return { kind: "watch", project_id, agent_turn_id: of, wants_all: kind === "a" };
  const piece = kind === "t" ? readPiece([of, ...rest].join("|")) : null;
  return piece && { kind: "thinking", project_id, ...piece };
}

// Whoever may log in may notify on this channel; what is not one of ours is no ring.
function decodeCommand(text: string): Ring | null {
  try {
    const ring: Ring = JSON.parse(text);
    return ring.kind === "command" ? ring : null;
  } catch {
    return null;
  }
}
