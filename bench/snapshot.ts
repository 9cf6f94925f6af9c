// The picture of 100, 1,000 and 5,000 turns: `npx tsx bench/snapshot.ts`. Turns are made by the kernel's own verbs.

import { importRun } from "@/server/interop/importers/import-run";
import { readSnapshot } from "@/server/kernel/read-models/read-snapshot";
import { createProject } from "@/server/kernel/roster/create-project";
import { spread, withBenchKernel } from "./bench-kernel";

const ROUNDS = 20;

await withBenchKernel(async ({ kernel }) => {
  let first = 0;
  for (const turns of [100, 1_000, 5_000]) {
    const project_id = `bench-${turns}`;
    await createProject(kernel, { project_id, title: project_id });
    const history = [{ role: "human", content: "begin" }];
    for (let i = 0; i < turns; i++)
      history.push(
        { role: "Orchestrator (-> Worker)", content: `task ${i}` },
        { role: "Worker", content: `answer ${i}` },
      );
    await importRun(kernel, {
      project_id,
      format: "who-and-when",
      bytes: Buffer.from(JSON.stringify({ question: "q", history })),
    });
    await kernel.db.pool.query("ANALYZE");
    const times: number[] = [];
    let bytes = 0;
    let shown = 0;
    for (let i = 0; i < ROUNDS; i++) {
      const start = performance.now();
      const snapshot = await readSnapshot(kernel, { project_id });
      times.push(performance.now() - start);
      shown = snapshot.shown_turns;
      bytes = JSON.stringify(snapshot).length;
    }
    const { p50, p99 } = spread(times);
    first ||= p50 / shown;
    console.log(
      `snapshot of ${shown} turns: p50 ${p50} ms, p99 ${p99} ms, ${(bytes / 1e6).toFixed(2)} MB, ${(p50 / shown / first).toFixed(2)} x the time a turn of the smallest`,
    );
  }
});
