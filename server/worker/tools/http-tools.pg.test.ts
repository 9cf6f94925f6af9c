// Tools behind a URL, from a model's call to the result it reads: at once, later, never, twice, and under a lost lease.
// Titles begin with the number of the kernel's case, if there is one.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Decision } from "@/server/contract/asking";
import { decideRequest } from "@/server/kernel/humans/decide-request";
import { reportResult } from "@/server/kernel/inbox/report-result";
import { expireTools } from "@/server/kernel/reclaim/expire-tools";
import { stopTurn } from "@/server/kernel/reclaim/stop-turn";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { tunables } from "@/server/kernel/tunables";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { foreignWorker } from "@/server/testing/foreign-worker";
import { checkInvariants } from "@/server/testing/invariants";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { codesIn, resultsIn, sent, stepsOf } from "@/server/testing/steps";
import { type Answer, startToolService, type ToolService } from "@/server/testing/tool-service";
import {
  deliverableOf,
  launchTurn,
  outputOf,
  scripted,
  startTestWorker,
  turnOf,
  untilTurn,
} from "@/server/testing/turns";
import type { Worker } from "../loop";

let kernel: TestKernel;
let worker: Worker;
let service: ToolService;
let answer: Answer = () => null;
let P = "h0";
let n = 0;

beforeAll(async () => {
  service = await startToolService((asked, response) => answer(asked, response));
  kernel = await openTestKernel({
    tunables: { ...tunables, pollMs: 100 },
    outbound: {
      origins: [service.origin],
      secret: (name) => (name === "KEY" ? "s3cr3t-of-the-mill" : undefined),
    },
  });
  worker = await startTestWorker(kernel, { targets: ["worker_generic"] });
});
afterAll(async () => {
  await worker.stop();
  await service.stop();
  await kernel.close();
});
afterEach(async () => {
  const { violations } = await checkInvariants(kernel.db.pool, { when: "always" });
  expect(violations).toEqual([]);
});
beforeEach(() => {
  P = `h${++n}`;
  service.asked.length = 0;
});

type ScriptInput = Parameters<typeof scripted>[1];

async function begin(script: ScriptInput, tools: Record<string, object>, more: object = {}) {
  await seedProject(kernel, P, [scripted("Solo", script, { allowed_tools: null, ...more })]);
  for (const [tool_name, tool] of Object.entries(tools))
    await saveTool(kernel, {
      project_id: P,
      tool: { tool_name, target_subject: `${service.origin}/${tool_name}`, ...tool },
    });
  return launchTurn(kernel, P, { target: "Solo" });
}
const run = async (...args: Parameters<typeof begin>): Promise<TurnRow> => {
  const { agent_turn_id } = await begin(...args);
  return untilTurn(kernel, P, agent_turn_id);
};
const waits = async () =>
  (await kernel.db.pool.query("SELECT * FROM state.turn_waiting_tools WHERE project_id = $1", [P])).rows;

test("an immediate answer is the result, in the same lease; the service gets what it needs and nothing else", async () => {
  answer = () => ({ tons: 12 });
  const options = { headers: { "x-key": `$\{env:KEY}` } };
  const turn = await run([{ call: "weigh", arguments: { wagon: 7 } }, { deliver: "{result.1.tons} tons" }], {
    weigh: { options },
  });
  expect(turn).toMatchObject({ status: "success", turn_epoch: 1 });
  expect(await deliverableOf(kernel, turn)).toBe("12 tons");
  const cards = await outputOf(kernel, turn);
  const call = cards.find((card) => card.type === "tool.call");
  const [asked] = service.asked;
  expect(service.asked).toHaveLength(1);
  expect(asked?.body).toEqual({
    tool_name: "weigh",
    arguments: { wagon: 7 },
    tool_call_id: call?.tool_call_id,
    agent_turn_id: turn.agent_turn_id,
    agent_id: turn.agent_id,
    project_id: P,
  });
  expect(asked?.headers).toMatchObject({
    "idempotency-key": call?.tool_call_id,
    "x-key": "s3cr3t-of-the-mill",
    traceparent: expect.stringMatching(new RegExp(`^00-${turn.trace_id}-[0-9a-f]{16}-01$`)),
  });
  expect(await waits()).toEqual([]);
  // Nowhere in the database is what only the environment has.
  for (const table of ["cards", "resource.tools", "state.journal", "state.agent_steps", "state.agent_inbox"]) {
    const { rows } = await kernel.db.pool.query(`SELECT 1 FROM ${table} AS t WHERE t::text LIKE '%s3cr3t%'`);
    expect(rows, table).toEqual([]);
  }
});

