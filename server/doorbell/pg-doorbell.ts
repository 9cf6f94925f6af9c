// LISTEN/NOTIFY as a doorbell. NOTIFY inside a transaction takes a database-wide lock at commit, so it rings after the
// commit, in a separate statement, and simultaneous rings share one. The listener tests that it receives: a lost host, and a
// pooler that drops LISTEN, look like a quiet hour.
import crypto from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { makeClient, type OwnClient, within } from "@/server/address";
import type { Doorbell, Ring } from "@/server/kernel/kernel";
import { log } from "@/server/log";
import { readPiece } from "./read-piece";

const CHANNEL = "switchyard";
const RECONNECT_MS_MAX = 5_000;
/** A live view is rung at most this often: a ring is a transaction, and a busy run commits hundreds a second. */
const JOURNAL_MS = 120;

// A ring that a crash takes with it is nobody's loss: its transaction does not wait for the disk.
const RING = `
  SELECT pg_notify('${CHANNEL}', p) FROM (SELECT set_config('synchronous_commit', 'off', true) OFFSET 0) AS s, unnest($1::text[]) AS p`;

/** How often it sends itself a test message; if none arrives in time, it reconnects. */
const proof = { everyMs: 10_000, withinMs: 5_000 };

type Handler = (ring: Ring) => void;

