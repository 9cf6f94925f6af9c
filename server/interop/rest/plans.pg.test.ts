// Plans over REST: published, kept as drafts, checked, launched, decided and stopped, all by a client that knows only the routes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, wagon } from "@/server/testing/plan-runs";
import { exampleBody } from "@/server/testing/plans";
import { restOf } from "@/server/testing/rest";
import { scripted, startTestWorker } from "@/server/testing/turns";

let kernel: TestKernel;
const P = "plans_rest";
const { ok, refused, send } = restOf(() => kernel);
const at = (path: string) => `/projects/${P}${path}`;
const profiles = ["Log_Reader", "Metric_Reader", "Deploy_Reader", "Incident_Lead", "Pager", "On_Call"];

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "Plain" },
    ...profiles.map((name) => scripted(name, [{ deliver: `${name} on {instruction}` }])),
  ]);
  await seedProject(kernel, "elsewhere");
});
afterAll(() => kernel.close());

const launchBody = (body: unknown, more: object = {}) =>
  ok("POST", at("/pmo/launch_plan:call"), { args: { body, ...more } });
const nodesOf = (run: { nodes: { node_id: string; status: string }[] }) =>
  Object.fromEntries(run.nodes.map((node) => [node.node_id, node.status]));

describe("versions", () => {
  test("are numbered, never change, and the same body is no new one", async () => {
    const body = planBody([wagon("a")], { name: "Brief" });
    const made = await ok("POST", at("/plans?message=first"), body);
    expect(made).toMatchObject({ plan: { name: "Brief", head_version: 1 }, version: { version: 1, message: "first" } });
    expect(await refused("POST", at("/plans"), { body })).toMatchObject({ status: 409, error_code: "conflict" });
    const same = await send("POST", at("/plans/brief/versions"), { body: { body, base_version: 1 } });
    expect([same.status, same.json.version.version]).toEqual([200, 1]);
    const next = planBody([wagon("a"), wagon("b", { after: [{ node: "a" }] })], { name: "Brief" });
    const moved = await send("POST", at("/plans/Brief/versions"), {
      body: { body: next, base_version: 1, message: "b too" },
    });
    expect([moved.status, moved.json.plan.head_version]).toEqual([201, 2]);
    const late = await send("POST", at("/plans/Brief/versions"), { body: { body, base_version: 1 } });
    expect(late.status).toBe(409);
    expect(late.json.detail).toMatchObject({ error_code: "plan_moved" });
    expect((await ok("GET", at("/plans/Brief/versions"))).items.map((v: { version: number }) => v.version)).toEqual([
      2, 1,
    ]);
    expect(await ok("GET", at("/plans/Brief/versions/1"))).toMatchObject({ version: 1, sha256: made.version.sha256 });
    expect(await refused("GET", at("/plans/Brief/versions/9"))).toMatchObject({
      status: 404,
      error_message: "version: plan Brief has no version 9; the newest is 2",
    });
    await expect(
      kernel.db.pool.query("UPDATE resource.plan_versions SET message = 'other' WHERE project_id = $1", [P]),
    ).rejects.toThrow(/never change/);
    await expect(kernel.db.pool.query("DELETE FROM resource.plan_versions WHERE project_id = $1", [P])).rejects.toThrow(
      /never change/,
    );
  });

  test("a plan is renamed, archived and listed; with runs it is not deleted", async () => {
    await ok("POST", at("/plans"), planBody([wagon("a")], { name: "Short" }));
    await ok("POST", at("/plans"), planBody([wagon("a")], { name: "Unused" }));
    expect(await ok("PATCH", at("/plans/Short"), { name: "Shorter", archived: true })).toMatchObject({
      name: "Shorter",
    });
    expect(await refused("PATCH", at("/plans/Shorter"), { body: { name: "unused" } })).toMatchObject({ status: 409 });
    const names = async (query = "") =>
      (await ok("GET", at(`/plans${query}`))).items.map((plan: { name: string }) => plan.name);
    expect(await names()).not.toContain("Shorter");
    expect(await names("?archived=true")).toContain("Shorter");
    await ok("POST", at("/pmo/launch_plan:call"), { args: { plan: "Shorter" } });
    expect(await refused("DELETE", at("/plans/Shorter"))).toMatchObject({ status: 409 });
    expect((await send("DELETE", at("/plans/Unused"))).status).toBe(204);
    expect(await refused("GET", at("/plans/Unused"))).toMatchObject({ status: 404 });
    expect(await refused("GET", "/projects/elsewhere/plans/Shorter")).toMatchObject({ status: 404 });
  });
});

