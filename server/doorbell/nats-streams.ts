// What JetStream stores: events for absent listeners, and commands for absent tool services. Rings that only say "look now"
// are not stored: an old one is worthless.
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
import { type NatsConnection, nanos } from "@nats-io/transport-node";
import { everywhere } from "@/server/contract/subject";
import { log } from "@/server/log";

const hourMs = 3_600_000;
const mebibyte = 1_048_576;

const streams = [
  { name: "switchyard_events", subjects: [everywhere.events], ageMs: 7 * 24 * hourMs, bytes: 256 * mebibyte },
  { name: "switchyard_commands", subjects: [everywhere.commands], ageMs: 24 * hourMs, bytes: 64 * mebibyte },
];

const STREAM_NOT_FOUND = 10059;
// Another process was faster.
const STREAM_NAME_IN_USE = 10058;

/** Never throws: without JetStream rings still work, and events reach current listeners. False: nothing is stored. */
export async function ensureStreams(connection: NatsConnection, timeoutMs: number): Promise<boolean> {
  try {
    const manager = await jetstreamManager(connection, { timeout: timeoutMs, checkAPI: false });
    for (const stream of streams) await ensureStream(manager, stream);
    return true;
  } catch (error) {
    log().warn(
      { error: String(error) },
      "JetStream is not available (nats-server -js enables it): events and commands reach current listeners only and are not stored",
    );
    return false;
  }
}

/** Whether every stream answers: the server that holds one may be gone while NATS is up. */
export async function hasStreams(connection: NatsConnection, timeoutMs: number): Promise<boolean> {
  try {
    const manager = await jetstreamManager(connection, { timeout: timeoutMs, checkAPI: false });
    await Promise.all(streams.map((stream) => manager.streams.info(stream.name)));
    return true;
  } catch {
    return false;
  }
}

async function ensureStream(manager: JetStreamManager, stream: (typeof streams)[number]): Promise<void> {
  const { name, subjects, ageMs, bytes } = stream;
  const found = await manager.streams.info(name).catch(unless(STREAM_NOT_FOUND));
  if (found) {
    const given = found.config.subjects ?? [];
    if ([...given].sort().join() !== [...subjects].sort().join())
      log().warn({ stream: name, given, subjects }, "a stream of this name has other subjects; it is not changed");
    return;
  }
  const config = {
    name,
    subjects,
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(ageMs),
    max_bytes: bytes,
    // A command that is sent again within this time is stored once.
    duplicate_window: nanos(hourMs),
  };
  await manager.streams.add(config).catch(unless(STREAM_NAME_IN_USE));
}

const unless = (code: number) => (error: unknown) => {
  if (error instanceof JetStreamApiError && error.code === code) return undefined;
  throw error;
};
