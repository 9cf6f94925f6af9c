// No verb writes before it checks the epoch: whatever a worker sends about a turn it does not own changes no table, except for
// the journal's note of a late write, and the turn continues undisturbed.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { foreignWorker, forkOf, type Held } from "@/server/testing/foreign-worker";
import { openTestKernel, readTables, seedProject, type TestKernel } from "@/server/testing/kernel";
import { framesOf, launchTurn } from "@/server/testing/turns";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p2");
});
beforeEach(() => settle());
afterAll(() => kernel.close());

const { act, at, claim, claimed, ok, own, path, send, settle, started, step } = foreignWorker(() => kernel);

type Stand = "claimed" | "running" | "asleep" | "ended";
/** A turn as a worker has it, and the other ids that verbs need. `inbox_id`: of its result, if it is suspended. */
type Case = Held & { stand: Stand; step_id: string; tool_call_id: string };

async function turnThat(stand: Stand): Promise<Case> {
  if (stand === "claimed") {
    await launchTurn(kernel, own.project, { target: "Boss" });
    return { ...(await claimed()), stand, step_id: "step_none", tool_call_id: "tc_none" };
  }
  const boss = await started("Boss");
  const step_id = await step(boss);
  const search = { step_id, client_call_id: "c1", tool_name: "web_search", arguments: {} };
  const { tool_call_id } = await act(boss, "call", search);
  if (stand === "asleep") {
    await act(boss, "suspend", { tool_call_ids: [tool_call_id] });
    await ok("POST", at(`/tool-calls/${tool_call_id}:report`), { status: "success", result: 1 });
    const [{ inbox }] = await claim();
    return { ...boss, inbox_id: inbox.inbox_id, stand, step_id, tool_call_id };
  }
  if (stand === "ended") await act(boss, "deliver", { status: "success", content: "over" });
  return { ...boss, stand, step_id, tool_call_id };
}

const call = (tool_name: string, args: object) => (turn: Case) => ({
  step_id: turn.step_id,
  client_call_id: "c2",
  tool_name,
  arguments: args,
});
const toHelper = { target_strategy: "new", target_ref: "Helper", instruction: "x" };

// The state in which a turn accepts the verb, and the verb's input; `epoch` is added.
const verbs: [name: string, verb: string, stand: Stand, bodyOf: (turn: Case) => object][] = [
  ["start", "start", "claimed", () => ({ worker_id: "py-1" })],
  ["heartbeat", "heartbeat", "running", () => ({ worker_id: "py-1", note: "still here" })],
  ["append", "append", "running", () => ({ cards: [{ type: "agent.thought", content: "hm" }], note: "hm" })],
  ["step started", "step", "running", () => ({ phase: "started", note: "on" })],
  ["step completed", "step", "running", ({ step_id }) => ({ phase: "completed", step_id, cost: 1 })],
  ["step failed", "step", "running", ({ step_id }) => ({ phase: "failed", step_id, error: "no" })],
  ["call of a tool that answers at once", "call", "running", call("think", { thought: "x" })],
  ["call of a tool that answers later", "call", "running", call("slow", {})],
  ["call of a fork", "call", "running", (turn) => ({ ...call("x", {})(turn), ...forkOf(["a", "b"]) })],
  ["call of a delegation", "call", "running", call("delegate_async", toHelper)],
  ["call that stores environment data", "call", "running", call("store_env_data", { key: "k", value: 1 })],
  ["call that deletes environment data", "call", "running", call("delete_env_data", { key: "kept" })],
  ["suspend", "suspend", "running", ({ tool_call_id }) => ({ tool_call_ids: [tool_call_id] })],
  ["resume", "resume", "asleep", ({ inbox_id }) => ({ inbox_id, worker_id: "py-1" })],
  ["deliver", "deliver", "running", () => ({ status: "success", content: "done" })],
];

/** Refused as fenced, and nothing has changed. */
async function fenced(turn: Case, verb: string, body: object): Promise<void> {
  const before = await readTables(kernel);
  const { status, json } = await send("POST", path(turn, verb), { body });
  expect([status, json?.detail?.error_code], JSON.stringify(json)).toEqual([409, "fenced"]);
  expect(await readTables(kernel)).toEqual(before);
}

describe.each(verbs)("%s", (_name, verb, stand, bodyOf) => {
  test.each([
    ["an epoch that is over", -1],
    ["an epoch that is yet to come", 1],
    ["an epoch far ahead", 1_000],
  ])("under %s changes no table, and the turn goes on", async (_what, off) => {
    const turn = await turnThat(stand);
    await fenced(turn, verb, { epoch: turn.epoch + off, ...bodyOf(turn) });
    const late = await framesOf(kernel, own.project, "rejected_late");
    // A resume is refused because of its row, before anything else.
    expect(late.filter((frame) => frame.agent_turn_id === turn.id)).toHaveLength(verb === "resume" ? 0 : 1);
    const answer = await send("POST", path(turn, verb), { body: { epoch: turn.epoch, ...bodyOf(turn) } });
    expect(answer.status, JSON.stringify(answer.json)).toBe(200);
  });
  // Each of the others is a turn in a state that does not accept the verb; a suspended one has only its row's epoch.
  test.each((["claimed", "running", "asleep", "ended"] as const).filter((other) => other !== stand))(
    "of a turn that is %s changes no table",
    async (other) => {
      const turn = await turnThat(other);
      const body = { epoch: turn.epoch, ...bodyOf(turn), ...(verb === "start" && { worker_id: "py-2" }) };
      if (verb !== "resume") return fenced(turn, verb, body);
      const mine = await turnThat(stand);
      const before = await readTables(kernel);
      const answer = await send("POST", path(turn, verb), { body: { ...body, inbox_id: mine.inbox_id } });
      expect(answer).toMatchObject({ status: 400, json: { detail: { error_code: "bad_request" } } });
      expect(await readTables(kernel)).toEqual(before);
    },
  );
});

test("a fenced start leaves the turn free for a correct one, also by another worker", async () => {
  const turn = await turnThat("claimed");
  await fenced(turn, "start", { epoch: 7, worker_id: "py-1" });
  await act(turn, "start", { worker_id: "py-2" });
  await fenced(turn, "start", { epoch: 1, worker_id: "py-1" });
  await fenced(turn, "heartbeat", { epoch: 1, worker_id: "py-1" });
  await act(turn, "deliver", { status: "success", content: "done" });
});

describe("messages", () => {
  test.each([
    ["ack", {}],
    ["defer", { reason: "busy" }],
  ])("inbox :%s of a row that nobody claimed, or of a turn, changes no table", async (verb, body) => {
    const asleep = await turnThat("asleep");
    const waiting = await turnThat("claimed");
    await kernel.test.pool.query(
      "UPDATE state.inbox_messages SET status = 'pending', claimed_by = NULL WHERE inbox_id = $1",
      [asleep.inbox_id],
    );
    const before = await readTables(kernel);
    for (const [inbox_id, status] of [
      [asleep.inbox_id, 409],
      [waiting.inbox_id, 400],
    ])
      expect(await send("POST", at(`/inbox/${inbox_id}:${verb}`), { body })).toMatchObject({ status });
    expect(await readTables(kernel)).toEqual(before);
  });
  test("ack of a result that its turn waits for changes no table", async () => {
    const asleep = await turnThat("asleep");
    const before = await readTables(kernel);
    expect(await send("POST", at(`/inbox/${asleep.inbox_id}:ack`), { body: {} })).toMatchObject({ status: 409 });
    expect(await readTables(kernel)).toEqual(before);
  });
});
