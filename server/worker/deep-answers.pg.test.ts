// JSON nested a hundred thousand levels deep is parsed without an error, and then overflows the stack of any code that walks
// it: the call or the turn fails and says why, and the worker continues. Real servers answer over HTTP here.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseEnv } from "@/server/env";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { tunables } from "@/server/kernel/tunables";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { resultsIn } from "@/server/testing/steps";
import { startToolService, type ToolService } from "@/server/testing/tool-service";
import { deliverableOf, launchTurn, outputOf, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { startWireServer } from "@/server/testing/wire/wire-server";
import type { Worker } from "./loop";
import { modelsOf } from "./models/models";
import { modelTiming } from "./models/timing";
import { createMcpServers, type McpServers } from "./tools/mcp-servers";

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const maps = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const shapes: [string, string][] = [
  ["lists, just too deep", lists(600)],
  ["lists, 5,000 deep", lists(5_000)],
  ["lists, 100,000 deep", lists(100_000)],
  ["maps, 100,000 deep", maps(100_000)],
];
const unclosed = "[".repeat(100_000);

let kernel: TestKernel;
let worker: Worker;
let service: ToolService;
let mcp: McpServers;
let guest: http.Server;
let settings = parseEnv({});
let said = "";
let schema = '{"type":"object"}';
let P = "d0";
let n = 0;

beforeAll(async () => {
  service = await startToolService((_asked, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(said);
  });
  guest = await startGuest(() => said);
  const origin = `http://127.0.0.1:${(guest.address() as AddressInfo).port}`;
  const outbound = { origins: [service.origin, origin], secret: () => undefined };
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 50 }, outbound });
  const models = modelsOf(() => settings, { ...modelTiming, retryMs: 4, gapMs: 2_000 });
  mcp = createMcpServers({ servers: {}, outbound, variable: () => undefined, tunables, version: "test", awayMs: 100 });
  worker = await startTestWorker(kernel, { models, mcp, targets: ["worker_generic"] });
});
afterAll(async () => {
  await worker.stop();
  await mcp.close();
  await service.stop();
  guest.closeAllConnections();
  guest.close();
  await kernel.close();
});
beforeEach(() => {
  P = `d${++n}`;
});

/** An MCP server with one tool, whose result is put into the answer as it is: a server built with the SDK cannot do that. */
async function startGuest(result: () => string): Promise<http.Server> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = String(Buffer.concat(chunks));
      const asked = text === "" ? {} : JSON.parse(text);
      if (request.method !== "POST" || asked.id === undefined)
        return void response.writeHead(request.method === "POST" ? 202 : 405).end();
      const answers: Record<string, string> = {
        initialize: JSON.stringify({
          protocolVersion: asked.params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "guest", version: "1" },
        }),
        "tools/list": `{"tools":[{"name":"nest","inputSchema":${schema}}]}`,
        "tools/call": result(),
      };
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(`{"jsonrpc":"2.0","id":${JSON.stringify(asked.id)},"result":${answers[asked.method] ?? "{}"}}`);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

async function run(profile: Record<string, unknown>): Promise<TurnRow> {
  const { agent_turn_id } = await launch(profile);
  return untilTurn(kernel, P, agent_turn_id);
}
async function launch(profile: Record<string, unknown>) {
  await seedProject(kernel, P, [{ name: "Solo", allowed_tools: null, ...profile }]);
  await saveTool(kernel, { project_id: P, tool: { tool_name: "nest", target_subject: `${service.origin}/nest` } });
  return launchTurn(kernel, P, { target: "Solo" });
}
const script = (steps: Parameters<typeof scripted>[1], more: object = {}) =>
  scripted("Solo", steps, { allowed_tools: null, ...more });

/** The same worker, still there. */
async function goesOn() {
  P = `${P}_after`;
  said = '{"tons": 12}';
  const turn = await run(script([{ call: "nest" }, { deliver: "{result.1.tons}" }]));
  expect(await deliverableOf(kernel, turn)).toBe("12");
}

