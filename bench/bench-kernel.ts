// A kernel for measuring: a throw-away Postgres with its default settings, and a count of the statements sent.
import { startEmbedded } from "@/server/embedded/start";
import { migrate } from "@/server/migrate";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { type Wired, wireKernel } from "@/server/wire";

export type BenchKernel = { kernel: Wired; url: string; admin_url: string; statements: () => number };

export async function withBenchKernel(work: (bench: BenchKernel) => Promise<void>): Promise<void> {
  const dir = makeScratch();
  try {
    const { url, admin_url } = await startEmbedded({ dataDir: dir });
    await migrate(url);
    const kernel = wireKernel({ url, name: "switchyard-bench" });
    let sent = 0;
    kernel.db.pool.on("connect", (client) => {
      const query = client.query.bind(client);
      client.query = ((...args: Parameters<typeof query>) => {
        sent++;
        return query(...args);
      }) as typeof client.query;
    });
    await work({ kernel, url, admin_url, statements: () => sent });
    await kernel.close();
  } finally {
    await removeScratch(dir);
  }
}

/** Milliseconds: median and 99th percentile of what was measured. */
export function spread(ms: number[]): { p50: number; p99: number } {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (q: number) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0).toFixed(2));
  return { p50: at(0.5), p99: at(0.99) };
}
