// MCP servers that a profile names, from a model's request to the result it reads: real servers, one over its standard
// streams and one behind an address.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type McpServers as Config, McpServers as McpServersSchema } from "@/server/contract/mcp-server";
import { decideRequest } from "@/server/kernel/humans/decide-request";
import { stopTurn } from "@/server/kernel/reclaim/stop-turn";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { tunables } from "@/server/kernel/tunables";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { type McpHttpServer, startMcpHttp } from "@/server/testing/mcp/http-server";
import { codesIn, resultsIn, sent, stepsOf } from "@/server/testing/steps";
import { deliverableOf, launchTurn, outputOf, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { spawnWorker } from "@/server/testing/worker-process";
import type { Worker } from "../loop";
import { createMcpServers, type McpOptions, type McpServers } from "./mcp-servers";

let kernel: TestKernel;
let http: McpHttpServer;
let P = "m0";
let n = 0;

const stdio: Config = McpServersSchema.parse({
  yard: {
    command: process.execPath,
    args: ["--import", "tsx", path.resolve("server/testing/mcp/stdio-server.ts")],
    env: { YARD_KEY: `$\{env:THE_KEY}` },
  },
});

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
  http = await startMcpHttp();
});
afterAll(async () => {
  await http.stop();
  await kernel.close();
});
beforeEach(() => {
  P = `m${++n}`;
});

function servers(more: Partial<McpOptions> = {}): McpServers {
  const made = createMcpServers({
    servers: stdio,
    outbound: {
      origins: [http.origin],
      secret: (name) => (name === "KEY" ? "s3cr3t-of-the-mill" : undefined),
    },
    variable: (name) => (name === "THE_KEY" ? "k3y-of-the-yard" : undefined),
    tunables,
    version: "test",
    awayMs: 100,
    ...more,
  });
  onTestFinished(() => made.close());
  return made;
}
async function working(mcp: McpServers): Promise<Worker> {
  const worker = await startTestWorker(kernel, { mcp, worker_id: `w_${P}` });
  onTestFinished(() => worker.stop());
  return worker;
}
type ScriptInput = Parameters<typeof scripted>[1];
const seed = (script: ScriptInput, more: object) =>
  seedProject(kernel, P, [scripted("Solo", script, { allowed_tools: null, ...more })]);
async function run(script: ScriptInput, more: object): Promise<TurnRow> {
  await seed(script, more);
  return again();
}
async function again(): Promise<TurnRow> {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  return untilTurn(kernel, P, agent_turn_id);
}
const toolsOf = async (turn: TurnRow, step = 0) =>
  sent((await stepsOf(kernel, turn))[step]).tools.map((tool) => tool.tool_name);
const byUrl = (more: object = {}) => ({ mcp_servers: [{ name: "docs", url: http.url, ...more }] });

