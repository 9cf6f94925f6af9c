// A turn over REST: in full, with each step's request, and forked.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";

let kernel: TestKernel;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
const P = "rest_forks";
const { ok, refused, send } = restOf(() => kernel);
const at = (path: string) => `/projects/${P}/turns${path}`;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    scripted("Two", [{ call: "think", arguments: { thought: "hm" } }, { deliver: "done: {instruction}" }]),
  ]);
  await seedProject(kernel, "elsewhere");
  worker = await startTestWorker(kernel);
});
afterAll(async () => {
  await worker.stop();
  await kernel.close();
});

async function ended(): Promise<string> {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Two", instruction: "weigh it" });
  await untilTurn(kernel, P, agent_turn_id);
  return agent_turn_id;
}

describe("turns over REST", () => {
  test("one turn has chain, steps, boxes, children and what all of it cost", async () => {
    const turn = await ok("GET", at(`/${await ended()}`));
    expect(turn.chain.map((link: { is_human: boolean }) => link.is_human)).toEqual([true, false]);
    expect(turn.steps.map((step: { ordinal: number }) => step.ordinal)).toEqual([1, 2]);
    expect(turn.boxes.map((box: { role: string }) => box.role)).toEqual(["profile", "context", "output"]);
    expect(turn).toMatchObject({ children: [], subtree: { turns: 1, live: 0, tokens_in: turn.tokens_in } });
  });
  test("the exact request of a step, of the last one, and none of a step that was not", async () => {
    const id = await ended();
    const second = await ok("GET", at(`/${id}/messages?step=2`));
    expect(second).toMatchObject({ ordinal: 2, request_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await ok("GET", at(`/${id}/messages`))).toEqual(second);
    expect(await refused("GET", at(`/${id}/messages?step=3`))).toMatchObject({ status: 404 });
  });
  test("a fork answers 201 with the turn; the same key is the same fork", async () => {
    const id = await ended();
    const { cards } = await ok("GET", at(`/${id}/messages?step=2`));
    const result = cards.find((card: { type: string }) => card.type === "tool.result");
    const fork = { body: { at_step: 2, drop: [result.card_id] }, headers: { "idempotency-key": "once" } };
    const first = await send("POST", at(`/${id}:fork`), fork);
    expect(first).toMatchObject({ status: 201, json: { profile_name: "Two", depth: 1 } });
    const { agent_turn_id, forked_from } = first.json;
    expect(forked_from).toMatchObject({ agent_turn_id: id, ordinal: 2, dropped: [result.card_id] });
    expect((await send("POST", at(`/${id}:fork`), fork)).json.agent_turn_id).toBe(agent_turn_id);
    await untilTurn(kernel, P, agent_turn_id);
    const sent = await ok("GET", at(`/${agent_turn_id}/messages?step=1`));
    expect(sent.cards.map((card: { type: string }) => card.type)).not.toContain("tool.result");
  });
  test("a fork is refused with the field and the remedy", async () => {
    const id = await ended();
    expect(await refused("POST", at(`/${id}:fork`), { body: { drop: ["nothing"] } })).toMatchObject({
      status: 400,
      error_code: "bad_request",
      error_message: expect.stringContaining("drop.0: card nothing is not in the request of step 2"),
    });
    expect(await refused("POST", at(`/${id}:fork`), { body: { at_step: 7 } })).toMatchObject({ status: 404 });
    expect(await refused("POST", at(`/${id}:fork`), { body: { at: 1 } })).toMatchObject({ status: 422 });
    expect(await refused("POST", `/projects/elsewhere/turns/${id}:fork`, { body: {} })).toMatchObject({ status: 404 });
  });
});