test("202: the turn is suspended until the service reports, even if the report is faster than the 202", async () => {
  const report = (asked: { body: Record<string, unknown> }) =>
    reportResult(kernel, {
      project_id: P,
      tool_call_id: String(asked.body.tool_call_id),
      status: "success",
      result: "weighed",
    });
  answer = async (asked, response) => {
    if (asked.path === "/early") await report(asked);
    response.writeHead(202).end();
  };
  const { agent_turn_id } = await begin([{ call: "early" }, { call: "later" }, { deliver: "{result.1} {result.2}" }], {
    early: {},
    later: {},
  });
  const asleep = await untilTurn(kernel, P, agent_turn_id, "suspended");
  expect(asleep).toMatchObject({ note: "waits for later", lease_holder: null });
  const [early, later] = service.asked;
  if (!early || !later) throw new Error("both were asked");
  await report(later);
  const turn = await untilTurn(kernel, P, agent_turn_id);
  expect(turn.turn_epoch).toBe(asleep.turn_epoch + 1);
  expect(await deliverableOf(kernel, turn)).toBe("weighed weighed");
  expect(service.asked).toHaveLength(2);
});

test("171 whatever a service does, the call has a failed result that says what to do, and the turn continues", async () => {
  answer = (asked, response) => {
    if (asked.path === "/refuses") return void response.writeHead(422).end("wagon 7 is unknown");
    if (asked.path === "/breaks") return void response.destroy();
    if (asked.path === "/nonsense")
      return void response.writeHead(200, { "content-type": "application/json" }).end("{");
  };
  const nowhere = { target_subject: "https://not-allowed.example/x" };
  const calls = ["refuses", "breaks", "nonsense", "silent", "nowhere", "keyless"].map((call) => ({ call }));
  const turn = await run([{ calls }, { deliver: "done" }], {
    refuses: {},
    breaks: {},
    nonsense: {},
    silent: { options: { timeout_ms: 200 } },
    nowhere,
    keyless: { options: { headers: { "x-key": `$\{env:HOME}` } } },
  });
  expect(turn.status).toBe("success");
  const cards = await outputOf(kernel, turn);
  // In the order of the calls, whoever was quicker.
  expect(codesIn(cards).slice(0, 3)).toEqual(["http_422", "upstream_unavailable", "http_bad_answer"]);
  expect(codesIn(cards)[3]).toBe("tool_timeout");
  expect(codesIn(cards).slice(4)).toEqual(["origin_not_allowed", "missing_secret"]);
  expect(resultsIn(cards)[0]?.error?.message).toContain("wagon 7 is unknown");
  const order = cards.filter((card) => card.type === "tool.result").map((card) => card.metadata.function_name);
  expect(order).toEqual(calls.map(({ call }) => call));
});

test("the services of one step are called at the same time", async () => {
  let open = 0;
  let most = 0;
  answer = async (asked) => {
    most = Math.max(most, ++open);
    // Answers only when the others are there too.
    await expect.poll(() => most).toBe(3);
    open--;
    return asked.path;
  };
  const calls = [{ call: "a" }, { call: "think", arguments: { thought: "?" } }, { call: "b" }, { call: "c" }];
  const turn = await run([{ calls }, { deliver: "{result.1} {result.3} {result.4}" }], { a: {}, b: {}, c: {} });
  expect(await deliverableOf(kernel, turn)).toBe("/a /b /c");
  const cards = await outputOf(kernel, turn);
  const order = cards.filter((card) => card.type === "tool.result").map((card) => card.metadata.function_name);
  expect(order).toEqual(["a", "think", "b", "c"]);
});

test("177 a tool that the profile does not list is not called", async () => {
  const turn = await run([{ call: "weigh" }, { deliver: "x" }], { weigh: {} }, { allowed_tools: ["other"] });
  expect(codesIn(await outputOf(kernel, turn))).toEqual(["auth_failed"]);
  expect(service.asked).toEqual([]);
});

test("a tool may end the turn, by what it declares", async () => {
  answer = () => "the end";
  const turn = await run([{ call: "finish" }, { fail: "asked again" }], { finish: { after_execution: "terminate" } });
  expect(turn.status).toBe("success");
  expect(await deliverableOf(kernel, turn)).toBe("the end");
});