describe("over its standard streams", () => {
  test("what it offers is in the request, and its answers are results", async () => {
    await working(servers());
    const turn = await run(
      [
        { call: "yard__add", arguments: { a: 2, b: 3 } },
        { calls: [{ call: "yard__weigh" }, { call: "yard__draw" }, { call: "yard__break" }] },
        { call: "yard__add", arguments: { a: "two" } },
        { call: "yard__variables" },
        { call: "list_capabilities" },
        { deliver: "{result.1} and {result.2.tons}" },
      ],
      { mcp_servers: ["yard"] },
    );
    expect(await deliverableOf(kernel, turn)).toBe("5 and 12");
    const results = resultsIn(await outputOf(kernel, turn));
    expect(results[2]?.result).toBe("a signal\n\n[picture, image/png, 1 x 1, 70 bytes]");
    expect(results[3]).toMatchObject({ status: "failed", error: { code: "tool_error", message: "the axle is hot" } });
    expect(results[4]).toMatchObject({ status: "failed" });
    // Of the worker's environment a child gets nothing but what its configuration gives, and even that is not repeated.
    expect(results[5]?.result).toBe("YARD_KEY=[secret]");
    const added = { tool_name: "yard__add", description: "Adds two numbers." };
    expect(results[6]?.result).toMatchObject({
      tools: expect.arrayContaining([{ ...added, parameters: expect.objectContaining({ required: ["a", "b"] }) }]),
    });
    const offered = await toolsOf(turn);
    expect(offered).toEqual(expect.arrayContaining(["think", "yard__add", "yard__weigh"]));
    for (const name of offered) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const capable = sent((await stepsOf(kernel, turn))[0]);
    expect(capable.system).toContain("yard__add");
  });

  test("is one process per project, ended by its process id when the worker stops", async () => {
    const mcp = servers();
    const worker = await working(mcp);
    const turn = await run([{ call: "yard__add", arguments: { a: 1, b: 1 } }, { deliver: "{result.1}" }], {
      mcp_servers: ["yard"],
    });
    expect(turn.status).toBe("success");
    await again();
    const children = childrenOf(process.pid).filter((child) => child.command.includes("stdio-server"));
    expect(children).toHaveLength(1);
    await worker.stop();
    await mcp.close();
    await expect
      .poll(() => childrenOf(process.pid).filter((child) => child.command.includes("stdio-server")))
      .toEqual([]);
  });

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "leaves nothing behind when the worker gets %s",
    async (signal) => {
      const settings = { SWITCHYARD_MCP_SERVERS: JSON.stringify(stdio), THE_KEY: "k3y-of-the-yard" };
      const worker = spawnWorker({ DATABASE_URL: kernel.test.url, ...settings }, "ignore");
      onTestFinished(() => void worker.kill("SIGKILL"));
      await seed([{ call: "yard__add", arguments: { a: 1, b: 1 } }, { deliver: "{result.1}" }], {
        mcp_servers: ["yard"],
      });
      const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
      const turn = await untilTurn(kernel, P, agent_turn_id, "ended", 50_000);
      expect(await deliverableOf(kernel, turn)).toBe("2");
      const [server] = childrenOf(worker.pid ?? 0).filter((child) => child.command.includes("stdio-server"));
      if (!server) throw new Error("the worker started its server");
      const left = new Promise((done) => worker.once("exit", done));
      worker.kill(signal);
      await left;
      await expect.poll(() => isAlive(server.pid), { timeout: 5_000 }).toBe(false);
    },
    90_000,
  );

  test("one that exits is started again; a missing command is reported, and the turn runs", async () => {
    const nowhere = McpServersSchema.parse({ ...stdio, gone: { command: "/no/such/program" } });
    await working(servers({ servers: nowhere }));
    const turn = await run(
      [{ call: "yard__leave" }, { wait_ms: 300 }, { call: "gone__x" }, { deliver: "{result.1}" }],
      {
        mcp_servers: ["yard", "gone"],
      },
    );
    expect(await deliverableOf(kernel, turn)).toBe("bye");
    expect(codesIn(await outputOf(kernel, turn))).toEqual(["success", "upstream_unavailable"]);
    const { rows } = await kernel.db.pool.query<{ note: string }>(
      "SELECT note FROM state.agent_steps WHERE agent_turn_id = $1 ORDER BY ordinal",
      [turn.agent_turn_id],
    );
    expect(rows[0]?.note).toContain("without MCP server gone: ");
    const next = await again();
    expect(await deliverableOf(kernel, next)).toBe("bye");
  });

  test("a name that is not configured, or not for this project, starts nothing", async () => {
    const elsewhere = McpServersSchema.parse({ yard: { ...stdio.yard, projects: ["other"] } });
    await working(servers({ servers: elsewhere }));
    const turn = await run([{ call: "yard__add" }, { call: "nobody__x" }, { deliver: "x" }], {
      mcp_servers: ["yard", "nobody"],
    });
    const results = resultsIn(await outputOf(kernel, turn));
    for (const result of results)
      expect(result.error).toMatchObject({
        code: "upstream_unavailable",
        message: expect.stringContaining("SWITCHYARD_MCP_SERVERS"),
      });
    expect(childrenOf(process.pid).filter((child) => child.command.includes("stdio-server"))).toEqual([]);
  });

  test("a tool that is added later is offered to the next turn", async () => {
    await working(servers());
    const turn = await run([{ call: "yard__grow" }, { deliver: "x" }], { mcp_servers: ["yard"] });
    expect(await toolsOf(turn)).not.toContain("yard__late");
    await expect.poll(async () => toolsOf(await again())).toContain("yard__late");
  });
});

