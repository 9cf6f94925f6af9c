// What a worker over REST is refused, verb by verb. A refusal leaves nothing behind.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { foreignWorker, forkOf, type Held } from "@/server/testing/foreign-worker";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { framesOf, launchTurn } from "@/server/testing/turns";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p2");
});
beforeEach(() => settle());
afterAll(() => kernel.close());

const { act, at, claim, claimed, ok, own, path, post, refused, settle, started, step } = foreignWorker(() => kernel);

// Valid input of each verb; `epoch` is added.
const bodies: Record<string, (turn: Held) => object> = {
  start: () => ({ worker_id: "py-1" }),
  heartbeat: () => ({ worker_id: "py-1" }),
  append: () => ({ cards: [{ type: "agent.thought", content: "hm" }] }),
  step: () => ({ phase: "started" }),
  call: () => ({ step_id: "s", tool_name: "think", arguments: { thought: "x" }, client_call_id: "c" }),
  suspend: () => ({ tool_call_ids: ["tc_1"] }),
  resume: (turn) => ({ inbox_id: turn.inbox_id }),
  deliver: () => ({ status: "success", content: "done" }),
};

describe.each(Object.entries(bodies))("%s", (verb, bodyOf) => {
  test("a stale epoch is 409 fenced with the current one, and writes nothing but a word of it", async () => {
    const turn = await started("Helper");
    const body = { epoch: turn.epoch - 1, ...bodyOf(turn) };
    expect(await refused("POST", path(turn, verb), { body })).toMatchObject({
      status: 409,
      error_code: "fenced",
      detail: { current_epoch: turn.epoch },
    });
    const late = (await framesOf(kernel, own.project, "rejected_late")).filter(
      (frame) => frame.agent_turn_id === turn.id,
    );
    // A resume is refused because of its row, before anything else.
    expect(late).toHaveLength(verb === "resume" ? 0 : 1);
  });
  test("an unknown turn, and one of another project, are 404", async () => {
    const turn = await started("Helper");
    const body = { epoch: turn.epoch, ...bodyOf(turn) };
    expect(await refused("POST", at(`/turns/nope:${verb}`), { body })).toMatchObject({ status: 404 });
    expect(await refused("POST", `/projects/p2/turns/${turn.id}:${verb}`, { body })).toMatchObject({ status: 404 });
  });
  test("without an epoch, and with an unknown key, it is 422 with the path", async () => {
    const turn = await started("Helper");
    const body = { epoch: turn.epoch, ...bodyOf(turn) };
    const { epoch: _epoch, ...without } = body;
    const colour = await refused("POST", path(turn, verb), { body: { ...body, colour: "red" } });
    expect([colour.status, colour.detail?.path]).toEqual([422, "body.colour"]);
    const missing = await refused("POST", path(turn, verb), { body: without });
    expect([missing.status, missing.detail?.path]).toEqual([422, "body.epoch"]);
  });
});

test("a late write without a worker's name is attributed by its epoch", async () => {
  const boss = await started("Boss");
  const call = await act(boss, "call", { step_id: await step(boss), client_call_id: "c", ...forkOf(["only"]) });
  const waits = { tool_call_ids: [call.tool_call_id] };
  await act(boss, "suspend", waits);
  const helper = await claimed();
  await act(helper, "start", { worker_id: "py-1" });
  await act(helper, "deliver", { status: "success", content: "done" });
  const [{ inbox }] = await claim({ worker_id: "py-2" });
  const { epoch } = await act(boss, "resume", { inbox_id: inbox.inbox_id });
  const body = { cards: [{ type: "agent.thought", content: "late" }] };
  await refused("POST", path(boss, "append"), { body: { epoch: boss.epoch, ...body } });
  await act({ ...boss, epoch }, "deliver", { status: "success", content: "all" });
  await refused("POST", path(boss, "append"), { body: { epoch, ...body } });
  const late = (await framesOf(kernel, own.project, "rejected_late")).filter((one) => one.agent_turn_id === boss.id);
  expect(late.map((one) => [one.turn_epoch, one.worker_id])).toEqual([
    [boss.epoch, "py-1"],
    [epoch, "py-2"],
  ]);
});

