// One connection to NATS, from the handshake until it breaks. It is replaced, not repaired: what the client would have
// buffered is stale by then.
import { connect, headers, type Msg, type NatsConnection } from "@nats-io/transport-node";
import { everywhere } from "@/server/contract/subject";
import type { Ring } from "@/server/kernel/kernel";
import { log } from "@/server/log";
import { messageOf, ringOf } from "./nats-message";
import { type NatsSettings, natsOptions } from "./nats-options";
import { ensureStreams, hasStreams } from "./nats-streams";

export type NatsSession = {
  send: (ring: Ring) => void;
  isOpen: () => boolean;
  /** Whether events and commands are stored for absent listeners. */
  isKeeping: () => boolean;
  /** Resolves when the connection is gone, with the reason if there is one. */
  gone: Promise<Error | undefined>;
  /** Sends what is pending, then closes. */
  close: () => Promise<void>;
};

export type SessionInput = { settings: NatsSettings; name: string; onRing: (ring: Ring) => void; askMs?: number };

const dialMsMax = 5_000;
const streamsMsMax = 2_000;
const closeMsMax = 2_000;
const streamsAskMs = 10_000;
// A server that disappeared silently (power, network) is noticed after two of these.
const pingMs = 10_000;

/** Throws if no server in the list accepts us. */
export async function openSession({
  settings,
  name,
  onRing,
  askMs = streamsAskMs,
}: SessionInput): Promise<NatsSession> {
  const connection = await connect({
    ...natsOptions(settings),
    name,
    reconnect: false,
    timeout: dialMsMax,
    pingInterval: pingMs,
    maxPingOut: 2,
  });
  void tellErrors(connection);
  const callback = (error: Error | null, message: Msg): void => {
    const ring = error ? null : ringOf(message.subject, message.string());
    if (ring) onRing(ring);
  };
  connection.subscribe(everywhere.wakeups, { callback });
  connection.subscribe(everywhere.journals, { callback });
  connection.subscribe(everywhere.turns, { callback });
  connection.subscribe(everywhere.thinking, { callback });
  let isKeeping = await ensureStreams(connection, streamsMsMax);
  const asking = setInterval(async () => {
    const keeps = await hasStreams(connection, streamsMsMax);
    if (keeps !== isKeeping && !connection.isClosed())
      log()[keeps ? "info" : "warn"](
        keeps ? "NATS stores events again" : "a NATS stream does not answer; events are not stored",
      );
    isKeeping = keeps;
  }, askMs).unref();
  void connection.closed().then(() => clearInterval(asking));
  return {
    send: (ring) => send(connection, ring),
    isOpen: () => !connection.isClosed() && !connection.isDraining(),
    isKeeping: () => isKeeping,
    gone: connection.closed().then((reason) => reason ?? undefined),
    close: async () => {
      const patience = new Promise((done) => setTimeout(done, closeMsMax).unref());
      await Promise.race([connection.drain().catch(() => undefined), patience]);
      await connection.close();
    },
  };
}

function send(connection: NatsConnection, ring: Ring): void {
  const message = messageOf(ring);
  if (!message) {
    log().warn(
      { ...ring },
      "a command's subject is outside its project: set the tool's target_subject to cmd.tool.<name>",
    );
    return;
  }
  const given = Object.entries(message.headers);
  const named = given.length > 0 ? headers() : undefined;
  for (const [name, value] of given) named?.set(name, value);
  connection.publish(message.subject, message.body, { headers: named });
}

// Logged once each: a missing permission is missing at every ring.
async function tellErrors(connection: NatsConnection): Promise<void> {
  const told = new Set<string>();
  for await (const status of connection.status()) {
    if (status.type !== "error" || told.has(status.error.message)) continue;
    if (told.size < 20) log().warn({ error: status.error.message }, "NATS reported an error");
    told.add(status.error.message);
  }
}
