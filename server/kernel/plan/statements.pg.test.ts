// What a plan costs the database: as many statements for three hundred nodes as for three.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { countUnits } from "@/server/testing/statements";
import { launch } from "../launch/launch";
import { stopTurn } from "../reclaim/stop-turn";

let kernel: TestKernel;
const project_id = "counted";
const { endWagon, launchPlan, statuses } = plansOf(() => kernel, project_id);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

/** Nothing starts: the first waits for a person. */
const chain = (n: number) =>
  planBody(
    Array.from({ length: n }, (_, i) => wagon(`n${i}`, i === 0 ? { hold: true } : { after: [{ node: `n${i - 1}` }] })),
  );
const launched = (n: number) =>
  countUnits(kernel, (counting) =>
    launch(counting, { project_id, tool: "launch_plan", user: "ann", args: { body: chain(n) } }),
  );

test("a launch is one unit of at most 14 statements between BEGIN and COMMIT, for 3 nodes and for 300", async () => {
  // The first launch makes the person.
  await launched(3);
  const [few, ...acts] = await launched(3);
  expect(few).toBeLessThanOrEqual(14 + 2);
  expect(await launched(300)).toEqual([few, ...acts]);
});

test("the end of a node and the start of the next take the same statements in a plan of 3 and of 300", async () => {
  const counts: number[][] = [];
  for (const n of [3, 3, 300]) {
    const nodes = Array.from({ length: n }, (_, i) =>
      wagon(`n${i}`, i === 0 ? {} : { after: [{ node: `n${i - 1}` }] }),
    );
    const run = await launchPlan(planBody(nodes));
    counts.push(
      await countUnits(kernel, async (counting) => {
        await endWagon(run.plan_run_id, "n0", "success", {}, counting);
      }),
    );
    expect(await statuses(run.plan_run_id)).toMatchObject({ n0: "success", n1: "running" });
    await stopTurn(kernel, { project_id, agent_turn_id: run.root_turn_id, scope: "subtree", by: "ann" });
  }
  expect(counts[2]).toEqual(counts[1]);
});
