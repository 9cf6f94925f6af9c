// Results of a worker in another language: checked like a submit_result of the built-in worker; they end the turn or are
// refused, nothing in between.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { foreignWorker, type Held } from "@/server/testing/foreign-worker";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";

let kernel: TestKernel;
const { settle, own, at, path, act, ok, refused, started, step } = foreignWorker(() => kernel);
beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());
beforeEach(async () => {
  await settle();
  await ok("POST", at("/profiles"), {
    name: "Judge",
    worker_target: own.target,
    allowed_internal_tools: ["submit_result"],
    result_fields: [
      { name: "verdict", description: "guilty or not" },
      { name: "reason", description: "why" },
    ],
  });
});

let calls = 0;
const call = (turn: Held, step_id: string, tool_name: string, args: object, client_call_id = `c${++calls}`) => ({
  epoch: turn.epoch,
  step_id,
  tool_name,
  arguments: args,
  client_call_id,
});
const turnOf = (turn: Held) => ok("GET", at(`/turns/${turn.id}`));
const deliverable = async (turn: Held) =>
  (await ok("GET", at(`/cards/${(await turnOf(turn)).deliverable_card_id}`))).content;
const fields = (given: Record<string, string>) => ({
  fields: Object.entries(given).map(([name, value]) => ({ name, value })),
});

describe("a call", () => {
  test("of a missing step, or another turn's, is refused and writes nothing", async () => {
    const turn = await started("Boss");
    const other = await started("Boss");
    for (const step_id of ["nowhere", await step(other)]) {
      const refusal = await refused("POST", path(turn, "call"), { body: call(turn, step_id, "web_search", {}) });
      expect(refusal).toMatchObject({ status: 404, error_message: expect.stringContaining("step_id") });
    }
    const late = { ...turn, epoch: turn.epoch + 1 };
    expect(await refused("POST", path(turn, "call"), { body: call(late, "nowhere", "web_search", {}) })).toMatchObject({
      error_code: "fenced",
    });
  });
});

describe("submit_result over :call", () => {
  test("ends the turn with what was submitted, and its step with it", async () => {
    const turn = await started("Judge");
    const step_id = await step(turn);
    const result = fields({ reason: "the butler", " verdict ": "guilty" });
    const answer = await act(turn, "call", call(turn, step_id, "submit_result", { result }));
    expect(answer).toMatchObject({ mode: "inline", status: "success", result: { status: "accepted" } });
    expect(await turnOf(turn)).toMatchObject({ status: "success", deliverable_card_id: answer.deliverable_card_id });
    expect((await deliverable(turn)).data).toEqual(fields({ verdict: "guilty", reason: "the butler" }));
    const { items } = await ok("GET", at(`/state/steps?agent_turn_id=${turn.id}`));
    expect(items).toMatchObject([{ step_id, status: "completed" }]);
    const again = await refused("POST", path(turn, "deliver"), {
      body: { epoch: turn.epoch, content: "more", status: "success" },
    });
    expect(again).toMatchObject({ error_code: "fenced" });
  });
  test.each([
    ["nothing", {}, "requires result"],
    ["a field too few", { result: { fields: [{ name: "verdict", value: "guilty" }] } }, "missing ['reason']"],
  ])("with %s is a failed result, and the turn goes on", async (_what, args, message) => {
    const turn = await started("Judge");
    const answer = await act(turn, "call", call(turn, await step(turn), "submit_result", args));
    expect(answer).toMatchObject({ status: "failed", result: { error: expect.stringContaining(message) } });
    expect(await turnOf(turn)).toMatchObject({ status: "running" });
  });
  test("with nothing is refused where no field is required, too", async () => {
    const turn = await started("Boss");
    const answer = await act(turn, "call", call(turn, await step(turn), "submit_result", {}));
    expect(answer).toMatchObject({ status: "failed", result: { error: expect.stringContaining("requires result") } });
  });
});

describe("a delivery", () => {
  test("that lacks required fields is refused with their names, and ends nothing", async () => {
    const turn = await started("Judge");
    const contents = ["done", { kind: "json", data: fields({ verdict: "guilty" }) }, { kind: "json", data: 7 }];
    for (const content of contents) {
      const body = { epoch: turn.epoch, content, status: "success" };
      const refusal = await refused("POST", path(turn, "deliver"), { body });
      expect(refusal).toMatchObject({
        status: 400,
        error_message: expect.stringMatching(/content.*missing \[.*'reason'/),
      });
    }
    expect(await turnOf(turn)).toMatchObject({ status: "running" });
    const data = { ...fields({ verdict: "guilty", reason: "seen" }), confidence: 0.9 };
    await act(turn, "deliver", { content: { kind: "json", data }, status: "success" });
    expect((await deliverable(turn)).data).toEqual(data);
  });
  test("that did not succeed needs no fields", async () => {
    const turn = await started("Judge");
    await act(turn, "deliver", { status: "failed", error: "no evidence" });
    expect(await turnOf(turn)).toMatchObject({ status: "failed", error: "no evidence" });
  });
  test("of a success with an error is a failure, and so is a report", async () => {
    const turn = await started("Boss");
    const { tool_call_id } = await act(turn, "call", call(turn, await step(turn), "slow", {}));
    await ok("POST", at(`/tool-calls/${tool_call_id}:report`), {
      status: "success",
      result: "half",
      error: { code: "disk", message: "the disk is full" },
    });
    const { results } = await act(turn, "suspend", { tool_call_ids: [tool_call_id] });
    expect(results).toMatchObject([
      { card: { content: { status: "failed", result: "half", error: { code: "disk" } } } },
    ]);
    await act(turn, "deliver", { content: "half", status: "success", error: "the disk is full" });
    expect(await turnOf(turn)).toMatchObject({ status: "failed", error: "the disk is full" });
    expect(await deliverable(turn)).toMatchObject({ text: "half" });
  });
});

test("steps with started_after later than started_before, and an unknown owner, are refused", async () => {
  const when = (day: number) => `2026-01-0${day}T00:00:00Z`;
  const query = `/state/steps?started_after=${when(2)}&started_before=${when(1)}`;
  expect(await refused("GET", at(query))).toMatchObject({
    status: 400,
    error_message: expect.stringContaining("started_after"),
  });
  await ok("GET", at(`/state/steps?started_after=${when(1)}&started_before=${when(1)}`));
  await seedProject(kernel, `${own.project}-2`, [{ name: "Boss" }]);
  const args = { action: "create", agent_id: "helper_1", profile_name: "Helper", owner_agent_id: "nobody" };
  const owner = { status: 404, error_message: expect.stringContaining("owner_agent_id") };
  expect(await refused("POST", at("/pmo/provision_agent:call"), { body: { args } })).toMatchObject(owner);
});
