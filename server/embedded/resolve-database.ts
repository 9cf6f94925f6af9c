// The one question every process asks first: which Postgres?
import { env } from "@/server/env";
import { refuseUnfit } from "./refuse-unfit";
import { type EmbeddedPostgres, startEmbedded } from "./start";

export type Database = { url: string; embedded: EmbeddedPostgres | null };

/** DATABASE_URL, or the embedded server of the data folder, started if needed. */
export async function resolveDatabase(onProgress?: (line: string) => void): Promise<Database> {
  const { DATABASE_URL, SWITCHYARD_DATA_DIR } = env();
  if (!DATABASE_URL) {
    const embedded = await startEmbedded({ dataDir: SWITCHYARD_DATA_DIR, onProgress });
    return { url: embedded.url, embedded };
  }
  await refuseUnfit(DATABASE_URL);
  return { url: DATABASE_URL, embedded: null };
}