describe("behind an address", () => {
  test("is called with the headers that may go there, and with the id of the call", async () => {
    await working(servers());
    const turn = await run([{ call: "docs__add", arguments: { a: 2, b: 2 } }, { deliver: "{result.1}" }], {
      ...byUrl({ headers: { "x-key": `$\{env:KEY}` } }),
    });
    expect(await deliverableOf(kernel, turn)).toBe("4");
    expect(http.headers.at(-1)).toMatchObject({ "x-key": "s3cr3t-of-the-mill" });
    const call = (await outputOf(kernel, turn)).find((card) => card.type === "tool.call");
    expect(http.seen.at(-1)?.meta).toMatchObject({
      "switchyard/tool_call_id": call?.tool_call_id,
      traceparent: expect.stringContaining(turn.trace_id),
    });
  });

  test("is not called if the configuration does not allow it", async () => {
    const closed = { origins: [], secret: () => undefined };
    await working(servers({ outbound: closed }));
    const before = http.headers.length;
    const turn = await run([{ call: "docs__add", arguments: { a: 2, b: 2 } }, { deliver: "x" }], byUrl());
    expect(codesIn(await outputOf(kernel, turn))).toEqual(["upstream_unavailable"]);
    expect(http.headers).toHaveLength(before);
    expect(JSON.stringify(await stepsOf(kernel, turn))).toContain("SWITCHYARD_TOOL_ORIGINS");
  });

  test.each([404, 400] as const)("one that has forgotten its clients (%s) is connected again", async (status) => {
    await working(servers());
    await run([{ call: "docs__add", arguments: { a: 1, b: 2 } }, { deliver: "{result.1}" }], byUrl());
    await http.forget(status);
    expect(await deliverableOf(kernel, await again())).toBe("3");
  });

  test("one that has forgotten its clients when its tools are listed is connected again, too", async () => {
    await working(servers());
    await run([{ call: "docs__grow" }, { deliver: "x" }], byUrl());
    await http.forget();
    await expect.poll(async () => toolsOf(await again()), { timeout: 5_000 }).toContain("docs__add");
  });

  test("one that is down: the turn runs without it, and with it when it is back", async () => {
    const own = await startMcpHttp();
    const port = Number(new URL(own.url).port);
    await own.stop();
    const outbound = { origins: [own.origin], secret: () => undefined };
    await working(servers({ outbound }));
    const call = [{ call: "docs__add", arguments: { a: 1, b: 2 } }, { deliver: "{result.1}" }];
    const away = await run(call, { mcp_servers: [{ name: "docs", url: own.url }] });
    expect(away.status).toBe("success");
    expect(await toolsOf(away)).not.toContain("docs__add");
    expect(codesIn(await outputOf(kernel, away))).toEqual(["upstream_unavailable"]);
    const back = await startMcpHttp(port);
    await expect.poll(async () => deliverableOf(kernel, await again()), { timeout: 10_000, interval: 200 }).toBe("3");
    // Gone once more: the first call notices it, and the next turn is not offered the tool.
    await back.stop();
    expect(codesIn(await outputOf(kernel, await again()))).toEqual(["upstream_unavailable"]);
    expect(await toolsOf(await again())).not.toContain("docs__add");
  });

  test("calls of one step are made at the same time, and a slow one delays no other", async () => {
    await working(servers());
    const calls: { call: string; arguments: Record<string, number> }[] = [
      { call: "docs__wait", arguments: { ms: 30_000 } },
      { call: "docs__wait", arguments: { ms: 10 } },
      { call: "docs__add", arguments: { a: 1, b: 1 } },
    ];
    const turn = await run([{ calls }, { deliver: "x" }], byUrl({ timeout_seconds: 0.5 }));
    expect(codesIn(await outputOf(kernel, turn))).toEqual(["tool_timeout", "success", "success"]);
  });

  test("one that dies during a call fails the call at once", async () => {
    await working(servers());
    await seed([{ call: "docs__wait", arguments: { ms: 40_000 } }, { deliver: "on" }], byUrl());
    const before = http.seen.length;
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
    await expect.poll(() => http.seen.length).toBe(before + 1);
    http.die();
    // Its own timeout is a minute; this wait is shorter.
    const turn = await untilTurn(kernel, P, agent_turn_id);
    expect(codesIn(await outputOf(kernel, turn))).toEqual(["upstream_unavailable"]);
    expect(resultsIn(await outputOf(kernel, turn))[0]?.error?.message).toContain("closed the connection");
    expect(await deliverableOf(kernel, turn)).toBe("on");
  });

  test("a turn that is stopped cancels its call", async () => {
    await working(servers());
    await seed([{ call: "docs__wait", arguments: { ms: 3_000 } }, { deliver: "x" }], byUrl());
    const before = http.seen.length;
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
    await expect.poll(() => http.seen.length).toBe(before + 1);
    await stopTurn(kernel, { project_id: P, agent_turn_id, scope: "turn", by: "test" });
    expect((await untilTurn(kernel, P, agent_turn_id)).status).toBe("canceled");
    await new Promise((done) => setTimeout(done, 3_500));
    expect(http.seen.slice(before).map((call) => call.name)).toEqual(["wait"]);
  });
});

