// Every example of docs/plans.md is tried as it stands there: a page whose example is refused teaches nobody.
import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { routes } from "@/server/interop/rest/routes";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { plansOf } from "@/server/testing/plan-runs";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
const P = "plan_docs";
const { ok, send } = restOf(() => kernel);
const { endWagon } = plansOf(() => kernel, P);
const at = (path: string) => `/projects/${P}${path}`;
const text = fs.readFileSync("docs/plans.md", "utf8");
const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind = "", code = ""]) => ({ kind, code }));
const codeOf = (kind: string, holds: string): string => {
  const found = blocks.filter((block) => block.kind === kind && block.code.includes(holds));
  const [only] = found;
  if (found.length !== 1 || !only) throw new Error(`docs/plans.md has ${found.length} ${kind} examples with ${holds}`);
  return only.code;
};

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    ...["Log_Reader", "Metric_Reader"].map((name) => ({ name })),
    { name: "Incident_Lead", allowed_tools: ["launch_plan"] },
  ]);
});
afterAll(() => kernel.close());

test("each example is tried below", () => {
  expect(blocks.map(({ kind }) => kind)).toEqual(["yaml", "json", "yaml"]);
});

test("the plan is published as text, launched, edited by the documented body, and runs to its end", async () => {
  const raw = codeOf("yaml", "first-look");
  const checked = await send("POST", at("/plans:check"), { raw, type: "text/yaml" });
  expect(checked.json).toMatchObject({ ok: true });
  expect(await send("POST", at("/plans"), { raw, type: "text/yaml" })).toMatchObject({ status: 201 });
  const args = { plan: "first-look", inputs: { question: "Why is it slow?" } };
  const { result, agent_turn_id } = await ok("POST", at("/pmo/launch_plan:call"), { args });
  const path = at(`/plan-runs/${result.plan_run_id}`);
  const edited = await ok("POST", `${path}:edit`, JSON.parse(codeOf("json", "body_rev")));
  expect([edited.body_rev, edited.body.nodes[1].instruction]).toEqual([2, "Name two causes."]);
  await endWagon(result.plan_run_id, "search", "success", { task: 0 });
  await endWagon(result.plan_run_id, "search", "failed", { task: 1 });
  // Tried again by itself: metrics has no attempts left, logs would have had one.
  const held = await ok("GET", path);
  expect(held.nodes).toMatchObject([
    { node_id: "search", status: "partial" },
    { node_id: "verdict", status: "held" },
  ]);
  await ok("POST", `${path}:release`, { node: "verdict", user: "ann" });
  await endWagon(result.plan_run_id, "verdict");
  expect(await ok("GET", path)).toMatchObject({ status: "success" });
  expect((await ok("GET", at(`/turns/${agent_turn_id}`))).status).toBe("success");
});

test("the fragment that lets agents launch it belongs to the plan", async () => {
  const plan = { ...parse(codeOf("yaml", "first-look")), ...parse(codeOf("yaml", "run_by")), name: "by agents" };
  const { plan: made, version } = await ok("POST", at("/plans"), plan);
  expect([made.head_version, version.body.run_by]).toEqual([1, { profiles: ["Incident_Lead"] }]);
});

test("each route that the page names is served, by its method", () => {
  const served = routes.map(({ method, path }) => ({
    method,
    shape: path.replace("/projects/{project_id}", "").replace(/\{\w+\}/g, "*"),
  }));
  const named = [...text.matchAll(/`(GET|POST) (?:\/projects\/\{p\})?(\/[^\s`]+)/g)].map(([, method, path = ""]) => ({
    method,
    shape: path.replace(/\{\w+\}/g, "*").replace(/\/pmo\/\w+:call/, "/pmo/*:call"),
  }));
  expect(named.length).toBeGreaterThan(5);
  for (const one of named) expect(served).toContainEqual(one);
  const verbs = [...text.matchAll(/`:(\w+) ?[{`]/g)].map(([, verb]) => `/plan-runs/*:${verb}`);
  expect(verbs.length).toBeGreaterThan(4);
  for (const shape of verbs) expect(served.map((route) => route.shape)).toContain(shape);
});
