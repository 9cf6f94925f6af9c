// A program stops turns or runs them again.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { foreignWorker, forkOf } from "@/server/testing/foreign-worker";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { launchTurn } from "@/server/testing/turns";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p2");
});
beforeEach(() => settle());
afterAll(() => kernel.close());

const { act, at, claimed, ok, own, post, refused, settle, started, step } = foreignWorker(() => kernel);

describe("stop and rerun", () => {
  test("a turn that is stopped answers its worker 409, and is shown as canceled", async () => {
    const boss = await started("Boss");
    const call = { step_id: await step(boss), client_call_id: "c", ...forkOf(["one"]) };
    const { tool_call_id } = await act(boss, "call", call);
    await act(boss, "suspend", { tool_call_ids: [tool_call_id] });
    const stopped = await ok("POST", at(`/turns/${boss.id}:stop`), { scope: "subtree", reason: "enough" });
    expect(stopped).toMatchObject({
      status: "canceled",
      error_code: "stopped",
      error: expect.stringContaining("enough"),
    });
    const { items } = await ok("GET", at("/turns?status=canceled"));
    expect(items).toHaveLength(2);
    expect(await ok("POST", at(`/turns/${boss.id}:stop`), {})).toMatchObject({ status: "canceled" });
    expect(await refused("POST", at("/turns/nope:stop"), { body: {} })).toMatchObject({ status: 404 });
    expect(await refused("POST", `/projects/p2/turns/${boss.id}:stop`, { body: {} })).toMatchObject({ status: 404 });
    expect(await refused("POST", at(`/turns/${boss.id}:stop`), { body: { scope: "all" } })).toMatchObject({
      status: 422,
    });
  });
  test("a rerun is given the same cards in the same places, by a fresh agent in a run of its own", async () => {
    const helper = await started("Helper");
    await act(helper, "deliver", { status: "failed", error: "no" });
    const old = await ok("GET", at(`/turns/${helper.id}`));
    const { status, json: turn } = await post(at(`/turns/${helper.id}:rerun`), {});
    expect(status).toBe(201);
    expect(turn).toMatchObject({
      status: "dispatched",
      profile_name: "Helper",
      profile_box_id: old.profile_box_id,
      depth: 1,
    });
    expect(turn.agent_id).not.toBe(helper.agent_id);
    expect(turn.root_turn_id).not.toBe(old.root_turn_id);
    const seen = async (box: string) =>
      (await ok("GET", at(`/boxes/${box}/cards`))).map((card: Record<string, unknown>) => [card.card_id, card.origin]);
    expect(turn.context_box_id).not.toBe(old.context_box_id);
    expect(await seen(turn.context_box_id)).toEqual(await seen(old.context_box_id));
    expect(turn.context_tokens).toBe(old.context_tokens);
    const root = await ok("GET", at(`/turns/${turn.root_turn_id}`));
    expect(root.deliverable.content.data).toMatchObject({ rerun_of: helper.id, agent_turn_id: turn.agent_turn_id });
    const again = await claimed();
    await act(again, "start", { worker_id: "py-1" });
    await act(again, "deliver", { status: "success", content: "yes" });
  });
  test("overrides: another instruction in the old one's place, another profile", async () => {
    const helper = await started("Helper");
    const overrides = { instruction: "do it better", profile_name: "Boss" };
    const turn = await ok("POST", at(`/turns/${helper.id}:rerun`), { overrides });
    expect(turn).toMatchObject({ profile_name: "Boss", title: "do it better" });
    const next = await ok("GET", at(`/turns/${turn.agent_turn_id}/messages?step=next`));
    expect(next.messages.map((message: { text: string }) => message.text)).toEqual(["do it better"]);
  });
  test("what an agent remembered comes first, so that the model is sent the same", async () => {
    const helper = await started("Helper");
    await act(helper, "deliver", { status: "success", content: "four" });
    const reused = { target: helper.agent_id, strategy: "reuse" as const, instruction: "and then?" };
    const { agent_turn_id } = await launchTurn(kernel, own.project, reused);
    const turn = await ok("POST", at(`/turns/${agent_turn_id}:rerun`), {});
    const messages = async (id: string) => (await ok("GET", at(`/turns/${id}/messages?step=next`))).messages;
    expect(await messages(turn.agent_turn_id)).toEqual(await messages(agent_turn_id));
    expect((await messages(agent_turn_id)).map((m: { text: string }) => m.text)).toEqual(["four", "and then?"]);
  });
  test("a rerun refuses a person's turn, unknown turns and profiles, and empty instructions", async () => {
    const helper = await started("Helper");
    const { root_turn_id } = await ok("GET", at(`/turns/${helper.id}`));
    const rerun = (id: string, body: object = {}) => refused("POST", at(`/turns/${id}:rerun`), { body });
    expect(await rerun(root_turn_id)).toMatchObject({ status: 400, error_message: expect.stringContaining("person") });
    expect(await rerun("nope")).toMatchObject({ status: 404 });
    expect(await rerun(helper.id, { overrides: { profile_name: "Nobody" } })).toMatchObject({ status: 404 });
    expect(await rerun(helper.id, { overrides: { instruction: " " } })).toMatchObject({ status: 422 });
    expect(await rerun(helper.id, { overrides: { colour: "red" } })).toMatchObject({ status: 422 });
    expect(await refused("POST", `/projects/p2/turns/${helper.id}:rerun`, { body: {} })).toMatchObject({ status: 404 });
  });
});
