// Requests with an Idempotency-Key that were refused for what the project lacked: a repeat looks again. What the check had found
// was kept with the key for a day, and what was missing could be added as often as one liked.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
const P = "plan_keys";
const { ok, post } = restOf(() => kernel);
const at = (path: string) => `/projects/${P}${path}`;
const profile = (name: string) =>
  ok("POST", at("/profiles"), { name, llm_config: { provider: "script", script: [{ deliver: "x" }] } });
const { launchPlan, endWagon } = plansOf(() => kernel, P);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

test.each<[string, string, (body: object) => object, number]>([
  ["published", "/plans", (body) => body, 201],
  ["launched", "/pmo/launch_plan:call", (body) => ({ args: { body } }), 200],
])(
  "a plan without its profile is %s by the same request once the profile is there",
  async (name, path, sent, status) => {
    const body = sent(planBody([wagon("a", { target: { ref: `Late ${name}` } })], { name }));
    const send = () => post(at(path), body, { "idempotency-key": `late-${name}` });
    const first = await send();
    expect([first.status, first.json.detail.error_code]).toEqual([400, "invalid_plan"]);
    await profile(`Late ${name}`);
    const second = await send();
    expect(second.status).toBe(status);
    expect(await send()).toEqual(second);
  },
);

test("a refused key is free for a request that was mended", async () => {
  const send = (ref: string) =>
    post(at("/plans"), planBody([wagon("a", { target: { ref } })], { name: "Mended" }), {
      "idempotency-key": "mended",
    });
  expect((await send("Nobody")).status).toBe(400);
  expect((await send("Plain")).status).toBe(201);
});

test("a fork of a run is made by the same request once its profile is there", async () => {
  const { plan_run_id } = await launchPlan(planBody([wagon("a"), wagon("b", { load: [{ from: "a" }] })]));
  await endWagon(plan_run_id, "a");
  await endWagon(plan_run_id, "b");
  const ops = [{ op: "set", node: "b", path: "/target/ref", value: "Late fork" }];
  const send = () => post(at(`/plan-runs/${plan_run_id}:fork`), { ops }, { "idempotency-key": "late-fork" });
  expect((await send()).status).toBe(400);
  await profile("Late fork");
  const made = await send();
  expect(made.status).toBe(200);
  expect(await send()).toEqual(made);
});
