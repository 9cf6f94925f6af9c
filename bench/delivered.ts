// How long a person waits for the simplest work: from a launch to its deliverable, with a worker in the same process, one at a
// time: `npx tsx bench/delivered.ts`. One transaction of one UPDATE is measured as well, so that the ratio holds on a slow machine.
import { withUnit } from "@/server/kernel/unit";
import { seedProject } from "@/server/testing/kernel";
import { launchTurn, scripted, startTestWorker } from "@/server/testing/turns";
import { spread, withBenchKernel } from "./bench-kernel";

const P = "bench";
const WARM = 40;
const ROUNDS = 120;
/** How often the end is looked for. A ring of the journal may come late. */
const lookMs = 2;

await withBenchKernel(async ({ kernel, statements }) => {
  await seedProject(kernel, P, [scripted("Brief", [{ deliver: "done" }], { worker_target: "bench" })]);
  const worker = await startTestWorker(kernel, { targets: ["bench"] });
  let looks = 0;
  const isEnded = async (id: string): Promise<boolean> => {
    looks++;
    const { rows } = await kernel.db.pool.query<{ ended_at: string | null }>({
      name: "bench_ended",
      text: "SELECT ended_at FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2",
      values: [P, id],
    });
    return rows[0]?.ended_at != null;
  };
  const times: number[] = [];
  const floor: number[] = [];
  let sent = 0;
  for (let i = 0; i < WARM + ROUNDS; i++) {
    const update = performance.now();
    await withUnit(kernel, (unit) =>
      unit.query("bench_floor", "UPDATE projects SET updated_at = now() WHERE project_id = $1", [P]),
    );
    const start = performance.now();
    const before = statements() - looks;
    const { agent_turn_id: id } = await launchTurn(kernel, P, { target: "Brief" });
    while (!(await isEnded(id))) await new Promise((done) => setTimeout(done, lookMs));
    if (i < WARM) continue;
    floor.push(start - update);
    times.push(performance.now() - start);
    sent += statements() - looks - before;
  }
  await worker.stop();
  const [base, one] = [spread(floor), spread(times)];
  console.log(`one transaction of one UPDATE: p50 ${base.p50} ms`);
  console.log(
    `launch to delivered: p50 ${one.p50} ms, p99 ${one.p99} ms, ${(one.p50 / base.p50).toFixed(1)} x the UPDATE, ${Math.round(sent / ROUNDS)} statements`,
  );
});