describe("bad input", () => {
  test.each([
    ["append", { cards: [] }, 422, "body.cards"],
    ["append", { cards: [{ type: "task.deliverable", content: "x" }] }, 422, "body.cards.0.type"],
    ["append", { cards: [{ type: "meta.delegation_context", content: "x" }] }, 422, "body.cards.0.type"],
    ["step", { phase: "later" }, 422, "body.phase"],
    ["step", { phase: "completed" }, 422, "body.step_id"],
    ["step", { phase: "failed", step_id: "s" }, 422, "body.error"],
    ["step", { phase: "completed", step_id: "nope" }, 404, undefined],
    ["step", { phase: "started", request: { card_ids: ["nope"] } }, 404, undefined],
    ["step", { phase: "completed", step_id: "s", cost: -1 }, 422, "body.cost"],
    ["call", { step_id: "s", tool_name: "", arguments: {}, client_call_id: "c" }, 422, "body.tool_name"],
    ["suspend", { tool_call_ids: [] }, 422, "body.tool_call_ids"],
    ["suspend", { tool_call_ids: ["tc_nope"] }, 400, undefined],
    ["resume", { inbox_id: "nope" }, 404, undefined],
    ["deliver", { status: "success" }, 400, undefined],
    ["deliver", { status: "done", content: "x" }, 422, "body.status"],
    ["heartbeat", { worker_id: "py-1", note: "a\u0000b" }, 422, "body.note"],
  ])("%s %j", async (verb, body, status, where) => {
    const turn = await started("Helper");
    const answer = await refused("POST", path(turn, verb), { body: { epoch: turn.epoch, ...body } });
    expect([answer.status, answer.detail?.path]).toEqual([status, where]);
  });
  test("a heartbeat for another worker's turn is fenced; so is anything before the start", async () => {
    const turn = await started("Helper");
    const body = { epoch: turn.epoch, worker_id: "somebody" };
    expect(await refused("POST", path(turn, "heartbeat"), { body })).toMatchObject({
      status: 409,
      error_code: "fenced",
    });
    await launchTurn(kernel, own.project, { target: "Helper" });
    const waiting = await claimed();
    const early = await refused("POST", path(waiting, "deliver"), {
      body: { epoch: 1, status: "success", content: "x" },
    });
    expect(early).toMatchObject({ status: 409, error_code: "fenced", detail: { current_epoch: 1 } });
  });
  test("the result of one turn does not wake another", async () => {
    const turn = await started("Helper");
    const other = await started("Helper");
    const body = { epoch: turn.epoch, inbox_id: other.inbox_id };
    expect(await refused("POST", path(turn, "resume"), { body })).toMatchObject({ status: 400 });
  });
  test("text that no database holds is mended in what an agent writes", async () => {
    const turn = await started("Helper");
    await act(turn, "append", { cards: [{ type: "agent.thought", content: "a\u0000b" }] });
    await act(turn, "deliver", { status: "success", content: "c\u0000d" });
    const { deliverable } = await ok("GET", at(`/turns/${turn.id}`));
    expect(deliverable.content.text).toBe("c\uFFFDd");
  });
  test.each(["ack", "defer"])("inbox :%s of an unknown row, of another project's, and of a turn's", async (verb) => {
    await launchTurn(kernel, own.project, { target: "Helper" });
    const turn = await claimed();
    const body = verb === "defer" ? { reason: "busy" } : {};
    expect(await refused("POST", at(`/inbox/nope:${verb}`), { body })).toMatchObject({ status: 404 });
    expect(await refused("POST", `/projects/p2/inbox/${turn.inbox_id}:${verb}`, { body })).toMatchObject({
      status: 404,
    });
    expect(await refused("POST", at(`/inbox/${turn.inbox_id}:${verb}`), { body })).toMatchObject({ status: 400 });
    const colour = await refused("POST", at(`/inbox/${turn.inbox_id}:${verb}`), { body: { ...body, colour: "red" } });
    expect([colour.status, colour.detail?.path]).toEqual([422, "body.colour"]);
  });
  test("a report of a call that nobody made, or of another project", async () => {
    const boss = await started("Boss");
    const call = { step_id: await step(boss), client_call_id: "s", tool_name: "slow", arguments: {} };
    const { tool_call_id } = await act(boss, "call", call);
    const body = { status: "success", result: 1 };
    expect(await refused("POST", at("/tool-calls/tc_nope:report"), { body })).toMatchObject({ status: 404 });
    expect(await refused("POST", `/projects/p2/tool-calls/${tool_call_id}:report`, { body })).toMatchObject({
      status: 404,
    });
    expect(await refused("POST", at(`/tool-calls/${tool_call_id}:report`), { body: { status: "fine" } })).toMatchObject(
      {
        status: 422,
      },
    );
  });
});

describe("once", () => {
  test("an Idempotency-Key delivers once, and tells the deliverable again where it was ended by it", async () => {
    const turn = await started("Helper");
    const body = { epoch: turn.epoch, status: "success", content: "once" };
    const send = () => post(path(turn, "deliver"), body, { "idempotency-key": `k-${turn.id}` });
    const first = await send();
    expect(first.status).toBe(200);
    expect(await send()).toEqual(first);
    expect(await refused("POST", path(turn, "deliver"), { body })).toMatchObject({ status: 409, error_code: "fenced" });
  });
  test("a start whose answer was lost is asked for again by the same worker", async () => {
    const turn = await started("Helper");
    expect(await act(turn, "start", { worker_id: "py-1" })).toMatchObject({ epoch: turn.epoch });
    const body = { epoch: turn.epoch, worker_id: "py-2" };
    expect(await refused("POST", path(turn, "start"), { body })).toMatchObject({ status: 409 });
  });
});
