// A parent that forks, from claim to delivery, over REST alone; and how a worker gets its work.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readHealth } from "@/server/kernel/read-models/read-health";
import { foreignWorker, forkOf, type Held } from "@/server/testing/foreign-worker";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { inNoTime, launchTurn, startTestWorker, untilTurn } from "@/server/testing/turns";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p2");
});
beforeEach(() => settle());
afterAll(() => kernel.close());

const { act, at, claim, get, ok, own, path, post, refused, settle, started, step } = foreignWorker(() => kernel);

describe("from start to end", () => {
  test("a parent forks, sleeps, goes on under a new epoch and delivers", async () => {
    await launchTurn(kernel, own.project, { target: "Boss", instruction: "do it in two" });
    const [item] = await claim();
    expect(item).toMatchObject({
      inbox: { message_type: "turn", attempt: 1, turn_epoch: 1 },
      turn: { status: "dispatched", profile_name: "Boss", title: "do it in two" },
      epoch: 1,
      boxes: { context_box_id: item.turn.context_box_id, output_box_id: item.turn.output_box_id },
    });
    const boss: Held = { id: item.turn.agent_turn_id, epoch: 1, agent_id: item.turn.agent_id, inbox_id: "" };
    expect(await act(boss, "start", { worker_id: "py-1" })).toMatchObject({ epoch: 1, turn: { status: "running" } });
    const step_id = await step(boss);
    const called = await act(boss, "call", { step_id, client_call_id: "c1", ...forkOf(["one", "two"]) });
    expect(called).toMatchObject({ mode: "suspend", batch_id: expect.stringMatching(/^batch_/) });
    // Sent twice because the answer was lost: the same call, and no second fork.
    expect(await act(boss, "call", { step_id, client_call_id: "c1", ...forkOf(["one", "two"]) })).toEqual(called);
    expect((await ok("GET", at("/batches"))).items).toHaveLength(1);
    await act(boss, "step", { phase: "completed", step_id, usage: { input_tokens: 7, output_tokens: 3 }, cost: 0.25 });
    const slept = await act(boss, "suspend", { tool_call_ids: [called.tool_call_id] });
    expect(slept).toMatchObject({ status: "suspended", results: [], waiting: [called.tool_call_id] });

    for (const item of await claim({ limit: 16 })) {
      const branch = { id: item.turn.agent_turn_id, epoch: item.epoch, agent_id: "", inbox_id: "" };
      await act(branch, "start", { worker_id: "py-1" });
      expect(await claim()).toEqual([]);
      await act(branch, "deliver", { status: "success", content: `did ${item.turn.title}` });
    }
    const [result] = await claim();
    expect(result).toMatchObject({
      inbox: { message_type: "tool_result", correlation_id: called.tool_call_id },
      epoch: 1,
    });
    const resume = { epoch: 1, inbox_id: result.inbox.inbox_id };
    const resumed = await ok("POST", path(boss, "resume"), resume);
    expect(resumed).toMatchObject({
      epoch: 2,
      status: "running",
      waiting: [],
      results: [
        {
          tool_call_id: called.tool_call_id,
          card: {
            type: "tool.result",
            content: {
              status: "success",
              result: { status: "success", results: [{ summary: "did one" }, { summary: "did two" }] },
            },
          },
        },
      ],
    });
    // The answer was lost after the row was applied: the same worker gets its new epoch again.
    expect(await ok("POST", path(boss, "resume"), resume)).toMatchObject({ epoch: 2, status: "running" });
    expect(
      (await refused("POST", path(boss, "deliver"), { body: { epoch: 1, status: "success", content: "x" } })).detail,
    ).toEqual({ current_epoch: 2 });
    const next = await ok("GET", at(`/turns/${boss.id}/messages?step=next`));
    expect(next.messages.at(-1)).toMatchObject({ role: "tool", tool_call_id: called.tool_call_id });
    await act({ ...boss, epoch: 2 }, "heartbeat", { worker_id: "py-1", note: "adding up" });
    const delivered = await act({ ...boss, epoch: 2 }, "deliver", {
      status: "success",
      content: { kind: "json", data: { fields: [{ name: "sum", value: "2" }] } },
    });
    expect(await ok("GET", at(`/turns/${boss.id}`))).toMatchObject({
      status: "success",
      deliverable_card_id: delivered.deliverable_card_id,
      deliverable: { content: { data: { fields: [{ name: "sum", value: "2" }] } } },
      tokens_in: 7,
      tokens_out: 3,
      cost: 0.25,
      steps: [{ status: "completed", tool_call_ids: [called.tool_call_id] }],
    });
  });
  test("an external tool that answers before the turn sleeps: it does not sleep", async () => {
    const boss = await started("Boss");
    const step_id = await step(boss);
    const call = { step_id, client_call_id: "s", tool_name: "web_search", arguments: { q: "x" } };
    const { tool_call_id, mode, deadline } = await act(boss, "call", call);
    expect([mode, typeof deadline]).toEqual(["suspend", "string"]);
    const report = at(`/tool-calls/${tool_call_id}:report`);
    expect(await ok("POST", report, { status: "running" })).toEqual({ status: "running" });
    const reported = await ok("POST", report, { status: "success", result: { found: 3 } });
    expect(reported).toMatchObject({ status: "received", card_id: expect.any(String) });
    expect(await ok("POST", report, { status: "failed" })).toMatchObject({ status: "late" });
    expect(await act(boss, "suspend", { tool_call_ids: [tool_call_id] })).toMatchObject({
      status: "running",
      results: [{ tool_call_id, card: { card_id: reported.card_id, content: { result: { found: 3 } } } }],
    });
    await act(boss, "deliver", { status: "success", content: "3" });
  });
  test("a result that was read by going to sleep wakes nobody, although its row was claimed by the same worker", async () => {
    const boss = await started("Boss");
    const call = { step_id: await step(boss), client_call_id: "s", tool_name: "web_search", arguments: {} };
    const { tool_call_id } = await act(boss, "call", call);
    await ok("POST", at(`/tool-calls/${tool_call_id}:report`), { status: "success", result: 1 });
    const [row] = await claim();
    expect(row.inbox).toMatchObject({ message_type: "tool_result", correlation_id: tool_call_id });
    expect(await act(boss, "suspend", { tool_call_ids: [tool_call_id] })).toMatchObject({ status: "running" });
    expect(await act(boss, "resume", { inbox_id: row.inbox.inbox_id })).toMatchObject({ epoch: 1, status: "ignored" });
    await act(boss, "deliver", { status: "success", content: "1" });
  });
  test("inline tools answer at once; what a profile may not call is refused as a result", async () => {
    const helper = await started("Helper");
    const step_id = await step(helper);
    const think = { step_id, client_call_id: "t", tool_name: "think", arguments: { thought: "hm" } };
    const thought = await act(helper, "call", think);
    expect(thought).toMatchObject({ mode: "inline", status: "success", result: { status: "noted" } });
    expect(await act(helper, "call", think)).toEqual(thought);
    for (const [tool_name, code] of [
      ["web_search", "auth_failed"],
      ["fork_join", "auth_failed"],
      ["no_such_tool", "not_found"],
    ])
      expect(await act(helper, "call", { step_id, client_call_id: tool_name, tool_name, arguments: {} })).toMatchObject(
        { mode: "inline", status: "failed", result: { error_code: code } },
      );
  });
  test("step=next is what the built-in worker sends at the same place", async () => {
    const { agent_turn_id } = await launchTurn(kernel, own.project, { target: "Scripted", instruction: "say it" });
    const next = await ok("GET", at(`/turns/${agent_turn_id}/messages?step=next`));
    const worker = await startTestWorker(kernel, { targets: ["worker_generic"], models: { script: inNoTime } });
    await untilTurn(kernel, own.project, agent_turn_id);
    await worker.stop();
    const sent = await ok("GET", at(`/turns/${agent_turn_id}/messages?step=1`));
    const { system, messages, tools } = JSON.parse(sent.request_text);
    expect({ system: next.system, messages: next.messages, tools: next.tools }).toEqual({ system, messages, tools });
    expect(next.tokens).toBe(sent.request_tokens);
    const held = sent.cards.map((card: { card_id: string }) => card.card_id);
    expect(next.card_ids).toEqual(held.slice(2));
    expect(await refused("GET", at(`/turns/${agent_turn_id}/messages?step=next`))).toMatchObject({ status: 409 });
  });
  test("a step keeps the request as the worker sent it, or as it was told to", async () => {
    const helper = await started("Helper");
    const { step_id, request_box_id } = await act(helper, "step", { phase: "started" });
    expect(request_box_id).toMatch(/\w+/);
    const first = await ok("GET", at(`/turns/${helper.id}/messages?step=1`));
    const next = await ok("GET", at(`/turns/${helper.id}/messages?step=next`));
    const { system, messages, tools } = next;
    expect(first).toMatchObject({ step_id, request_box_id, request_text: JSON.stringify({ system, messages, tools }) });
    await act(helper, "step", { phase: "failed", step_id, error: "the model hung up" });
    const text = '{"b":1,"a":2}';
    await act(helper, "step", { phase: "started", request: { system: "Mine.", card_ids: [], text } });
    const second = await ok("GET", at(`/turns/${helper.id}/messages?step=2`));
    expect(second.request_text).toBe(text);
    expect(second.cards.map((card: { type: string }) => card.type)).toEqual(["sys.rendered_prompt", "sys.tools"]);
    expect((await ok("GET", at(`/turns/${helper.id}`))).steps[0]).toMatchObject({
      status: "failed",
      error: "the model hung up",
    });
  });
});