test("a tool that ends the turn also ends it by failing, and a failed one comes before one that succeeded", async () => {
  answer = ({ path }, response) => {
    if (path === "/finish") return "the end";
    response.writeHead(500, { "content-type": "text/plain" }).end("no coal");
  };
  const tools = { finish: { after_execution: "terminate" }, burn: { after_execution: "terminate" } };
  const turn = await run([{ calls: [{ call: "finish" }, { call: "burn" }] }, { fail: "asked again" }], tools);
  expect(turn).toMatchObject({ status: "failed", error_code: "http_500", error: expect.stringContaining("no coal") });
  expect(await deliverableOf(kernel, turn)).toMatchObject({ error_code: "http_500" });
});

test("a report of its service ends the turn with the status of the report; so does a timeout", async () => {
  answer = (_asked, response) => void response.writeHead(202).end();
  const tools = { finish: { after_execution: "terminate" } };
  const { agent_turn_id } = await begin([{ call: "finish" }, { fail: "asked again" }], tools);
  await expect.poll(async () => (await turnOf(kernel, P, agent_turn_id)).status).toBe("suspended");
  const [{ tool_call_id }] = await waits();
  const error = { code: "no_coal", message: "the bunker is empty" };
  await reportResult(kernel, { project_id: P, tool_call_id, status: "partial", result: { tons: 3 }, error });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  expect(turn).toMatchObject({ status: "partial", error_code: "no_coal", error: "the bunker is empty" });
  expect(await deliverableOf(kernel, turn)).toEqual({ tons: 3 });

  const silent = await launchTurn(kernel, P, { target: "Solo" });
  await expect.poll(async () => (await turnOf(kernel, P, silent.agent_turn_id)).status).toBe("suspended");
  await kernel.db.pool.query("UPDATE state.turn_waiting_tools SET deadline_at = now() WHERE agent_turn_id = $1", [
    silent.agent_turn_id,
  ]);
  await expireTools(kernel);
  expect(await untilTurn(kernel, P, silent.agent_turn_id)).toMatchObject({
    status: "timeout",
    error_code: "tool_timeout",
  });
});

