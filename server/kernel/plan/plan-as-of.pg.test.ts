// A plan's run as of then: its wagons stand as they stood, told by the journal, and where that is gone by the times of their rows.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AsOf } from "@/server/contract/run-history";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { readAsOf } from "../read-models/read-as-of";

let kernel: TestKernel;
const P = "plans_then";
const { launchPlan, endWagon, statuses } = plansOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

/** After all that was written so far, and before all that comes: frames are dated to the millisecond. */
async function moment(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  const { rows } = await kernel.test.pool.query<{ at: string }>("SELECT clock_timestamp() AS at");
  await new Promise((resolve) => setTimeout(resolve, 5));
  return new Date(rows[0]?.at ?? "").toISOString();
}

const nodesThen = ({ frames }: AsOf) =>
  Object.fromEntries(frames.flatMap((frame) => (frame.kind === "plan_node" ? [[frame.node_id, frame.status]] : [])));
const planThen = ({ frames }: AsOf) => frames.find((frame) => frame.kind === "plan_run")?.status;

test("a wagon waits, runs, has ended or was skipped as it did then, whoever tells it", async () => {
  const run = await launchPlan(
    planBody([
      wagon("a"),
      wagon("b", { load: [{ from: "a" }] }),
      wagon("mend", { after: [{ node: "b", on: "failed" }] }),
    ]),
  );
  const key = { project_id: P, root_turn_id: run.root_turn_id };
  const seen: { at: string; nodes: Record<string, string> }[] = [];
  const look = async () => seen.push({ at: await moment(), nodes: await statuses(run.plan_run_id) });
  await look();
  await endWagon(run.plan_run_id, "a");
  await look();
  await endWagon(run.plan_run_id, "b");
  await look();
  expect(seen.map(({ nodes }) => nodes)).toEqual([
    { a: "running", b: "waiting", mend: "waiting" },
    { a: "success", b: "running", mend: "waiting" },
    { a: "success", b: "success", mend: "skipped" },
  ]);
  for (const source of ["journal", "times"] as const) {
    if (source === "times") await kernel.test.pool.query("DELETE FROM state.journal_packs WHERE project_id = $1", [P]);
    for (const [i, { at, nodes }] of seen.entries()) {
      const then = await readAsOf(kernel, { ...key, at });
      expect(then.source).toBe(source);
      expect(nodesThen(then), `${source}, moment ${i}`).toEqual(nodes);
      expect(planThen(then)).toBe(i < 2 ? "running" : "success");
    }
  }
});
