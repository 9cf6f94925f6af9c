// The preview of a launch shows exactly what the launch sends first: for each provider's wire format, and with an MCP server.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Rendered } from "@/server/contract/pack";
import { parseEnv } from "@/server/env";
import { getCards } from "@/server/kernel/cardbox/get-cards";
import { readBox } from "@/server/kernel/cardbox/read-box";
import { launch } from "@/server/kernel/launch/launch";
import { previewLaunch } from "@/server/kernel/launch/preview-launch";
import { readStepSheet } from "@/server/kernel/read-models/read-step-sheet";
import { countTokens } from "@/server/kernel/tokens/count-tokens";
import { readOffers } from "@/server/kernel/tools/read-offers";
import { tunables } from "@/server/kernel/tunables";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { type McpHttpServer, startMcpHttp } from "@/server/testing/mcp/http-server";
import { startTestWorker, untilTurn } from "@/server/testing/turns";
import { startWireServer, type WireProvider } from "@/server/testing/wire/wire-server";
import { modelsOf } from "./models/models";
import { modelTiming } from "./models/timing";
import { createMcpServers } from "./tools/mcp-servers";

let kernel: TestKernel;
let mcp: McpHttpServer;
let n = 0;
beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 50 } });
  mcp = await startMcpHttp();
});
afterAll(async () => {
  await mcp.stop();
  await kernel.close();
});

const urls: Record<WireProvider, string> = {
  openai: "OPENAI",
  anthropic: "ANTHROPIC",
  google: "GOOGLE_GENERATIVE_AI",
  "openai-compatible": "MOONSHOT",
};

type Wire = { wire: WireProvider; llm_config: object; tools: (body: Record<string, unknown>) => unknown };
const wires: Wire[] = [
  { wire: "openai", llm_config: { model: "openai/gpt-5-mini" }, tools: (body) => body.tools },
  { wire: "openai-compatible", llm_config: { model: "moonshot/kimi-k2.5" }, tools: (body) => body.tools },
  { wire: "anthropic", llm_config: { model: "anthropic/claude-sonnet-4-5" }, tools: (body) => body.tools },
  { wire: "google", llm_config: { model: "google/gemini-2.5-pro" }, tools: (body) => body.tools },
];

async function open(profile: object, env: Record<string, string> = {}) {
  const project_id = `w${++n}`;
  await seedProject(kernel, project_id, [{ name: "Solo", ...profile }]);
  const servers = createMcpServers({
    servers: {},
    outbound: { origins: [mcp.origin], secret: () => undefined },
    variable: () => undefined,
    tunables,
    version: "test",
  });
  const models = modelsOf(() => parseEnv(env), { ...modelTiming, retryMs: 4 });
  const worker = await startTestWorker(kernel, { models, mcp: servers, worker_id: `w_${project_id}` });
  onTestFinished(async () => {
    await worker.stop();
    await servers.close();
  });
  return project_id;
}

const args = { target_strategy: "new", target_ref: "Solo", instruction: "Count the ships in the harbour." } as const;

async function previewed(project_id: string): Promise<Rendered> {
  const preview = await previewLaunch(kernel, {
    project_id,
    tool: "delegate_async",
    user: "ann",
    args,
    offer: readOffers,
  });
  if (!preview.ok || !preview.pack.rendered) throw new Error("no first request was rendered");
  return preview.pack.rendered;
}

/** The first request of a launch, as it was kept. */
async function sentFirst(project_id: string) {
  const { result } = await launch(kernel, { project_id, tool: "delegate_async", user: "ann", args });
  const { agent_turn_id } = result as { agent_turn_id: string };
  const turn = await untilTurn(kernel, project_id, agent_turn_id);
  const { rows } = await kernel.test.pool.query<{ step_id: string; request_box_id: string; request_tokens: number }>(
    "SELECT step_id, request_box_id, request_tokens FROM state.agent_steps WHERE agent_turn_id = $1 AND ordinal = 1",
    [agent_turn_id],
  );
  const [step] = rows;
  if (!step) throw new Error(`no step: ${turn.error}`);
  const box = await readBox(kernel, { project_id, box_id: step.request_box_id });
  const cards = await getCards(kernel, { project_id, card_ids: box.card_ids });
  const tools = cards.find((card) => card.type === "sys.tools")?.content;
  const { request } = await readStepSheet(kernel, { project_id, agent_turn_id, step_id: step.step_id });
  return { turn, tokens: step.request_tokens, request, tools: tools?.kind === "json" ? tools.data : null };
}

