// The one question every process asks first: which Postgres?
import { makeClient } from "@/server/address";
import { env } from "@/server/env";
import { maskUrls } from "@/server/log";
import { type EmbeddedPostgres, startEmbedded } from "./start";

export type Database = { url: string; embedded: EmbeddedPostgres | null };

const versionMin = 150000;

/** DATABASE_URL, or the embedded server of the data folder, started if need be. */
export async function resolveDatabase(onProgress?: (line: string) => void): Promise<Database> {
  const { DATABASE_URL, SWITCHYARD_DATA_DIR } = env();
  if (!DATABASE_URL) {
    const embedded = await startEmbedded({ dataDir: SWITCHYARD_DATA_DIR, onProgress });
    return { url: embedded.url, embedded };
  }
  await refuseOldServer(DATABASE_URL);
  return { url: DATABASE_URL, embedded: null };
}

async function refuseOldServer(url: string): Promise<void> {
  const client = makeClient({ url, name: "switchyard-probe", connectMs: 10_000 });
  // What ends it is told by the statement on its way.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>("SHOW server_version_num");
    const version = Number(rows[0]?.server_version_num);
    if (version >= versionMin) return;
    throw new Error(`it is version ${Math.floor(version / 10000)}, and Switchyard needs 15 or newer`);
  } catch (error) {
    const reason = error instanceof Error ? error.message || String((error as { code?: string }).code) : String(error);
    throw new Error(
      `DATABASE_URL (${maskUrls(url)}) cannot be used: ${reason}. Correct it, or unset it for the embedded Postgres.`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
