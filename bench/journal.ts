// The journal under 8 writers, one of which commits late: appends, tail and lag, and that nothing is skipped.
// `npx tsx bench/journal.ts [seconds]`
import type { Frame } from "@/server/contract/frame";
import { readSnapshot } from "@/server/kernel/read-models/read-snapshot";
import { streamFrames } from "@/server/kernel/read-models/stream-frames";
import { createProject } from "@/server/kernel/roster/create-project";
import { withUnit } from "@/server/kernel/unit";
import { spread, withBenchKernel } from "./bench-kernel";

const seconds = Number(process.argv[2] ?? 5);
const project_id = "bench";
const WRITERS = 8;
const LATE_MS = 50;

await withBenchKernel(async ({ kernel }) => {
  await createProject(kernel, { project_id, title: "bench" });
  for (const lateWriters of [0, 1]) {
    const { cursor } = await readSnapshot(kernel, { project_id });
    const written = new Map<string, number>();
    const seen = new Map<string, number>();
    const lag: number[] = [];
    const end = performance.now() + seconds * 1000;
    const ended = new AbortController();
    const reader = (async () => {
      for await (const frames of streamFrames(kernel, { project_id, after: cursor, signal: ended.signal }))
        for (const { frame } of frames) {
          seen.set(frame.id, (seen.get(frame.id) ?? 0) + 1);
          const at = written.get(frame.id);
          if (at !== undefined) lag.push(performance.now() - at);
        }
    })();
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, w) => {
        for (let i = 0; performance.now() < end; i++) {
          const id = `${lateWriters}-${w}-${i}`;
          const frame: Frame = { kind: "box", id, rev: 1, box_kind: "plain", length: 0, token_sum: 0 };
          await withUnit(kernel, async (unit) => {
            unit.frame(project_id, frame);
            if (w < lateWriters) {
              await unit.query("bench_xid", "SELECT pg_current_xact_id()::text");
              await new Promise((done) => setTimeout(done, LATE_MS));
            }
          });
          written.set(id, performance.now());
        }
      }),
    );
    const patience = performance.now() + 5_000;
    while (seen.size < written.size && performance.now() < patience) await new Promise((done) => setTimeout(done, 20));
    ended.abort();
    await reader;
    const skipped = [...written.keys()].filter((id) => !seen.has(id)).length;
    const doubled = [...seen.values()].filter((n) => n > 1).length;
    const { p50, p99 } = spread(lag);
    const rate = Math.round(written.size / seconds);
    console.log(
      `${WRITERS} writers, ${lateWriters} of them ${LATE_MS} ms late: ${rate} frames/s written, commit to reader p50 ${p50} ms, p99 ${p99} ms, skipped ${skipped}, doubled ${doubled}`,
    );
    if (skipped > 0 || doubled > 0) process.exitCode = 1;
  }
});