async function expectSame(project_id: string): Promise<{ rendered: Rendered; tokens: number }> {
  const rendered = await previewed(project_id);
  const { turn, tokens, request, tools } = await sentFirst(project_id);
  expect(turn.error).toBeNull();
  expect(request?.system.text).toBe(rendered.system);
  expect(request?.messages.map(({ role, text, tokens }) => ({ role, text, tokens }))).toEqual(
    rendered.messages.map(({ role, text, tokens }) => ({ role, text, tokens })),
  );
  expect(tools).toEqual({ tools: rendered.tools });
  expect(tokens).toBe(rendered.tokens);
  // The parts that a step shows add up to its figure.
  const parts = (request?.messages ?? []).reduce((sum, message) => sum + message.tokens, 0);
  expect((request?.system.tokens ?? 0) + (request?.tools.tokens ?? 0) + parts).toBe(tokens);
  expect(turn).toMatchObject({ sent_tokens: tokens, fullest_tokens: tokens, window_tokens: rendered.window_tokens });
  return { rendered, tokens };
}

test.each(wires)("$wire: the preview is the first request", async ({ wire, llm_config, tools }) => {
  const server = await startWireServer({ provider: wire, replies: [{ text: "seven" }] });
  onTestFinished(() => server.close());
  const env = { [`${urls[wire]}_API_KEY`]: "sk-0123456789abcdef", [`${urls[wire]}_BASE_URL`]: server.url };
  const project_id = await open({ llm_config, allowed_tools: ["fork_join"] }, env);
  const { rendered } = await expectSame(project_id);
  expect(rendered.tools.length).toBeGreaterThan(5);
  const onWire = countTokens(JSON.stringify(tools(server.requests[0]?.body ?? {})));
  // Google's client rewrites schemas on its way out.
  if (wire === "google") expect(Math.abs(onWire - rendered.tools_tokens) / onWire).toBeLessThan(0.2);
  else expect(rendered.tools_tokens).toBe(onWire);
});

test("the scripted model: the preview is the first request, and there is no window", async () => {
  const script = [{ deliver: "seven" }];
  const { rendered } = await expectSame(await open({ llm_config: { provider: "script", script } }));
  expect(rendered.window_tokens).toBeNull();
});

test("with few steps the budget warning and the last step's tools are previewed too", async () => {
  const script = [{ deliver: "seven" }];
  const { rendered } = await expectSame(await open({ max_steps: 1, llm_config: { provider: "script", script } }));
  expect(rendered.system).toContain("## Step budget");
});

test("an MCP server's tools are in the preview as soon as a worker has listed them, and until then it says so", async () => {
  const script = [{ deliver: "seven" }];
  const project_id = await open({
    llm_config: { provider: "script", script },
    allowed_tools: null,
    mcp_servers: [{ name: "harbour", url: mcp.url }],
  });
  const before = await previewed(project_id);
  expect(before.unasked_servers).toEqual(["harbour"]);
  expect(before.tools.some((tool) => tool.tool_name.startsWith("harbour__"))).toBe(false);
  const first = await sentFirst(project_id);
  expect(first.turn.error).toBeNull();
  const { rendered } = await expectSame(project_id);
  expect(rendered.unasked_servers).toEqual([]);
  expect(rendered.tools.some((tool) => tool.tool_name.startsWith("harbour__"))).toBe(true);
  expect(rendered.tokens).toBeGreaterThan(before.tokens);
});