describe("claims", () => {
  test("a long poll is answered when it is rung for, and not before there is something", async () => {
    const before = Date.now();
    expect(await claim({ wait_ms: 300 })).toEqual([]);
    expect(Date.now() - before).toBeGreaterThanOrEqual(290);
    kernel.tunables = { ...kernel.tunables, pollMs: 60_000 };
    try {
      const waiting = claim({ wait_ms: 20_000 });
      await new Promise((done) => setTimeout(done, 100));
      const { agent_turn_id } = await launchTurn(kernel, own.project, { target: "Helper" });
      expect(await waiting).toMatchObject([{ turn: { agent_turn_id } }]);
      // Without the ring it is found by the look at the end of the wait.
      expect(Date.now() - before).toBeLessThan(15_000);
    } finally {
      kernel.tunables = { ...kernel.tunables, pollMs: 1_000 };
    }
  });
  test("a row is one worker's; another project's is nobody's here", async () => {
    await launchTurn(kernel, own.project, { target: "Helper" });
    const other = await post("/projects/p2/workers:claim", { worker_target: own.target, worker_id: "py-2" });
    expect(other.json).toEqual({ items: [] });
    const both = await Promise.all([claim(), claim({ worker_id: "py-2" })]);
    expect(both.flat()).toHaveLength(1);
  });
  test("whoever claims counts as a worker of that target, in that project", async () => {
    await launchTurn(kernel, own.project, { target: "Helper" });
    await kernel.test.pool.query(
      "UPDATE state.due SET next_retry_at = now() - interval '1 minute' WHERE project_id = $1",
      [own.project],
    );
    expect((await readHealth(kernel, "0")).starved_targets).toContain(own.target);
    await post("/projects/p2/workers:claim", { worker_target: own.target, worker_id: "py-1" });
    expect((await readHealth(kernel, "0")).starved_targets).toContain(own.target);
    await claim({ version: "3.11" });
    const health = await readHealth(kernel, "0");
    expect(health.starved_targets).not.toContain(own.target);
    expect(health.workers).toContainEqual(
      expect.objectContaining({ worker_id: "py-1", project_id: own.project, targets: [own.target], version: "3.11" }),
    );
  });
  test.each([
    ["no target", { worker_id: "w" }, 422],
    ["no worker", { worker_target: "t" }, 422],
    ["an unknown key", { worker_target: "t", worker_id: "w", colour: "red" }, 422],
    ["a name that is none", { worker_target: "t", worker_id: "a b" }, 422],
    ["too long a wait", { worker_target: "t", worker_id: "w", wait_ms: 30_001 }, 400],
    ["too many", { worker_target: "t", worker_id: "w", limit: 65 }, 400],
    ["none", { worker_target: "t", worker_id: "w", limit: 0 }, 422],
  ])("%s is refused", async (_what, body, status) => {
    expect((await refused("POST", at("/workers:claim"), { body })).status).toBe(status);
  });
  test("an unknown project is 404", async () => {
    const body = { worker_target: "t", worker_id: "w" };
    expect(await refused("POST", "/projects/nope/workers:claim", { body })).toMatchObject({ status: 404 });
  });
});

test("a person forks and asks over REST: the answer names the batch", async () => {
  const { arguments: args } = forkOf(["one", "two"]);
  const { result, agent_turn_id } = await ok("POST", at("/pmo/fork_join:call"), { args });
  expect(result).toMatchObject({ status: "suspended", batch_id: expect.any(String), task_count: 2 });
  expect((await ok("GET", at(`/turns?batch_id=${result.batch_id}`))).items).toHaveLength(2);
  expect(await ok("GET", at(`/turns/${agent_turn_id}`))).toMatchObject({ status: "suspended", is_human: true });
  const asked = await ok("POST", at("/pmo/ask_expert:call"), { args: { expert_profile: "Helper", question: "why?" } });
  expect(asked.result).toMatchObject({ status: "suspended", batch_id: expect.any(String) });
  expect((await get(at("/openapi.json").replace(at(""), ""))).json.paths).toHaveProperty([
    "/projects/{project_id}/workers:claim",
  ]);
});
