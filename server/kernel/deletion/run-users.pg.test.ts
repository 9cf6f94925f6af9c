// What goes on in other runs and was made of a run is said before the run is deleted; what has ended, or is of another project, is not.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { importRun } from "@/server/interop/importers/import-run";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { restOf } from "@/server/testing/rest";
import { countStatements } from "@/server/testing/statements";
import { launchTurn, outputOf, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { launch } from "../launch/launch";
import { readRunHolds } from "./read-run-holds";

let kernel: TestKernel;
const P = "users";
const { ok } = restOf(() => kernel);
const { launchPlan } = plansOf(() => kernel, P);
const elsewhere = plansOf(() => kernel, "elsewhere");
const at = (path: string) => `/projects/${P}${path}`;

beforeAll(async () => {
  kernel = await openTestKernel();
  for (const project of [P, "elsewhere"])
    await seedProject(kernel, project, [scripted("Echo", [{ deliver: "done" }]), { name: "Plain" }]);
});
afterAll(() => kernel.close());

async function ran(instruction: string) {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Echo", instruction });
  const worker = await startTestWorker(kernel);
  onTestFinished(() => worker.stop());
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await worker.stop();
  return turn;
}
const usersOf = async (root_turn_id: string) => (await ok("GET", at(`/runs/${root_turn_id}/holds`))).used_by;
const none = { total: { count: 0 }, items: [] };
const noUsers = { forks: none, batches: none, plans: none };
const held = (load: object[], more: object = {}) => planBody([wagon("one", { hold: true, load })], more);
const end = (root: string) => ok("POST", at(`/turns/${root}:stop`), { user: "ann", scope: "subtree" });
/** A batch of two, of which one is held back. */
const forked = async (box_id: string) => {
  const { root_turn_id, result } = await launch(kernel, {
    project_id: P,
    user: "ann",
    tool: "fork_join",
    args: {
      max_parallel: 1,
      tasks: ["a", "b"].map((instruction) => ({
        ...{ target_strategy: "new", target_ref: "Plain", instruction },
        ...(instruction === "b" && { context_box_id: box_id }),
      })),
    },
  });
  if (!("batch_id" in result)) throw new Error("a batch was launched");
  return { root_turn_id, batch_id: result.batch_id };
};

test("plans that name a box, a card or an input of it are listed while they run, in other runs of this project", async () => {
  const turn = await ran("for plans");
  const box = turn.output_box_id ?? "";
  const card = (await outputOf(kernel, turn)).at(-1)?.card_id ?? "";
  expect(await usersOf(turn.root_turn_id)).toEqual(noUsers);
  const plans = [
    await launchPlan(held([{ box }])),
    await launchPlan(held([{ card }])),
    await launchPlan(held([{ input: "what" }], { inputs: [{ name: "what", kind: "box" }] }), { inputs: { what: box } }),
    await launchPlan(
      planBody([{ kind: "fork", id: "many", hold: true, tasks: [wagon("a"), wagon("b", { load: [{ box }] })] }]),
    ),
  ];
  // Neither of them names what is of the run.
  await launchPlan(held([]));
  await launchPlan(held([{ box: turn.output_box_id ?? "" }]), {}, { into: turn.root_turn_id });
  const foreign = await elsewhere.launchPlan(held([]));
  await kernel.db.pool.query("UPDATE state.plan_runs SET body = $2 WHERE plan_run_id = $1", [
    foreign.plan_run_id,
    JSON.stringify(held([{ box }])),
  ]);
  const users = await usersOf(turn.root_turn_id);
  expect(users.plans.total).toEqual({ count: plans.length });
  expect(users.plans.items.map((one: { plan_run_id: string }) => one.plan_run_id).sort()).toEqual(
    plans.map((one) => one.plan_run_id).sort(),
  );
  expect(users.plans.items[0]).toMatchObject({ name: "Test", number: expect.any(Number) });
  expect({ ...users, plans: none }).toEqual(noUsers);
  for (const plan of plans) await end(plan.root_turn_id);
  expect(await usersOf(turn.root_turn_id)).toEqual(noUsers);
});

test("batches of other runs are listed while they run, also for a branch that is held back", async () => {
  const turn = await ran("for batches");
  const made = await forked(turn.output_box_id ?? "");
  await forked((await ran("another")).output_box_id ?? "");
  const users = await usersOf(turn.root_turn_id);
  expect(users.batches.total).toEqual({ count: 1 });
  expect(users.batches.items).toMatchObject([{ root_turn_id: made.root_turn_id, batch_id: made.batch_id }]);
  expect(users.plans).toEqual(none);
  await end(made.root_turn_id);
  expect(await usersOf(turn.root_turn_id)).toEqual(noUsers);
});

test("forks of its turns in other runs are counted by run, and those in the run itself are not", async () => {
  const turn = await ran("for forks");
  const fork = () => ok("POST", at(`/turns/${turn.agent_turn_id}:fork`), { user: "ann" });
  const made = [await fork(), await fork()];
  const users = await usersOf(turn.root_turn_id);
  const roots = new Set(made.map((one) => one.root_turn_id).filter((root) => root !== turn.root_turn_id));
  expect(roots.size).toBeGreaterThan(0);
  expect(users.forks.total).toEqual({ count: roots.size });
  expect(users.forks.items.map((one: { root_turn_id: string }) => one.root_turn_id).sort()).toEqual([...roots].sort());
  expect(users.forks.items[0].turns).toBe(1);
  expect(await usersOf(made[0].root_turn_id)).toEqual(noUsers);
});

test("at most 20 of a kind are named, all are counted, and the statements do not grow", async () => {
  const turn = await ran("for many");
  const box = turn.output_box_id ?? "";
  const count = () =>
    countStatements(kernel, (counting) => readRunHolds(counting, { project_id: P, root_turn_id: turn.root_turn_id }));
  const few = await count();
  for (let i = 0; i < 22; i++) await launchPlan(held([{ box }]));
  const { plans } = await usersOf(turn.root_turn_id);
  expect(plans.total).toEqual({ count: 22 });
  expect(plans.items).toHaveLength(20);
  expect(await count()).toBe(few);
});

test("profiles of an import that no other run uses are named; of one that is launched here, none", async () => {
  const leftOf = async (root: string) => (await ok("GET", at(`/runs/${root}/holds`))).profiles_left;
  const log = (say: string) => ({
    question: say,
    history: [
      { role: "human", content: say },
      { role: "Orchestrator (-> WebSurfer)", content: "look" },
      { role: "WebSurfer", content: "seen" },
      { role: "Orchestrator (termination condition)", content: "Done" },
    ],
  });
  const brought = (say: string) =>
    importRun(kernel, { project_id: P, format: "who-and-when", bytes: Buffer.from(JSON.stringify(log(say))) });
  const { root_turn_id } = await brought("the first");
  const left = await leftOf(root_turn_id);
  expect(left.total.count).toBeGreaterThanOrEqual(2);
  const names = left.items.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(["import:Orchestrator", "import:WebSurfer"]));
  const profiles = (await ok("GET", at("/profiles"))).items.map(({ name }: { name: string }) => name);
  expect(profiles).toEqual(expect.arrayContaining(names));
  expect(await leftOf((await ran("launched here")).root_turn_id)).toEqual(none);
  // The same profiles in another run of the project: neither leaves them unused.
  const second = await brought("the second");
  expect(await leftOf(root_turn_id)).toEqual(none);
  await ok("DELETE", at(`/runs/${second.root_turn_id}`), { user: "ann" });
  await expect.poll(() => leftOf(root_turn_id), { timeout: 10_000 }).toEqual(left);
  // Somebody makes an agent of one of them by hand: that one is used.
  await ok("POST", at("/agents"), { agent_id: "by_hand", profile_name: "import:WebSurfer" });
  const fewer = (await leftOf(root_turn_id)).items.map(({ name }: { name: string }) => name);
  expect(fewer).toEqual(names.filter((name: string) => name !== "import:WebSurfer"));
});
