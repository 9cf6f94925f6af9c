// What JetStream keeps: events for listeners that were away, commands for tool services that were. Rings that only say
// "look now" are not kept: an old one is worth nothing.
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

/** Never throws: without JetStream rings go all the same, and events reach whoever listens at the time. False: none is kept. */
export async function ensureStreams(connection: NatsConnection, timeoutMs: number): Promise<boolean> {
  try {
    const manager = await jetstreamManager(connection, { timeout: timeoutMs, checkAPI: false });
    for (const stream of streams) await ensureStream(manager, stream);
    return true;
  } catch (error) {
    log().warn(
      { error: String(error) },
      "JetStream cannot be used (nats-server -js turns it on): events and commands reach those who listen now, and are not kept",
    );
    return false;
  }
}

/** Whether every stream answers: the server that holds one may be gone while the bus is there. */
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
      log().warn({ stream: name, given, subjects }, "a stream of this name keeps other subjects; it is left as it is");
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
    // A command that is sent again within this time is kept once.
    duplicate_window: nanos(hourMs),
  };
  await manager.streams.add(config).catch(unless(STREAM_NAME_IN_USE));
}

const unless = (code: number) => (error: unknown) => {
  if (error instanceof JetStreamApiError && error.code === code) return undefined;
  throw error;
};
