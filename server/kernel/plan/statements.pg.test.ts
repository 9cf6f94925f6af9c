// What a plan costs the database: as many statements for three hundred nodes as for three.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { countUnits } from "@/server/testing/statements";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { launch } from "../launch/launch";
import { stopTurn } from "../reclaim/stop-turn";
import { readOffers } from "../tools/read-offers";
import { withUnit } from "../unit";
import { checkPlan } from "./check-plan";
import { parseBody } from "./parse-body";

let kernel: TestKernel;
const project_id = "counted";
const { endWagon, launchPlan, statuses } = plansOf(() => kernel, project_id);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const createTestBoxes = () =>
  withUnit(kernel, async (unit) => {
    const cards = await insertCards(unit, {
      project_id,
      cards: [{ type: "task.input", author_id: "ann", content: "the key is AKIAIOSFODNN7EXAMPLE" }],
    });
    return createBoxes(unit, {
      project_id,
      boxes: [{ kind: "context", items: cards.map((card) => ({ ...card, origin: "given" })) }],
    });
  });

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
  const [check, few, ...acts] = await launched(3);
  expect(check).toBeLessThanOrEqual(16 + 2);
  expect(few).toBeLessThanOrEqual(14 + 2);
  expect(await launched(300)).toEqual([check, few, ...acts]);
});

test("a check takes at most 16 statements between BEGIN and COMMIT, with boxes, recipes and results, for 3 nodes and for 300", async () => {
  const offered = { as: { user: "ann" }, offer: readOffers };
  const [made] = await createTestBoxes();
  const box = made?.box_id;
  const body = (n: number) =>
    parseBody(
      planBody(
        Array.from({ length: n }, (_, i) =>
          wagon(`n${i}`, {
            load: [{ box }, ...(i === 0 ? [] : [{ from: `n${i - 1}` }])],
            handover: {
              context_packing_config: {
                pack_arguments: [{ arg_key: "instruction" }],
                inherit_context: { include_from_args: ["load"], exclude_types: ["agent.thought"], redact: true },
              },
            },
          }),
        ),
        { inputs: [{ name: "what", kind: "text" }], run_by: { profiles: ["Plain"] } },
      ),
    );
  const count = async (n: number) => {
    const counts = await countUnits(kernel, async (counting) => {
      const { nodes, problems } = await checkPlan(counting, { project_id, plan: body(n), ...offered });
      expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(nodes).toHaveLength(n);
    });
    return counts;
  };
  const [few, ...none] = await count(3);
  expect(none).toEqual([]);
  expect(few).toBeLessThanOrEqual(16 + 2);
  expect(await count(300)).toEqual([few]);
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
