// What a delegation costs when it hands over a box of 10, 1,000 or 10,000 cards: `npx tsx bench/delegate.ts`.
// A plain insert of one row is measured as well, so that the ratio holds on a slow machine.
import { delegate } from "@/server/kernel/delegation/delegate";
import { launch } from "@/server/kernel/launch/launch";
import { createProject } from "@/server/kernel/roster/create-project";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { appendOutput } from "@/server/kernel/turns/append-output";
import { isFenced } from "@/server/kernel/turns/fenced";
import { startTurn } from "@/server/kernel/turns/start-turn";
import { withUnit } from "@/server/kernel/unit";
import { spread, withBenchKernel } from "./bench-kernel";

const ROUNDS = 40;
const project_id = "bench";

await withBenchKernel(async ({ kernel, statements }) => {
  await createProject(kernel, { project_id, title: "bench" });
  const profile = parseProfile({ name: "Caller", delegation_policy: { target_tags: [] } });
  await withUnit(kernel, (unit) => saveProfile(unit, { project_id, profile, author_id: "bench" }));
  const floor: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    await withUnit(kernel, (unit) =>
      unit.query("bench_floor", "UPDATE projects SET updated_at = now() WHERE project_id = $1", [project_id]),
    );
    floor.push(performance.now() - start);
  }
  const base = spread(floor);
  console.log(`one transaction of one UPDATE: p50 ${base.p50} ms`);
  for (const size of [10, 1_000, 10_000]) {
    const { result } = await launch(kernel, {
      project_id,
      tool: "delegate_async",
      user: "bench",
      args: { target_strategy: "new", target_ref: "Caller", instruction: "begin" },
    });
    if (!("agent_turn_id" in result)) throw new Error("a delegation was launched");
    const caller = {
      agent_id: result.agent_id,
      agent_turn_id: result.agent_turn_id,
      turn_epoch: result.turn_epoch ?? 0,
    };
    const started = await startTurn(kernel, { project_id, ...caller, worker_id: "bench" });
    if (isFenced(started)) throw new Error("fenced");
    for (let at = 0; at < size; at += 500) {
      const cards = Array.from({ length: Math.min(500, size - at) }, (_, i) => ({
        type: "agent.thought",
        author_id: "a",
        content: `card ${at + i}`,
      }));
      await appendOutput(kernel, { project_id, ...caller, cards });
    }
    await kernel.db.pool.query("ANALYZE");
    const times: number[] = [];
    let sent = 0;
    for (let i = 0; i < ROUNDS; i++) {
      const before = statements();
      const start = performance.now();
      const args = {
        target_strategy: "new",
        target_ref: "Caller",
        instruction: `task ${i}`,
        context_box_id: started.turn.output_box_id,
      };
      await delegate(kernel, { project_id, caller, tool: "delegate_async", args });
      times.push(performance.now() - start);
      sent = statements() - before;
    }
    const { p50, p99 } = spread(times);
    console.log(
      `delegate, box of ${size}: ${sent} statements with BEGIN, COMMIT and ring, p50 ${p50} ms, p99 ${p99} ms, ${(p50 / base.p50).toFixed(1)} x the UPDATE`,
    );
  }
});