export function createPgDoorbell(options: { pool: pg.Pool; url: string; proof?: typeof proof }): Doorbell {
  const { everyMs, withinMs } = options.proof ?? proof;
  /** Its own messages only. */
  const mirror = `switchyard_${crypto.randomBytes(8).toString("hex")}`;
  const handlers = new Set<Handler>();
  let pending = new Set<string>();
  let listener: OwnClient | undefined;
  let isConnected = false;
  let isDeaf = false;
  let onEcho: (word: string) => void = () => undefined;
  let proving: NodeJS.Timeout | undefined;
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
        text: RING,
        values: [payloads],
      });
    } catch (error) {
      // Pieces of model output ring ten times a second, and a reader who misses one asks again.
      const level = payloads.every((payload) => payload.startsWith("t|")) ? "debug" : "warn";
      log()[level]({ error: String(error) }, "a wake-up was lost; polling will find the work");
    }
  }

  function flushNow(): void {
    clearTimeout(later);
    later = undefined;
    ringing = ringing.then(flush);
  }

  async function connect(): Promise<void> {
    const client = makeClient({ url: options.url, name: "switchyard-doorbell", statementMs: withinMs });
    client.on("error", () => lost(client));
    client.on("end", () => lost(client));
    client.on("notification", (message) => {
      if (message.channel === mirror) return onEcho(message.payload ?? "");
      const ring = decode(message.payload ?? "", mirror);
      if (ring) for (const handler of handlers) handler(ring);
    });
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}; LISTEN ${mirror}`);
    listener = client;
    isConnected = true;
    proveLater(client);
  }

  function proveLater(client: OwnClient): void {
    clearTimeout(proving);
    proving = setTimeout(() => void prove(client), everyMs).unref();
  }

  async function prove(client: OwnClient): Promise<void> {
    if (listener !== client) return;
    const hears = await isHeard(client);
    if (listener !== client) return;
    if (hears === false && !isDeaf)
      log().warn(
        "LISTEN receives nothing, not even its own test message: a pooler in front of Postgres must use session mode. Polling will find the work",
      );
    if (hears === true && isDeaf) log().info("LISTEN receives notifications again");
    if (hears !== null) isDeaf = !hears;
    if (hears === false) client.drop("LISTEN hears nothing");
    else proveLater(client);
  }

  /** Sent over another connection, as all rings are. Null: nothing could be sent, and the listener's own connection answers. */
  async function isHeard(client: OwnClient): Promise<boolean | null> {
    const word = crypto.randomUUID();
    const heard = new Promise<boolean>((done) => {
      onEcho = (echo) => echo === word && done(true);
    });
    try {
      await options.pool.query(
        within(withinMs, { name: "doorbell_prove", text: "SELECT pg_notify($1, $2)", values: [mirror, word] }),
      );
    } catch (error) {
      log().debug({ error: String(error) }, "the test message for LISTEN could not be sent");
      // If it is silent too, its own limit closes it.
      await client.query("SELECT 1").catch(() => undefined);
      return null;
    }
    const patience = new AbortController();
    const late = sleep(withinMs, false, { signal: patience.signal, ref: false }).catch(() => false);
    const hears = await Promise.race([heard, late]);
    patience.abort();
    return hears;
  }

  function lost(client: OwnClient): void {
    if (listener !== client && listener !== undefined) return;
    clearTimeout(proving);
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
        log().debug({ error: String(error) }, "the LISTEN connection is not back yet");
      }
    }
    reconnecting = undefined;
  }

  return {
    kind: "postgres",
    isConnected: () => isConnected,
    isDeaf: () => isDeaf,
    ring: async (rings) => {
      for (const ring of rings) {
        const payload = encode(ring, mirror);
        if (payload !== null) pending.add(payload);
        // Who works in this process need not wait for the way through the database.
        if (ring.kind === "wakeup") for (const handler of handlers) handler(ring);
      }
      const early = JOURNAL_MS - (performance.now() - toldAt);
      if (early > 0 && !isClosed && rings.every((ring) => ring.kind === "journal" || ring.kind === "event")) {
        later ??= setTimeout(flushNow, early);
        return;
      }
      // The sender has committed and need not wait.
      flushNow();
    },
    listen: async (handler) => {
      handlers.add(handler);
      if (!listener && !reconnecting) {
        try {
          await connect();
        } catch (error) {
          log().warn(
            { error: String(error) },
            "the LISTEN connection does not answer; polling in the meantime, and trying again",
          );
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
      clearTimeout(proving);
      const client = listener;
      listener = undefined;
      isConnected = false;
      await client?.end().catch(() => undefined);
    },
  };
}

/** Events are not sent: anyone who has this database has the journal. `from`: who has heard a wake-up already. */
function encode(ring: Ring, from: string): string | null {
  if (ring.kind === "journal") return `j|${ring.project_id}`;
  if (ring.kind === "wakeup") return `w|${ring.project_id}|${ring.worker_target}|${from}`;
  if (ring.kind === "lease") return `l|${ring.project_id}|${ring.agent_turn_id}`;
  if (ring.kind === "watch") return `${ring.wants_all ? "a" : "v"}|${ring.project_id}|${ring.agent_turn_id}`;
  if (ring.kind === "thinking") {
    const { kind: _kind, project_id, channel: _channel, ...piece } = ring;
    return `t|${project_id}|${JSON.stringify(piece)}`;
  }
  return ring.kind === "command" ? `c|${JSON.stringify(ring)}` : null;
}

function decode(payload: string, own: string): Ring | null {
  if (payload.startsWith("c|")) return decodeCommand(payload.slice(2));
  const [kind, project_id, of, ...rest] = payload.split("|");
  if (project_id === undefined) return null;
  if (kind === "j") return { kind: "journal", project_id };
  if (of === undefined) return null;
  if (kind === "w" && rest[0] === own) return null;
  if (kind === "w") return { kind: "wakeup", project_id, worker_target: of };
  if (kind === "l") return { kind: "lease", project_id, agent_turn_id: of };
  if (kind === "v" || kind === "a") return { kind: "watch", project_id, agent_turn_id: of, wants_all: kind === "a" };
  const piece = kind === "t" ? readPiece([of, ...rest].join("|")) : null;
  return piece && { kind: "thinking", project_id, ...piece };
}

// Anyone who may log in may notify on this channel; other messages are ignored.
function decodeCommand(text: string): Ring | null {
  try {
    const ring: Ring = JSON.parse(text);
    return ring.kind === "command" ? ring : null;
  } catch {
    return null;
  }
}