describe("177 which of its tools", () => {
  const calls = [{ call: "docs__add", arguments: { a: 1, b: 1 } }, { call: "docs__weigh" }];
  test.each([
    ["null: all", null, ["success", "success"]],
    ["the server and a star: all", ["docs__*"], ["success", "success"]],
    ["a name: that one", ["docs__add"], ["success", "auth_failed"]],
    ["another server's star: none", ["doc__*", "files__*"], ["auth_failed", "auth_failed"]],
  ])("%s", async (_what, allowed_tools, codes) => {
    await working(servers());
    const turn = await run([{ calls }, { deliver: "x" }], { ...byUrl(), allowed_tools });
    expect(codesIn(await outputOf(kernel, turn))).toEqual(codes);
    const offered = await toolsOf(turn);
    expect(["docs__add", "docs__weigh"].map((name) => (offered.includes(name) ? "success" : "auth_failed"))).toEqual(
      codes,
    );
  });
  test("the project's own tool of the same name wins", async () => {
    await working(servers());
    await seed([{ call: "docs__add" }, { deliver: "x" }], byUrl());
    await saveTool(kernel, { project_id: P, tool: { tool_name: "docs__add" } });
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
    const asleep = await untilTurn(kernel, P, agent_turn_id, "suspended");
    expect(asleep.note).toContain("waits for docs__add");
    expect((await toolsOf(asleep)).filter((name) => name === "docs__add")).toHaveLength(1);
  });
  test("one that needs approval is called after it, with what was approved", async () => {
    await working(servers());
    await seed([{ call: "docs__add", arguments: { a: 1, b: 1 } }, { deliver: "{result.1}" }], {
      ...byUrl(),
      requires_approval: ["docs__add"],
    });
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
    const before = http.seen.length;
    await untilTurn(kernel, P, agent_turn_id, "suspended");
    const { rows } = await kernel.db.pool.query<{ request_id: string }>(
      "SELECT request_id FROM state.human_requests WHERE project_id = $1",
      [P],
    );
    const request_id = rows[0]?.request_id ?? "";
    expect(http.seen).toHaveLength(before);
    const decision = { action: "approve" as const, arguments: { a: 20, b: 1 } };
    await decideRequest(kernel, { project_id: P, request_id, by: "ann", decision });
    expect(await deliverableOf(kernel, await untilTurn(kernel, P, agent_turn_id))).toBe("21");
  });
  test("a profile that names a server and lists none of its tools gets a warning", () => {
    const warnings = (allowed_tools?: string[] | null) =>
      parseProfile({ name: "A", mcp_servers: ["docs"], ...(allowed_tools !== undefined && { allowed_tools }) })
        .warnings;
    expect(warnings()).toEqual([expect.stringContaining("add docs__* to allowed_tools")]);
    expect([...warnings(null), ...warnings(["docs__*"]), ...warnings(["docs__add"])]).toEqual([]);
  });
  test.each([
    [["a__b"], "mcp_servers"],
    [[{ name: "docs", command: "sh" }], "mcp_servers"],
    [[{ name: "docs", url: "file:///etc/passwd" }], "mcp_servers"],
    [[{ name: "docs", url: "https://u:p@h/" }], "mcp_servers"],
    [[{ name: "docs", url: "https://h/", headers: { authorization: "Bearer sk-123" } }], "mcp_servers"],
  ])("%j is refused when the profile is saved", (mcp_servers, place) => {
    expect(() => parseProfile({ name: "A", mcp_servers })).toThrow(place);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function childrenOf(pid: number): { pid: number; command: string }[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [child, parent, ...args] = line.trim().split(/\s+/);
    return Number(parent) === pid ? [{ pid: Number(child), command: args.join(" ") }] : [];
  });
}