test("a stopped turn closes the request and writes no result", async () => {
  answer = () => undefined;
  const before = service.hungUp();
  const { agent_turn_id } = await begin([{ call: "silent" }, { deliver: "x" }], { silent: {} });
  await expect.poll(() => service.asked.length).toBe(1);
  await stopTurn(kernel, { project_id: P, agent_turn_id, scope: "turn", by: "test" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  expect(turn.status).toBe("canceled");
  expect(codesIn(await outputOf(kernel, turn))).toEqual([]);
  // Its worker learns it from its next heartbeat.
  await expect.poll(() => service.hungUp(), { timeout: 15_000 }).toBeGreaterThan(before);
});

test("a call that needs approval is made after it, with what was approved; a denied one is not made", async () => {
  answer = ({ body }) => body.arguments;
  const { agent_turn_id } = await begin(
    [
      {
        calls: [
          { call: "weigh", arguments: { wagon: 7 } },
          { call: "scrap", arguments: {} },
        ],
      },
      { deliver: "{result.1.wagon}" },
    ],
    { weigh: { options: { requires_approval: true } }, scrap: { options: { requires_approval: true } } },
  );
  await untilTurn(kernel, P, agent_turn_id, "suspended");
  expect(service.asked).toEqual([]);
  const { rows } = await kernel.db.pool.query<{ request_id: string; tool_name: string }>(
    "SELECT request_id, tool_name FROM state.human_requests WHERE project_id = $1",
    [P],
  );
  for (const { request_id, tool_name } of rows) {
    const decision: Decision =
      tool_name === "weigh" ? { action: "approve", arguments: { wagon: 8 } } : { action: "deny", reason: "not today" };
    await decideRequest(kernel, { project_id: P, request_id, by: "ann", decision });
  }
  const turn = await untilTurn(kernel, P, agent_turn_id);
  expect(await deliverableOf(kernel, turn)).toBe("8");
  expect(service.asked.map(({ path }) => path)).toEqual(["/weigh"]);
});

test.each([
  ["asks again, under the same key, also after the tool's time", false, 2],
  ["does not ask again what was reported meanwhile", true, 1],
])("a worker that stops in the middle: the next one %s", async (_, isReported, timesAsked) => {
  let isFirst = true;
  answer = () => {
    if (!isFirst) return "weighed";
    isFirst = false;
    return undefined;
  };
  const first = await startTestWorker(kernel, { worker_id: "w2", targets: ["frail"] });
  const { agent_turn_id } = await begin(
    [{ call: "weigh" }, { deliver: "{result.1}" }],
    { weigh: {} },
    {
      worker_target: "frail",
    },
  );
  await expect.poll(() => service.asked.length).toBe(1);
  const tool_call_id = String(service.asked[0]?.body.tool_call_id);
  if (isReported) await reportResult(kernel, { project_id: P, tool_call_id, status: "success", result: "weighed" });
  // As long as a lease lasts, which is as long as most tools have.
  await kernel.db.pool.query("UPDATE state.turn_waiting_tools SET deadline_at = now() WHERE tool_call_id = $1", [
    tool_call_id,
  ]);
  await expireTools(kernel);
  const stopping = startTestWorker(kernel, { worker_id: "w3", targets: ["frail"] });
  await kernel.db.pool.query("UPDATE state.due SET heartbeat_at = now() - interval '1 h' WHERE agent_turn_id = $1", [
    agent_turn_id,
  ]);
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await first.stop();
  await (await stopping).stop();
  expect(await deliverableOf(kernel, turn)).toBe("weighed");
  expect(new Set(service.asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(service.asked).toHaveLength(timesAsked);
  expect(codesIn(await outputOf(kernel, turn))).toEqual(["success"]);
});

describe("a long result", () => {
  test("is kept in full, and the model is shown its beginning and its end", async () => {
    const long = `START ${"x".repeat(50_000)} END`;
    answer = () => long;
    const turn = await run([{ call: "weigh" }, { deliver: "read" }], { weigh: {} });
    const card = (await outputOf(kernel, turn)).find((one) => one.type === "tool.result");
    expect(card?.content).toMatchObject({ result: long });
    const last = (await stepsOf(kernel, turn)).at(-1);
    const shown = sent(last).messages.find((message) => message.role === "tool")?.text ?? "";
    expect(shown.length).toBeLessThan(20_500);
    expect(shown).toContain("START x");
    expect(shown).toContain('x END"');
    expect(shown).toContain(`The whole output is card ${card?.card_id}`);
    expect(last?.sha_is_right).toBe(true);
  });
});

describe("a worker of another language", () => {
  const { own, settle, act, claimed, ok, at } = foreignWorker(() => kernel);
  beforeEach(settle);

  test("calls them in the same way, and the list of tools describes them", async () => {
    answer = ({ body }, response) =>
      (body.arguments as { later?: boolean }).later ? void response.writeHead(202).end() : "12 tons";
    const target_subject = `${service.origin}/weigh`;
    for (const tool of [
      { tool_name: "weigh", target_subject },
      { tool_name: "heard", target_subject: "cmd.tool.heard" },
      { tool_name: "seen" },
    ])
      await ok("POST", at("/tools"), tool);
    const { items } = await ok("GET", at("/tools"));
    const kinds = new Map(items.map((tool: { tool_name: string; kind: string }) => [tool.tool_name, tool.kind]));
    expect(["heard", "seen", "weigh"].map((name) => [name, kinds.get(name)])).toEqual([
      ["heard", "command"],
      ["seen", "polled"],
      ["weigh", "http"],
    ]);
    const profile = { name: "Weigher", worker_target: own.target, allowed_tools: ["weigh"] };
    await ok("POST", at("/profiles"), profile);
    await launchTurn(kernel, own.project, { target: "Weigher" });
    const turn = await claimed();
    await act(turn, "start", { worker_id: "py-1" });
    const { step_id } = await act(turn, "step", { phase: "started" });
    const call = { step_id, tool_name: "weigh", client_call_id: "c1", arguments: {} };
    expect(await act(turn, "call", call)).toMatchObject({ mode: "inline", status: "success", result: "12 tons" });
    expect(await act(turn, "call", call)).toMatchObject({ mode: "inline", result: "12 tons" });
    expect(service.asked).toHaveLength(1);
    const later = { ...call, client_call_id: "c2", arguments: { later: true } };
    expect(await act(turn, "call", later)).toMatchObject({ mode: "suspend", deadline: expect.any(String) });
  });
});
