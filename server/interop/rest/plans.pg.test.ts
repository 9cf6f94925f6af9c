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
const profiles = [
  ...["Log_Reader", "Metric_Reader", "Deploy_Reader", "Incident_Lead", "Pager", "On_Call"],
  ...["Principal_Planner", "Storage_Expert", "Associate_Search", "Table_Reader"],
];

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "Plain" },
    scripted("Failing", [{ fail: "no verdict" }]),
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
    expect(await ok("GET", at("/plans/Brief/versions/1/diff/2"))).toMatchObject({
      ops: [{ op: "add_node", node: { id: "b" } }],
      nodes: [
        { id: "a", verdict: "same", fields: [] },
        { id: "b", verdict: "added", fields: [] },
      ],
      fields: [],
    });
    for (const path of ["1/diff/9", "9/diff/1", "1/diff/x"])
      expect(await refused("GET", at(`/plans/Brief/versions/${path}`))).toMatchObject({ status: 404 });
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
    expect(await refused("POST", at("/pmo/launch_plan:call"), { body: { args: { plan: "Shorter" } } })).toMatchObject({
      status: 409,
    });
    await ok("PATCH", at("/plans/Shorter"), { archived: false });
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
  const { body, layout: _layout, ...facts } = draft;
  const line = { ...facts, name: body.name };
  expect((await ok("GET", at("/plan-drafts?user=ann"))).items).toEqual([line]);
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

describe("the examples of the repository, with scripted workers", () => {
  type Run = { status: string; nodes: { node_id: string; status: string }[] };
  const until = async (path: string, isDone: (run: Run) => boolean): Promise<Run> => {
    for (let i = 0; i < 200; i++) {
      const run = await ok("GET", path);
      if (isDone(run)) return run;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(JSON.stringify((await ok("GET", path)).nodes));
  };
  const heldIn = (run: Run) => run.nodes.find(({ status }) => status === "held");
  const started = async (plan: string, inputs: object) => {
    const launched = await ok("POST", at("/pmo/launch_plan:call"), { args: { plan, inputs } });
    return { ...launched, path: at(`/plan-runs/${launched.result.plan_run_id}`) };
  };
  let worker: Awaited<ReturnType<typeof startTestWorker>>;
  beforeAll(async () => {
    worker = await startTestWorker(kernel);
  });
  afterAll(() => worker.stop());

  test("a first look at an alert comes to the hold that a person lets go, and pages nobody", async () => {
    const box = await ok("POST", at("/boxes"), { cards: [{ type: "task.context", content: "Restart it twice." }] });
    expect(await ok("POST", at("/plans:check"), exampleBody("incident-triage", {}))).toMatchObject({ ok: true });
    await ok("POST", at("/plans"), exampleBody("incident-triage", {}));
    const { path, agent_turn_id } = await started("incident-triage", { alert: "p99 is 4 s", runbook: box.box_id });
    const held = await until(path, (run) => heldIn(run) !== undefined);
    expect(heldIn(held)?.node_id).toBe("second-opinion");
    await ok("POST", `${path}:release`, { node: "second-opinion", user: "ann" });
    const over = await until(path, (run) => run.status !== "running");
    expect([over.status, nodesOf(over)]).toEqual([
      "success",
      { probes: "success", verdict: "success", "second-opinion": "success", "page-a-person": "skipped" },
    ]);
    expect((await ok("GET", at(`/turns/${agent_turn_id}`))).status).toBe("success");
  });

  test("without a verdict a person is paged, and nobody argues against it", async () => {
    const body = exampleBody("incident-triage", {}) as { nodes: { id: string; target?: { ref: string } }[] };
    for (const node of body.nodes) if (node.id === "verdict") node.target = { ref: "Failing" };
    const { result } = await ok("POST", at("/pmo/launch_plan:call"), { args: { body, inputs: { alert: "p99" } } });
    const over = await until(at(`/plan-runs/${result.plan_run_id}`), (run) => run.status !== "running");
    expect(nodesOf(over)).toEqual({
      probes: "success",
      verdict: "failed",
      "second-opinion": "skipped",
      "page-a-person": "success",
    });
  });

  test("a sourced brief: its loads in order, its author goes on, and its reader waits for a person", async () => {
    const box = await ok("POST", at("/boxes"), { cards: [{ type: "task.context", content: "All sources." }] });
    const card = await ok("POST", at("/boxes"), { cards: [{ type: "task.context", content: "Units are SI." }] });

    const handover = {
      context_packing_config: {
        pack_arguments: [{ arg_key: "instruction" }],
        inherit_context: { include_from_args: ["load"] },
      },
    };
    for (const order of ["arguments_first", "inherited_first"])
      await ok("POST", at("/recipes"), {
        name: "brief",
        handover: { context_packing_config: { ...handover.context_packing_config, order } },
      });
    const body = exampleBody("storage-brief", { BOX_OF_SOURCES: box.box_id, CARD_OF_UNITS: card.card_ids[0] });
    const check = await ok("POST", at("/plans:check"), { body, inputs: { question: "What does ten hours cost?" } });
    expect(check).toMatchObject({ ok: true });
    await ok("POST", at("/plans"), body);
    const { path } = await started("storage-brief", { question: "What does ten hours cost?" });
    const held = await until(path, (run) => heldIn(run) !== undefined);
    expect(nodesOf(held)).toEqual({
      frame: "success",
      wacc: "success",
      searches: "success",
      brief: "success",
      check: "held",
    });
    const turns = (
      await kernel.db.pool.query<{ agent_id: string; profile_name: string; texts: string[] }>(
        `SELECT t.agent_id, t.profile_name, ARRAY(SELECT c.content ->> 'text' FROM card_box_chunks k
         CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(card_id, ord)
         JOIN cards c ON c.tenant_id = k.tenant_id AND c.card_id = u.card_id
         WHERE k.tenant_id = $1 AND k.box_id = t.context_box_id ORDER BY k.n, u.ord) AS texts
       FROM state.agent_turns t JOIN state.plan_runs r ON r.project_id = t.project_id AND r.root_turn_id = t.root_turn_id
       WHERE t.project_id = $1 AND r.plan_run_id = $2 AND NOT t.is_human ORDER BY t.created_at`,
        [P, path.split("/").at(-1)],
      )
    ).rows;
    const planners = turns.filter(({ profile_name }) => profile_name === "Principal_Planner");
    expect(new Set(planners.map(({ agent_id }) => agent_id)).size).toBe(1);
    // The recipe's second version puts what is loaded before the task: the box, three searches, the expert's answer.
    const brief = (planners[1]?.texts ?? []).map((text) => text?.slice(0, 24));
    expect(brief.slice(0, 5)).toEqual([
      "All sources.",
      expect.stringMatching(/^Associate_Search on Iron/),
      expect.stringMatching(/^Associate_Search on Flow/),
      expect.stringMatching(/^Associate_Search on Heat/),
      expect.stringMatching(/^Storage_Expert on/),
    ]);
    const flow = turns.find(({ texts }) => texts.some((text) => text?.startsWith("Flow batteries")));
    const shared = (flow?.texts ?? []).filter((text) =>
      /^(All sources|Principal_Planner on|Units are)/.test(text ?? ""),
    );
    expect(shared.map((text) => text.slice(0, 9))).toEqual(["All sourc", "Principal", "Units are"]);
    await ok("POST", `${path}:release`, { node: "check", user: "ann" });
    const over = await until(path, (run) => run.status !== "running");
    expect(over.status).toBe("success");
  });
});
