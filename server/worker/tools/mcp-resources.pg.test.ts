// What an MCP server has besides immediate answers: resources that its results name, and tools that answer only as tasks. A
// real server behind a URL, from a model's request to the result it reads.
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { stopTurn } from "@/server/kernel/reclaim/stop-turn";
import { tunables } from "@/server/kernel/tunables";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { type McpHttpServer, startMcpHttp } from "@/server/testing/mcp/http-server";
import { codesIn, resultsIn, sent, stepsOf } from "@/server/testing/steps";
import { deliverableOf, launchTurn, outputOf, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { createMcpServers } from "./mcp-servers";

let kernel: TestKernel;
let http: McpHttpServer;
let P = "mr0";
let n = 0;

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
  http = await startMcpHttp();
});
afterAll(async () => {
  await http.stop();
  await kernel.close();
});
beforeEach(() => {
  P = `mr${++n}`;
});

async function working(more: Partial<typeof tunables> = {}): Promise<void> {
  const outbound = { origins: [http.origin], secret: () => undefined };
  const mcp = createMcpServers({
    servers: {},
    outbound,
    variable: () => undefined,
    tunables: { ...tunables, ...more },
    version: "test",
  });
  onTestFinished(() => mcp.close());
  const worker = await startTestWorker(kernel, { mcp, worker_id: `w_${P}` });
  onTestFinished(() => worker.stop());
}
type ScriptInput = Parameters<typeof scripted>[1];
const seed = (script: ScriptInput, more: object = {}) => {
  const { timeout_seconds, ...rest } = more as { timeout_seconds?: number };
  const docs = { name: "docs", url: http.url, ...(timeout_seconds !== undefined && { timeout_seconds }) };
  return seedProject(kernel, P, [scripted("Solo", script, { allowed_tools: null, mcp_servers: [docs], ...rest })]);
};
async function run(script: ScriptInput, more: object = {}): Promise<TurnRow> {
  await seed(script, more);
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  return untilTurn(kernel, P, agent_turn_id);
}
const toolsOf = async (turn: TurnRow) => sent((await stepsOf(kernel, turn))[0]).tools.map((tool) => tool.tool_name);

describe("resources that its results name", () => {
  const read = (uri: string) => ({ call: "docs__read_resource", arguments: { uri } });
  test("are read from the server: text as it is, files kept once and never as base64", async () => {
    await working();
    const turn = await run([
      { call: "docs__look_up" },
      { calls: [read("docs://rules"), read("docs://plan.png"), read("docs://plan.png"), read("docs://both")] },
      { deliver: "{result.2}" },
    ]);
    expect(await deliverableOf(kernel, turn)).toBe("Stop at red.");
    const [found, , plan, again, both] = resultsIn(await outputOf(kernel, turn));
    expect(found?.result).toBe("[resource docs://rules: Rules]\n\n[resource docs://plan.png: plan]");
    expect(plan).toMatchObject({ result: "[resource docs://plan.png, picture, image/png, 1 x 1, 70 bytes]" });
    expect(plan?.artifacts).toEqual([expect.objectContaining({ mime: "image/png", size: 70, width: 1, height: 1 })]);
    expect(again?.artifacts).toEqual(plan?.artifacts);
    expect(both?.result).toBe(
      "[resource docs://both/a]\none\n\n[resource docs://both/b, application/octet-stream, 5 bytes]",
    );
    const { rows } = await kernel.db.pool.query("SELECT size FROM resource.artifacts WHERE project_id = $1", [P]);
    expect(rows.map(({ size }) => size).toSorted()).toEqual([5, 70]);
    const all = JSON.stringify(await outputOf(kernel, turn));
    expect(all).not.toContain("iVBORw0KGgo");
    expect(await toolsOf(turn)).toContain("docs__read_resource");
  });

  test("are read only from that server, and bounded; Switchyard never opens an address itself", async () => {
    await working({ jsonBytesMax: 20_000 });
    const before = http.headers.length;
    const turn = await run([
      { calls: [read("docs://nowhere"), read(`${http.origin}/secret`), read("no uri"), read("docs://long/100000")] },
      { deliver: "x" },
    ]);
    const results = resultsIn(await outputOf(kernel, turn));
    expect(results.map(({ error }) => error?.code)).toEqual([
      "bad_request",
      "bad_request",
      "bad_request",
      "payload_too_large",
    ]);
    expect(results[0]?.error?.message).toBe("Resource docs://nowhere not found");
    expect(results[2]?.error?.message).toContain("uri: not a URI");
    // Every request there was one of the protocol.
    for (const headers of http.headers.slice(before)) expect(headers.accept).toMatch(/json|event-stream/);
  });

  test("177 are read only if the profile allows it", async () => {
    await working();
    const turn = await run([read("docs://rules"), { deliver: "x" }], { allowed_tools: ["docs__look_up"] });
    expect(codesIn(await outputOf(kernel, turn))).toEqual(["auth_failed"]);
    expect(await toolsOf(turn)).not.toContain("docs__read_resource");
  });
});

describe("a tool that answers only as a task", () => {
  const shunt = (ms: number, more: object = {}) => ({ call: "docs__shunt", arguments: { ms, ...more } });
  test("is run as one, and its outcome is the result; one that fails says why", async () => {
    await working();
    const calls = [shunt(300), shunt(10, { fails: true })];
    const turn = await run([{ calls }, { deliver: "{result.1}" }]);
    expect(await deliverableOf(kernel, turn)).toBe("shunted");
    expect(resultsIn(await outputOf(kernel, turn))[1]).toMatchObject({
      status: "failed",
      error: { code: "tool_error", message: "the points are frozen" },
    });
  });

  test("ends with its timeout, and with its turn", async () => {
    await working();
    const late = await run([shunt(60_000), { deliver: "x" }], { timeout_seconds: 0.5 });
    expect(codesIn(await outputOf(kernel, late))).toEqual(["tool_timeout"]);
    P = `m${++n}`;
    await seed([shunt(60_000), { deliver: "x" }]);
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
    await untilTurn(kernel, P, agent_turn_id, "running");
    await stopTurn(kernel, { project_id: P, agent_turn_id, scope: "turn", by: "test" });
    expect((await untilTurn(kernel, P, agent_turn_id)).status).toBe("canceled");
  });
});
