// What a process of ours is started with by the one above it: the same settings, said in full.
import { env } from "@/server/env";

/** Only the process above starts and keeps a database; absent = the child finds the embedded one by itself. */
export function childEnv(databaseUrl: string | undefined): NodeJS.ProcessEnv {
  const { HOST, PORT, SWITCHYARD_DATA_DIR, NATS_CA, NATS_CERT, NATS_KEY, NATS_CREDS } = env();
  return {
    ...process.env,
    DATABASE_URL: databaseUrl,
    HOST,
    HOSTNAME: HOST,
    PORT: String(PORT),
    // As full paths: the built server works in a folder of its own.
    SWITCHYARD_DATA_DIR,
    NATS_CA,
    NATS_CERT,
    NATS_KEY,
    NATS_CREDS,
    NEXT_TELEMETRY_DISABLED: "1",
  };
}
