// Each route of plans is in the OpenAPI document and does what it says, by a client that knows only the routes: what plans.pg.test.ts
// does not try is tried here.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
const P = "plan_routes";
const { get, ok, refused, send } = restOf(() => kernel);
const { endWagon } = plansOf(() => kernel, P);
const at = (path: string) => `/projects/${P}${path}`;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
  await seedProject(kernel, "plan_routes_other");
});
afterAll(() => kernel.close());

type Run = { status: string; nodes: { node_id: string; status: string }[] };
const nodesOf = (run: Run) => Object.fromEntries(run.nodes.map(({ node_id, status }) => [node_id, status]));
const launched = async (body: unknown, args: object = {}, more: object = {}) => {
  const made = await ok("POST", at("/pmo/launch_plan:call"), { args: { body, ...args }, ...more });
  return { ...made, id: made.result.plan_run_id, path: at(`/plan-runs/${made.result.plan_run_id}`) };
};
const two = (more: object = {}) => planBody([wagon("a"), wagon("b", { load: [{ from: "a" }], ...more })]);

const expected: [string, string[]][] = [
  ["/plans", ["get", "post"]],
  ["/plans/{name}", ["get", "patch", "delete"]],
  ["/plans/{name}/versions", ["get", "post"]],
  ["/plans/{name}/versions/{version}", ["get"]],
  ["/plans/{name}/versions/{version}/diff/{other}", ["get"]],
  ["/plan-drafts", ["get", "post"]],
  ["/plan-drafts/{draft_id}", ["get", "put", "delete"]],
  ["/plans:check", ["post"]],
  ["/plans:lift", ["post"]],
  ["/pmo/{tool}:call", ["post"]],
  ["/plan-runs", ["get"]],
  ["/plan-runs/{plan_run_id}", ["get"]],
  ...["edit", "release", "skip", "retry", "stop", "fork"].map((verb): [string, string[]] => [
    `/plan-runs/{plan_run_id}:${verb}`,
    ["post"],
  ]),
  ["/recipes/{name}:regress", ["post"]],
  ["/recipes/{name}/versions", ["get"]],
];

test("each route is in the OpenAPI document, and none of plans is there that this list does not know", async () => {
  const { json: document } = await get("/openapi.json");
  const paths = Object.entries<object>(document.paths).map(([path, of]) => [
    path.replace("/projects/{project_id}", ""),
    Object.keys(of).toSorted(),
  ]);
  const own = new Map(paths.map(([path, methods]) => [String(path), methods]));
  for (const [path, methods] of expected) expect([path, own.get(path)]).toEqual([path, methods.toSorted()]);
  const known = new Set(expected.map(([path]) => path));
  expect([...own.keys()].filter((path) => path.startsWith("/plan") && !known.has(path))).toEqual([]);
});

test("plans are listed by name a page at a time, each once", async () => {
  for (const name of ["zebra", "Yak", "aardvark", "Bison"])
    await ok("POST", at("/plans"), planBody([wagon("a")], { name }));
  const names: string[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
    const page = await ok("GET", at(`/plans?limit=2${cursor ? `&cursor=${cursor}` : ""}`));
    expect(page.items.length).toBeLessThanOrEqual(2);
    names.push(...page.items.map((plan: { name: string }) => plan.name));
    cursor = page.next_cursor;
  }
  const all = (await ok("GET", at("/plans"))).items.map((plan: { name: string }) => plan.name);
  expect(names).toEqual(all);
  expect(names).toEqual(expect.arrayContaining(["aardvark", "Bison", "Yak", "zebra"]));
  expect(names.indexOf("Bison")).toBeLessThan(names.indexOf("Yak"));
  expect(await refused("GET", at("/plans?cursor=AAAA"))).toMatchObject({ status: 400 });
});

describe("lift", () => {
  test("a turn, a batch, a launch and a plan run are plans again, and nothing is written", async () => {
    const run = await launched(two());
    const turn = await endWagon(run.id, "a");
    const { nodes } = await ok("GET", run.path);
    const before = await ok("GET", at("/plan-runs"));
    for (const what of [
      { plan_run_id: run.id },
      { agent_turn_id: turn },
      { agent_turn_id: run.root_turn_id },
      { batch_id: nodes[0].batch_id },
    ]) {
      const lifted = await ok("POST", at("/plans:lift"), what);
      expect(lifted).toMatchObject({ body: { switchyard: "plan/1" }, notes: expect.any(Array) });
      // What is lifted can be checked and launched as it is.
      expect(await ok("POST", at("/plans:check"), { body: lifted.body, detail: "graph" })).toMatchObject({ ok: true });
    }
    expect(await ok("GET", at("/plan-runs"))).toEqual(before);
  });
  test.each([
    ["nothing", {}, 422],
    ["two things", { agent_turn_id: "t", batch_id: "b" }, 422],
    ["an unknown turn", { agent_turn_id: "turn_none" }, 404],
  ])("%s is refused", async (_what, body, status) => {
    const failed = await refused("POST", at("/plans:lift"), { body });
    expect([400, status]).toContain(failed.status);
  });
  test("another project's run looks missing", async () => {
    const run = await launched(two());
    const body = { plan_run_id: run.id };
    const failed = await refused("POST", "/projects/plan_routes_other/plans:lift", { body });
    expect(failed.status).toBe(404);
  });
});

