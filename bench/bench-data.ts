// The kept database of bench/data.ts and bench/reads.ts: an embedded Postgres that counts what its statements take. Stopped by
// whoever opened it.
import { startEmbedded } from "@/server/embedded/start";
import { stopEmbedded } from "@/server/embedded/stop";
import { migrate } from "@/server/migrate";
import { type Wired, wireKernel } from "@/server/wire";

/** Turns of a run of each project: bench/data.ts says why. */
export const BENCH_RUN_TURNS: Readonly<Record<string, number>> = { small: 100, large: 100, long: 1_000 };

export type BenchData = { kernel: Wired; url: string; admin_url: string; close: () => Promise<void> };

const settings = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "all",
  "pg_stat_statements.track_planning": "on",
  max_wal_size: "4GB",
};

export async function openBenchData(folder: string): Promise<BenchData> {
  const { url, admin_url } = await startEmbedded({ dataDir: folder, settings });
  await migrate(url);
  const kernel = wireKernel({ url, name: "switchyard-bench" });
  return {
    kernel,
    url,
    admin_url,
    close: async () => {
      await kernel.close();
      await stopEmbedded(folder);
    },
  };
}