test("a draft may be unfinished; who writes over a newer one is told", async () => {
  const draft = await ok("POST", at("/plan-drafts"), { body: planBody([{ id: "a" }]), user: "ann" });
  const path = at(`/plan-drafts/${draft.draft_id}`);
  expect((await ok("GET", at("/plan-drafts?user=ann"))).items).toEqual([draft]);
  expect((await ok("GET", at("/plan-drafts?user=bob"))).items).toEqual([]);
  expect(await refused("GET", `${path}?user=bob`)).toMatchObject({ status: 404 });
  const saved = await ok("PUT", path, { body: planBody([wagon("a")]), rev: draft.rev, user: "ann" });
  expect(saved.rev).toBe(draft.rev + 1);
  expect(await ok("GET", `${path}?user=ann`)).toEqual(saved);
  const late = await send("PUT", path, { body: { body: planBody([]), rev: draft.rev, user: "ann" } });
  expect([late.status, late.json.detail.detail?.draft ?? late.json.detail.draft]).toEqual([409, saved]);
  expect((await send("DELETE", `${path}?user=ann`)).status).toBe(204);
  expect(await refused("DELETE", `${path}?user=ann`)).toMatchObject({ status: 404 });
});

describe("a plan that cannot run", () => {
  test("is checked without a launch, with every problem", async () => {
    const body = planBody([
      { id: "a", instruction: "x" },
      wagon("b", { after: [{ node: "c" }] }),
      wagon("c", { after: [{ node: "b" }] }),
    ]);
    const { ok: isOk, problems } = await ok("POST", at("/plans:check"), body);
    expect(isOk).toBe(false);
    expect(problems.map(({ code }: { code: string }) => code)).toEqual(expect.arrayContaining(["no_target", "circle"]));
    const failed = await refused("POST", at("/pmo/launch_plan:call"), { body: { args: { body } } });
    expect(failed).toMatchObject({ status: 400, error_code: "invalid_plan" });
  });

  test("is checked by name, with inputs, for some nodes or one prompt, and a dry run says the same", async () => {
    const body = planBody(
      [
        wagon("a", { instruction: "Do {input.what}" }),
        wagon("b", { target: { ref: "Nobody" }, load: [{ from: "a" }] }),
      ],
      { name: "Half there", inputs: [{ name: "what", kind: "text" }] },
    );
    const unfit = await refused("POST", at("/plans?user=ann"), { body });
    expect(unfit).toMatchObject({ status: 400, error_code: "invalid_plan" });
    expect(unfit.error_message).toContain("Give accept_problems to publish it all the same");
    await ok("POST", at("/plans?user=ann&accept_problems=true"), body);
    const asked = { plan: "half there", inputs: { what: "smoke" } };
    const checked = await ok("POST", at("/plans:check"), asked);
    expect(checked).toMatchObject({ ok: false, nodes: [{ place: "a", cards: 3 }, { place: "b" }] });
    expect(await ok("POST", at("/pmo/launch_plan:call"), { args: asked, dry_run: true })).toEqual(checked);
    const some = await ok("POST", at("/plans:check"), { ...asked, nodes: ["a"] });
    expect(some).toMatchObject({ ok: true, nodes: [{ place: "a" }] });
    const prompt = await ok("POST", at("/plans:check"), { ...asked, detail: "prompt", node: "a" });
    expect(JSON.stringify(prompt.nodes[0].prompt.messages)).toContain("Do smoke");
    const graph = await ok("POST", at("/plans:check"), { body, detail: "graph" });
    expect(graph).toEqual({ ok: true, problems: [], nodes: [] });
  });

  test.each<[string, object, number, RegExp]>([
    ["nothing that is named", {}, 400, /name a plan, or give a body/],
    ["both", { plan: "x", body: planBody([wagon("a")]) }, 400, /name a plan, or give a body/],
    ["an unknown field", { body: planBody([wagon("a")]), force: true }, 400, /force/],
    ["a node that the plan does not have", { body: planBody([wagon("a")]), nodes: ["zz"] }, 400, /no node zz/],
    ["a prompt of no node", { body: planBody([wagon("a")]), detail: "prompt" }, 400, /node/],
    ["a prompt of an unknown node", { body: planBody([wagon("a")]), detail: "prompt", node: "zz" }, 400, /fork\.task/],
    ["an agent of another project", { body: planBody([wagon("a")]), as: { agent_id: "nobody" } }, 404, /nobody/],
    ["a run of another project", { body: planBody([wagon("a")]), results_of: "prun_x" }, 404, /prun_x/],
    ["an input it does not declare", { body: planBody([wagon("a")]), inputs: { x: "1" } }, 400, /declares no input x/],
  ])("a check of %s is refused", async (_what, body, status, message) => {
    const failed = await refused("POST", at("/plans:check"), { body });
    expect([failed.status, failed.error_message]).toEqual([status, expect.stringMatching(message)]);
  });

  test.each<[string, object, number, RegExp]>([
    ["no name and no body", { args: {} }, 400, /args\.plan/],
    ["an unknown plan", { args: { plan: "Nowhere" } }, 404, /plan Nowhere not found/],
    ["an unknown input", { args: { body: planBody([wagon("a")]), inputs: { x: "1" } } }, 400, /declares no input x/],
    [
      "an input that is not filled in",
      { args: { body: planBody([wagon("a", { load: [{ input: "q" }] })], { inputs: [{ name: "q", kind: "text" }] }) } },
      400,
      /Input q is not filled in\./,
    ],
    [
      "301 wagons",
      { args: { body: planBody(Array.from({ length: 301 }, (_, i) => wagon(`w${i}`))) } },
      400,
      /301 wagons, at most 300/,
    ],
    [
      "a target that is not there",
      { args: { body: planBody([wagon("a", { target: { ref: "Nobody" } })]) } },
      400,
      /Profile Nobody is not registered in this project\./,
    ],
  ])("%s is refused, and nothing is written", async (_what, body, status, message) => {
    const before = await ok("GET", at("/plan-runs"));
    const failed = await refused("POST", at("/pmo/launch_plan:call"), { body });
    expect([failed.status, failed.error_message]).toEqual([status, expect.stringMatching(message)]);
    expect(await ok("GET", at("/plan-runs"))).toEqual(before);
  });

  test("YAML that is a bomb is refused in time", async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [${i === 0 ? "x" : `*a${i - 1}, *a${i - 1}`}]`);
    const answer = await send("POST", at("/plans:check"), { raw: lines.join("\n"), type: "text/yaml" });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

test("a run is read, its nodes are let start, skipped and retried, and it is stopped; another project's looks missing", async () => {
  const launched = await launchBody(
    planBody([wagon("a", { hold: true }), wagon("b", { hold: true }), wagon("c", { after: [{ node: "b" }] })]),
  );
  const { plan_run_id } = launched.result;
  const path = at(`/plan-runs/${plan_run_id}`);
  expect(nodesOf(await ok("GET", path))).toEqual({ a: "held", b: "held", c: "waiting" });
  expect(nodesOf(await ok("POST", `${path}:release`, { node: "a", user: "ann" }))).toMatchObject({ a: "running" });
  expect(nodesOf(await ok("POST", `${path}:skip`, { node: "b", reason: "later", user: "ann" }))).toMatchObject({
    b: "skipped",
    c: "skipped",
  });
  expect(nodesOf(await ok("POST", `${path}:retry`, { node: "b" }))).toEqual({
    a: "running",
    b: "running",
    c: "waiting",
  });
  const ops = [{ op: "set", node: "c", path: "/instruction", value: "Do c well" }];
  const edited = await ok("POST", `${path}:edit`, { body_rev: 1, ops, reason: "clearer", user: "ann" });
  expect([edited.body_rev, edited.body.nodes[2].instruction]).toEqual([2, "Do c well"]);
  const late = await refused("POST", `${path}:edit`, { body: { body_rev: 1, ops, user: "ann" } });
  expect(late).toMatchObject({ status: 409, error_code: "conflict", detail: { body_rev: 2 } });
  const packed = { body_rev: 2, ops: [{ op: "remove_node", node: "a" }], user: "ann" };
  expect(await refused("POST", `${path}:edit`, { body: packed })).toMatchObject({ status: 409, error_code: "packed" });
  const malformed = { body_rev: 2, ops: [{ op: "explode" }], user: "ann" };
  expect(await refused("POST", `${path}:edit`, { body: malformed })).toMatchObject({ status: 422 });
  expect(await refused("POST", `${path}:release`, { body: { node: "zz" } })).toMatchObject({ status: 404 });
  expect(await refused("GET", `/projects/elsewhere/plan-runs/${plan_run_id}`)).toMatchObject({ status: 404 });
  expect(await refused("POST", `/projects/elsewhere/plan-runs/${plan_run_id}:stop`, { body: {} })).toMatchObject({
    status: 404,
  });
  const over = await ok("POST", `${path}:stop`, { reason: "enough", user: "ann" });
  expect([over.status, nodesOf(over)]).toEqual(["canceled", { a: "canceled", b: "canceled", c: "skipped" }]);
  const listed = (await ok("GET", at(`/plan-runs?root_turn_id=${launched.root_turn_id}&status=canceled`))).items;
  expect(listed.map((run: { plan_run_id: string }) => run.plan_run_id)).toEqual([plan_run_id]);
});

test("the example that looks at an alert runs with scripted workers, to the hold that a person lets go", async () => {
  const worker = await startTestWorker(kernel);
  const box = await ok("POST", at("/boxes"), { cards: [{ type: "task.context", content: "Restart it twice." }] });
  await ok("POST", at("/plans"), exampleBody("incident-triage", {}));
  const { items } = await ok("GET", at("/plans"));
  const { name } = items.find((plan: { name: string }) => /triage/.test(plan.name));
  const launched = await ok("POST", at("/pmo/launch_plan:call"), {
    args: { plan: name, inputs: { alert: "p99 is 4 s", runbook: box.box_id } },
  });
  const path = at(`/plan-runs/${launched.result.plan_run_id}`);
  const until = async (isDone: (run: { status: string; nodes: { node_id: string; status: string }[] }) => boolean) => {
    for (let i = 0; i < 200; i++) {
      const run = await ok("GET", path);
      if (isDone(run)) return run;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(JSON.stringify((await ok("GET", path)).nodes));
  };
  const held = await until((run) => run.nodes.some(({ status }) => status === "held"));
  const { node_id } = held.nodes.find(({ status }: { status: string }) => status === "held");
  await ok("POST", `${path}:release`, { node: node_id, user: "ann" });
  const over = await until((run) => run.status !== "running");
  await worker.stop();
  expect(over.status).toBe("success");
  expect((await ok("GET", at(`/turns/${launched.agent_turn_id}`))).status).toBe("success");
});