test("a run is forked: what is the same is replayed and makes no turn, and a dry run says so before", async () => {
  const run = await launched(two());
  await endWagon(run.id, "a");
  await endWagon(run.id, "b");
  const ops = [{ op: "set", node: "b", path: "/instruction", value: "Do b again" }];
  const runs = (await ok("GET", at("/plan-runs"))).items.length;
  const dry = await ok("POST", `${run.path}:fork`, { ops, dry_run: true });
  expect(JSON.stringify(dry)).toContain("replayed");
  expect((await ok("GET", at("/plan-runs"))).items).toHaveLength(runs);
  const made = await ok("POST", `${run.path}:fork`, { ops, action_id: "fork_once" });
  const fork = await ok("GET", at(`/plan-runs/${made.result.plan_run_id}`));
  expect([fork.forked_from, nodesOf(fork)]).toEqual([run.id, { a: "replayed", b: "running" }]);
  const again = await ok("POST", `${run.path}:fork`, { ops, action_id: "fork_once" });
  expect(again.result.plan_run_id).toBe(made.result.plan_run_id);
  const forced = await ok("POST", `${run.path}:fork`, { force: ["a"] });
  expect(nodesOf(await ok("GET", at(`/plan-runs/${forced.result.plan_run_id}`)))).toEqual({
    a: "running",
    b: "waiting",
  });
  const foreign = `/projects/plan_routes_other/plan-runs/${run.id}:fork`;
  expect(await refused("POST", foreign, { body: { ops } })).toMatchObject({ status: 404 });
  const unknown = await refused("POST", `${run.path}:fork`, { body: { force: ["zz"] } });
  expect([unknown.status, unknown.error_message]).toEqual([expect.any(Number), expect.stringContaining("zz")]);
});

describe("retry of one task", () => {
  const body = () =>
    planBody([{ id: "f", kind: "fork", tasks: [wagon("x"), wagon("y")] }, wagon("after", { load: [{ from: "f" }] })]);
  const turnsOf = async (run: { path: string }) => {
    const { nodes } = await ok("GET", run.path);
    const { tasks } = await ok("GET", at(`/batches/${nodes[0].batch_id}`));
    return tasks.map(({ status }: { status: string }) => status);
  };

  test("while its fork runs it is tried again, by the same agent", async () => {
    const run = await launched(body());
    await endWagon(run.id, "f", "failed", { task: 0 });
    expect(await turnsOf(run)).toEqual(["failed", "dispatched"]);
    const answer = await ok("POST", `${run.path}:retry`, { node: "f", task: "x", user: "ann" });
    expect(nodesOf(answer)).toEqual({ f: "running", after: "waiting" });
    expect(await turnsOf(run)).toEqual(["dispatched", "dispatched"]);
    await endWagon(run.id, "f", "success", { task: 0 });
    await endWagon(run.id, "f", "success", { task: 1 });
    expect(nodesOf(await ok("GET", run.path))).toEqual({ f: "success", after: "running" });
  });

  test("is refused where there is no such task, where it runs, and where its fork is over", async () => {
    const run = await launched(body());
    const retry = (task: object) => refused("POST", `${run.path}:retry`, { body: task });
    expect(await retry({ node: "f", task: "z" })).toMatchObject({
      status: 404,
      error_message: "task: node f has no task z. It has x, y",
      detail: { path: "task" },
    });
    expect(await retry({ node: "after", task: "x" })).toMatchObject({
      status: 404,
      error_message: "task: node after has no task x. It is no fork: leave task out",
    });
    expect(await retry({ node: "f", task: "x" })).toMatchObject({ status: 409 });
    await endWagon(run.id, "f", "failed", { task: 0 });
    await endWagon(run.id, "f", "failed", { task: 1 });
    expect(await retry({ node: "f", task: "x" })).toMatchObject({
      status: 409,
      error_message: expect.stringMatching(/^(task: f is failed|plan run)/),
    });
  });
});

test("a stepped launch asks before its first node; the same Idempotency-Key is the same plan", async () => {
  const run = await launched(two(), { is_stepped: true });
  expect(nodesOf(await ok("GET", run.path))).toEqual({ a: "held", b: "waiting" });
  const options = { body: planBody([wagon("a")], { name: "Kept once" }), headers: { "idempotency-key": "plan-once" } };
  const [first, second] = [await send("POST", at("/plans"), options), await send("POST", at("/plans"), options)];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.json).toEqual(first.json);
  expect((await ok("GET", at("/plans/Kept%20once/versions"))).items).toHaveLength(1);
});

test("a plan is launched into a run that is there", async () => {
  const run = await launched(two());
  const added = await launched(two(), {}, { into: run.root_turn_id });
  expect(added.root_turn_id).toBe(run.root_turn_id);
  const ofRun = (await ok("GET", at(`/plan-runs?root_turn_id=${run.root_turn_id}`))).items;
  expect(ofRun.map((one: { plan_run_id: string }) => one.plan_run_id)).toEqual([added.id, run.id]);
});

test("a recipe is tried on hand-overs that were made, and nothing is written", async () => {
  const handover = { context_packing_config: { pack_arguments: [{ arg_key: "instruction" }] } };
  await ok("POST", at("/recipes"), { name: "brief", handover });
  await launched(planBody([wagon("a", { recipe: "brief" })]));
  const before = await ok("GET", at("/recipes/brief/versions"));
  const tried = await ok("POST", at("/recipes/brief:regress"), { handover, last: 5 });
  expect(tried.items).toHaveLength(1);
  expect(tried.total).toMatchObject({ refused: 0, changed: 0 });
  expect(await ok("GET", at("/recipes/brief/versions"))).toEqual(before);
  expect(await refused("POST", at("/recipes/none:regress"), { body: {} })).toMatchObject({ status: 404 });
  expect(await refused("POST", at("/recipes/brief:regress"), { body: { last: 201 } })).toMatchObject({ status: 422 });
});
