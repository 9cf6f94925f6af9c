// A tool whose service listens on a NATS bus, on Postgres' NOTIFY, or polls. The service here does what one in any language
// would do: it receives a call, reads it over REST and reports over REST.
import { AckPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createNatsDoorbell } from "@/server/doorbell/nats-doorbell";
import { createPgDoorbell } from "@/server/doorbell/pg-doorbell";
import { createKernel, type Doorbell } from "@/server/kernel/kernel";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { tunables } from "@/server/kernel/tunables";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { isNatsMissing, startNats } from "@/server/testing/nats";
import { restOf } from "@/server/testing/rest";
import { deliverableOf, launchTurn, outputOf, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";

let kernel: TestKernel;
let P = "c0";
let n = 0;

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
});
afterAll(() => kernel.close());
beforeEach(async () => {
  P = `c${++n}`;
  const script = [
    { call: "word_count", arguments: { text: "a wagon of coal" } },
    { deliver: "{result.1.words} words" },
  ];
  await seedProject(kernel, P, [scripted("Solo", script, { allowed_tools: ["word_count"] })]);
});

const rest = restOf(() => kernel);
const { ok } = rest;

/** What a service does with a call that it has received. */
async function serve(tool_call_id: string, tool_call_card_id: string): Promise<void> {
  const { content } = await ok("GET", `/projects/${P}/cards/${tool_call_card_id}`);
  const words = String(content.arguments.text).split(" ").length;
  await ok("POST", `/projects/${P}/tool-calls/${tool_call_id}:report`, { status: "success", result: { words } });
}

/** One turn that calls the tool, on a kernel with this doorbell. */
async function run(doorbell: Doorbell): Promise<unknown> {
  const ringing = createKernel({ ...kernel, doorbell });
  const worker = await startTestWorker(ringing, { worker_id: `w_${P}` });
  onTestFinished(() => worker.stop());
  const { agent_turn_id } = await launchTurn(ringing, P, { target: "Solo" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  expect((await outputOf(kernel, turn)).filter((card) => card.type === "tool.result")).toHaveLength(1);
  return deliverableOf(kernel, turn);
}
const register = (target_subject?: string) =>
  saveTool(kernel, {
    project_id: P,
    tool: { tool_name: "word_count", ...(target_subject !== undefined && { target_subject }) },
  });

test.skipIf(isNatsMissing())("on a NATS bus, with a durable consumer", async () => {
  const server = await startNats();
  onTestFinished(() => server.stop());
  const doorbell = createNatsDoorbell({ settings: { url: server.url }, name: "test" });
  onTestFinished(() => doorbell.close());
  await expect.poll(() => doorbell.isConnected(), { timeout: 10_000 }).toBe(true);
  await register("cmd.tool.word_count");
  const connection = await connect({ servers: `127.0.0.1:${server.port}` });
  onTestFinished(() => connection.close());
  const manager = await jetstreamManager(connection);
  await manager.consumers.add("switchyard_commands", {
    durable_name: "word_count",
    ack_policy: AckPolicy.Explicit,
    filter_subject: "cg.v1r4.*.*.cmd.tool.word_count",
  });
  const consumer = await jetstream(connection).consumers.get("switchyard_commands", "word_count");
  const serving = (async () => {
    const message = await consumer.next({ expires: 15_000 });
    if (!message) throw new Error("no call was heard");
    const { tool_name, tool_call_card_id } = message.json<{ tool_name: string; tool_call_card_id: string }>();
    expect([tool_name, message.headers?.get("CG-Project-Id")]).toEqual(["word_count", P]);
    await serve(message.headers?.get("CG-Tool-Call-Id") ?? "", tool_call_card_id);
    message.ack();
  })();
  expect(await run(doorbell)).toBe("4 words");
  await serving;
});

test("on Postgres' NOTIFY, without a bus", async () => {
  const doorbell = createPgDoorbell({ pool: kernel.db.pool, url: kernel.test.url });
  onTestFinished(() => doorbell.close());
  await register("cmd.tool.word_count");
  const client = new pg.Client({ connectionString: kernel.test.url });
  await client.connect();
  onTestFinished(() => client.end());
  const served: Promise<void>[] = [];
  client.on("notification", ({ payload = "" }) => {
    if (!payload.startsWith("c|")) return;
    const { project_id, tool_name, tool_call_id, tool_call_card_id } = JSON.parse(payload.slice(2));
    if (project_id === P && tool_name === "word_count") served.push(serve(tool_call_id, tool_call_card_id));
  });
  await client.query("LISTEN switchyard");
  expect(await run(doorbell)).toBe("4 words");
  await Promise.all(served);
  expect(served.length).toBeGreaterThan(0);
});

test("by polling, over REST only", async () => {
  await register();
  const served = new Set<string>();
  let isOver = false;
  // Waited for at the end: a read that was still running when the database was removed broke the run.
  const looking = (async () => {
    for (; !isOver; await new Promise((done) => setTimeout(done, 50))) await look();
  })();
  async function look(): Promise<void> {
    const edges = (phase: string) =>
      ok("GET", `/projects/${P}/state/execution/edges?primitive=tool_call&edge_phase=${phase}`);
    const [asked, answered] = await Promise.all([edges("request"), edges("response")]);
    const done = new Set(answered.items.map((edge: { correlation_id: string }) => edge.correlation_id));
    for (const { correlation_id, metadata } of asked.items) {
      if (metadata?.tool_name !== "word_count" || done.has(correlation_id) || served.has(correlation_id)) continue;
      served.add(correlation_id);
      await serve(correlation_id, metadata.tool_call_card_id);
    }
  }
  const said = await run(kernel.doorbell).finally(() => {
    isOver = true;
    return looking;
  });
  expect(said).toBe("4 words");
  expect(served.size).toBe(1);
});
