// What one turn costs the database, from its launch to its end, and what a live view costs that receives nothing new:
// `npx tsx bench/turn.ts`. The worker's own polls while a turn runs are included.
import { parseCursor } from "@/server/kernel/journal/cursor";
import { readCursor } from "@/server/kernel/journal/read-cursor";
import { tailJournal } from "@/server/kernel/journal/tail-journal";
import { seedProject } from "@/server/testing/kernel";
import { launchTurn, scripted, startTestWorker } from "@/server/testing/turns";
import { withBenchKernel } from "./bench-kernel";

const P = "bench";
const TURNS = 5;
const TAILS = 4_000;
const STEPS = [2, 4, 8];

await withBenchKernel(async ({ kernel, statements }) => {
  const journal = async () => {
    const { rows } = await kernel.db.pool.query<{ frames: number; bytes: number; ends: number }>(
      `SELECT count(*)::int AS frames, (count(*) FILTER (WHERE kind = 'task'))::int AS ends,
        (SELECT coalesce(sum(pg_column_size(ROW (project_id, xid, pack_id, kind, entity_id, created_at)) + pg_column_size(frames)), 0)::int
          FROM state.journal_packs) AS bytes
       FROM state.journal`,
    );
    return rows[0] ?? { frames: 0, bytes: 0, ends: 0 };
  };
  const profiles = STEPS.map((steps) =>
    scripted(`of ${steps}`, [...Array.from({ length: steps - 1 }, () => ({ think: "x" })), { deliver: "done" }], {
      worker_target: "bench",
      max_steps: 20,
    }),
  );
  await seedProject(kernel, P, profiles);
  const worker = await startTestWorker(kernel, { targets: ["bench"] });
  for (const steps of STEPS) {
    const [sent, was] = [statements(), await journal()];
    let looks = 1;
    for (let i = 1; i <= TURNS; i++) {
      await launchTurn(kernel, P, { target: `of ${steps}` });
      // The person's own turn ends as well.
      while ((await journal()).ends < was.ends + 2 * i) {
        looks++;
        await new Promise((done) => setTimeout(done, 50));
      }
      looks++;
    }
    const now = await journal();
    const each = (n: number) => Math.round(n / TURNS);
    console.log(
      `turn of ${steps} steps: ${each(statements() - sent - looks)} statements, ${each(now.frames - was.frames)} frames, ${(each(now.bytes - was.bytes) / 1000).toFixed(1)} kB of journal`,
    );
  }
  await worker.stop();

  const after = parseCursor(P, await readCursor(kernel, P));
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const chain = async () => {
    for (let i = 0; i < TAILS / 8; i++) await tailJournal(kernel, { project_id: P, after });
  };
  await Promise.all(Array.from({ length: 8 }, chain));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `looks at an unchanged journal: ${Math.round(TAILS / seconds)} a second, ${((user + system) / TAILS / 1000).toFixed(2)} ms of this process's time each`,
  );
});
