// Plans over REST that are refused, by the field that is wrong and without repeating what was sent; and drafts, which are a person's own.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, wagon } from "@/server/testing/plan-runs";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
const P = "plans_refused";
const { ok, refused, send } = restOf(() => kernel);
const at = (path: string) => `/projects/${P}${path}`;
const launchPath = at("/pmo/launch_plan:call");

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
  await ok("POST", at("/plans"), planBody([wagon("a")], { name: "Brief" }));
});
afterAll(() => kernel.close());

test.each<[string, string, string, object, number, RegExp]>([
  ["a name with a NUL", "PATCH", "/plans/Brief", { name: "a\u0000b" }, 400, /^body\.name contains a NUL byte/],
  ["a name with half a pair", "PATCH", "/plans/Brief", { name: "x\ud800" }, 400, /^body\.name contains/],
  ["a description", "PATCH", "/plans/Brief", { description: "\u0000" }, 400, /^body\.description contains/],
  ["a plan's name in a check", "POST", "/plans:check", { plan: "a\u0000" }, 400, /^body\.plan contains/],
  [
    "an input in a check",
    "POST",
    "/plans:check",
    { body: planBody([wagon("a")], { inputs: [{ name: "q", kind: "text" }] }), inputs: { q: "a\u0000b" } },
    400,
    /^body\.inputs\.q contains/,
  ],
  [
    "a message",
    "POST",
    "/plans/Brief/versions",
    { body: planBody([wagon("a")]), base_version: 1, message: "\u0000" },
    400,
    /^body\.message contains/,
  ],
  [
    "the plan of a draft",
    "POST",
    "/plan-drafts",
    { body: planBody([wagon("a")]), user: "ann", plan: "a\u0000" },
    400,
    /^body\.plan contains/,
  ],
  ["a name in the address", "GET", "/plans/a%00b", {}, 404, /not found/],
  ["a reason", "POST", "/plan-runs/prun_x:skip", { node: "a", reason: "\ud800" }, 422, /^body\.reason: contains/],
])("%s that cannot be stored is refused by its field", async (_what, method, path, body, status, message) => {
  const failed = await refused(method, at(path), method === "GET" ? {} : { body });
  expect([failed.status, failed.error_message]).toEqual([status, expect.stringMatching(message)]);
});

test("a body in a project that is not there is not found, whatever it names", async () => {
  const args = { body: planBody([wagon("a")]) };
  const failed = await refused("POST", "/projects/nowhere/pmo/launch_plan:call", { body: { args } });
  expect([failed.status, failed.error_code]).toEqual([404, "not_found"]);
});

test.each(["box", "card"] as const)("a text that is no id of a %s is refused, and not repeated", async (kind) => {
  const body = planBody([wagon("a", { load: [{ input: "q" }] })], { inputs: [{ name: "q", kind }] });
  const inputs = { q: "z".repeat(100_000) };
  const failed = await refused("POST", launchPath, { body: { args: { body, inputs } } });
  expect(failed).toMatchObject({
    status: 400,
    error_code: "invalid_plan",
    error_message: `Input q is no id of a ${kind}. An id has 1 to 128 characters of A-Z a-z 0-9 _ -.`,
  });
  expect(JSON.stringify(failed).length).toBeLessThan(1_000);
  const preset = { ...body, inputs: [{ name: "q", kind, default: inputs.q }] };
  expect(JSON.stringify(await ok("POST", at("/plans:check"), { body: preset, inputs: {} }))).not.toContain("zzz");
  const key = "k".repeat(100_000);
  const proto = JSON.parse(`{"${key}":{"__proto__":1}}`);
  for (const args of [{ arguments: { [key]: "\u0000" } }, { arguments: proto }, { [key]: 1 }]) {
    const long = await refused("POST", at("/plans:check"), { body: planBody([wagon("a", args)]) });
    expect(JSON.stringify(long).length).toBeLessThan(1_000);
  }
});

test("a key that zod passes over is refused with its name, and nothing is published", async () => {
  const node = '{"id":"a","target":{"ref":"Plain"},"instruction":"x","arguments":{"__proto__":{"a":1}}}';
  const raw = `{"switchyard":"plan/1","name":"Proto","nodes":[${node}]}`;
  for (const path of ["/plans", "/plans:check"])
    expect(await refused("POST", at(path), { raw })).toMatchObject({
      status: 400,
      error_message: "body.nodes.0.arguments.__proto__: the name is not allowed; choose another",
    });
  const args = `{"args":{"body":${raw}}}`;
  expect(await refused("POST", launchPath, { raw: args })).toMatchObject({ status: 400 });
});

