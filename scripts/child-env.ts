// What a process of ours is started with by the one above it: the same settings, said in full.
import { env } from "@/server/env";

/** Only the parent process starts and supervises a database; absent = the child finds the embedded one itself. */
export function childEnv(databaseUrl: string | undefined): NodeJS.ProcessEnv {
  const { HOST, PORT, SWITCHYARD_DATA_DIR, NATS_CA, NATS_CERT, NATS_KEY, NATS_CREDS } = env();
  return {
    ...process.env,
    DATABASE_URL: databaseUrl,
    HOST,
    HOSTNAME: HOST,
    PORT: String(PORT),
    // As absolute paths: the built server runs in its own folder.
    SWITCHYARD_DATA_DIR,
    NATS_CA,
    NATS_CERT,
    NATS_KEY,
    NATS_CREDS,
    NEXT_TELEMETRY_DISABLED: "1",
  };
}