describe("a tool behind a URL", () => {
  test.each(shapes)("%s: the call fails and says so", async (_what, body) => {
    said = body;
    const turn = await run(script([{ call: "nest" }, { deliver: "went on" }]));
    expect(turn.status).toBe("success");
    const [result] = resultsIn(await outputOf(kernel, turn));
    expect(result).toMatchObject({
      status: "failed",
      error: { message: expect.stringMatching(/nested (too deep|deeper than)/) },
    });
    await goesOn();
  });
  test("as text: a text like any other", async () => {
    said = JSON.stringify(lists(100_000));
    const turn = await run(script([{ call: "nest" }, { deliver: "went on" }]));
    expect(turn.status).toBe("success");
    expect(resultsIn(await outputOf(kernel, turn))[0]?.result).toBe(lists(100_000));
  });
});

describe("an MCP server", () => {
  const guestUrl = () => `http://127.0.0.1:${(guest.address() as AddressInfo).port}/mcp`;
  const calling = () =>
    script([{ call: "guest__nest" }, { deliver: "went on" }], { mcp_servers: [{ name: "guest", url: guestUrl() }] });
  test.each([
    ...shapes.map(
      ([what, deep]) => [`as its structure: ${what}`, `{"content":[],"structuredContent":{"deep":${deep}}}`] as const,
    ),
    [
      "beside its text",
      `{"content":[],"_meta":{"deep":${lists(100_000)}},"structuredContent":{"deep":${lists(100_000)}}}`,
    ] as const,
  ])("%s: the call fails, the turn continues", async (_what, result) => {
    said = result;
    const turn = await run(calling());
    expect(turn.status).toBe("success");
    expect(resultsIn(await outputOf(kernel, turn))[0]).toMatchObject({
      status: "failed",
      error: { message: expect.stringMatching(/nested (too deep|deeper than)/) },
    });
    await goesOn();
  });
  test.each([600, 100_000])(
    "that offers a tool whose schema is %i deep is unavailable, with the reason; the turn continues",
    async (depth) => {
      schema = `{"type":"object","properties":{"a":{"enum":[${lists(depth)}]}}}`;
      try {
        const turn = await run(calling());
        expect(turn.status).toBe("success");
        expect(resultsIn(await outputOf(kernel, turn))[0]).toMatchObject({
          status: "failed",
          error: { message: expect.stringContaining("its list of tools is nested deeper than") },
        });
      } finally {
        schema = '{"type":"object"}';
      }
      await goesOn();
    },
  );
  test("as its text, next to structured content: a text like any other", async () => {
    said = JSON.stringify({ content: [{ type: "text", text: lists(100_000) }], structuredContent: { tons: 12 } });
    const turn = await run(calling());
    expect(turn.status).toBe("success");
    expect(resultsIn(await outputOf(kernel, turn))[0]?.status).toBe("success");
    await goesOn();
  });
});

describe("a model", () => {
  test.each([
    ...shapes.map(([what, deep]) => [what, deep] as const),
    ["as one argument", `{"thought":${lists(100_000)}}`] as const,
    ["never closed", unclosed] as const,
  ])("calls with %s: that call fails, the turn continues", async (_what, raw) => {
    const server = await startWireServer({
      provider: "openai-compatible",
      replies: [{ calls: [{ name: "think", arguments: raw }] }, { text: "done" }],
    });
    settings = parseEnv({ MOONSHOT_API_KEY: "k", MOONSHOT_BASE_URL: server.url });
    try {
      const turn = await run({ llm_config: { model: "moonshot/kimi-k2.5" } });
      expect(turn).toMatchObject({ status: "success" });
      expect(resultsIn(await outputOf(kernel, turn))[0]).toMatchObject({
        status: "failed",
        error: { message: expect.any(String) },
      });
    } finally {
      await server.close();
    }
    await goesOn();
  });
  test.each([lists(20_000), unclosed])("says it as its text: the deliverable is that text", async (text) => {
    const server = await startWireServer({ provider: "openai-compatible", replies: [{ text }] });
    settings = parseEnv({ MOONSHOT_API_KEY: "k", MOONSHOT_BASE_URL: server.url });
    try {
      const turn = await run({ llm_config: { model: "moonshot/kimi-k2.5" } });
      expect(turn.status).toBe("success");
      expect(await deliverableOf(kernel, turn)).toBe(text);
    } finally {
      await server.close();
    }
    await goesOn();
  });
});