test("an empty field for a box or card is one that was not given, in the check and in the launch", async () => {
  const nodes = [wagon("a", { load: [{ input: "q" }, { input: "c" }] })];
  const optional = [
    { name: "q", kind: "box", required: false },
    { name: "c", kind: "card", required: false, default: "" },
  ];
  const body = planBody(nodes, { inputs: optional });
  expect(await ok("POST", at("/plans:check"), { body, inputs: { q: "" } })).toMatchObject({ ok: true });
  const { result } = await ok("POST", launchPath, { args: { body, inputs: { q: "" } } });
  expect((await ok("GET", at(`/plan-runs/${result.plan_run_id}`))).nodes).toMatchObject([{ status: "running" }]);
  const required = planBody(nodes, { inputs: optional.map(({ name, kind }) => ({ name, kind, default: "" })) });
  const failed = await refused("POST", launchPath, { body: { args: { body: required } } });
  expect(failed.error_message).toBe("Input q is not filled in. (and 1 more)");
});

test("a draft stays with its writer when its plan is deleted, as one of no published plan", async () => {
  const body = planBody([wagon("a")], { name: "Given up" });
  await ok("POST", at("/plans"), body);
  const draft = await ok("POST", at("/plan-drafts"), { body, user: "ann", plan: "Given up", base_version: 1 });
  expect(draft.plan_id).toEqual(expect.any(String));
  expect((await send("DELETE", at("/plans/Given%20up"))).status).toBe(204);
  const { plan_id: _gone, ...kept } = draft;
  expect(await ok("GET", at(`/plan-drafts/${draft.draft_id}?user=ann`))).toEqual(kept);
  expect((await send("DELETE", at(`/plan-drafts/${draft.draft_id}?user=ann`))).status).toBe(204);
});

describe("a plan of 3 MiB and 30,000 values is taken wherever a plan is", () => {
  const numbers = Array.from({ length: 28_000 }, (_, i) => i);
  const large = (name: string) =>
    planBody(
      [
        wagon("a", { instruction: "x".repeat(1_000_000), arguments: { numbers } }),
        ...["b", "c"].map((id) => wagon(id, { instruction: "y".repeat(1_000_000) })),
      ],
      { name },
    );
  const tooMany = planBody([wagon("a", { arguments: { numbers: Array.from({ length: 60_000 }, () => 1) } })]);
  const graph = { detail: "graph" };

  test.each<[string, string, (body: object) => object]>([
    ["a check", "/plans:check", (body) => ({ body, ...graph })],
    ["a new plan", "/plans?accept_problems=true", (body) => ({ ...body, name: "Large" })],
    ["a next version", "/plans/Brief/versions", (body) => ({ body, base_version: 1, accept_problems: true })],
    ["a draft", "/plan-drafts", (body) => ({ body, user: "ann" })],
  ])("%s", async (_what, path, bodyOf) => {
    await ok("POST", at(path), bodyOf(large("Brief")));
    expect(await refused("POST", at(path), { body: bodyOf(tooMany) })).toMatchObject({
      status: 413,
      error_message: expect.stringContaining("more than 50000 values"),
    });
  });

  test("a launch", async () => {
    const launched = await refused("POST", launchPath, { body: { args: { body: large("Brief") } } });
    // It is read, and refused for what is in it.
    expect(launched).toMatchObject({ status: 400, error_code: "invalid_plan" });
  });

  test("as YAML, whose faults speak of a plan", async () => {
    const lines = large("As YAML").nodes.map((node) => `  - ${JSON.stringify(node)}`);
    const raw = ["switchyard: plan/1", "name: As YAML", "nodes:", ...lines].join("\n");
    expect((await send("POST", at("/plans:check"), { raw, type: "text/yaml" })).status).toBe(200);
    expect(await refused("POST", at("/plans"), { raw: "- a", type: "text/yaml" })).toMatchObject({
      error_message: 'the YAML is not a mapping; write a plan as "key: value" lines',
    });
    expect(await refused("POST", at("/profiles"), { raw: "- a", type: "text/yaml" })).toMatchObject({
      error_message: 'the YAML is not a mapping; write a profile or tool as "key: value" lines',
    });
  });
});

test("a person keeps 200 drafts in a project: all are listed, without their bodies, and the next is refused, also two at once", async () => {
  const body = planBody([wagon("a", { instruction: "y".repeat(1_000) })], { name: "Kept" });
  const keep = () => send("POST", at("/plan-drafts"), { body: { body, user: "hog" } });
  for (let i = 0; i < 199; i++) expect((await keep()).status).toBe(201);
  const last = await Promise.all([keep(), keep()]);
  expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(await refused("POST", at("/plan-drafts"), { body: { body, user: "hog" } })).toMatchObject({
    status: 409,
    error_message: "user: hog keeps 200 drafts in this project, at most 200; delete one that is done with",
  });
  const { items } = await ok("GET", at("/plan-drafts?user=hog"));
  expect(items).toHaveLength(200);
  expect(items[0]).toMatchObject({ name: "Kept", user: "hog", rev: 1 });
  expect(JSON.stringify(items)).not.toContain("yyy");
  const [{ draft_id }] = items;
  expect((await ok("GET", at(`/plan-drafts/${draft_id}?user=hog`))).body.nodes).toHaveLength(1);
  expect((await send("DELETE", at(`/plan-drafts/${draft_id}?user=hog`))).status).toBe(204);
  expect((await keep()).status).toBe(201);
  expect((await ok("POST", at("/plan-drafts"), { body, user: "bob" })).user).toBe("bob");
});
