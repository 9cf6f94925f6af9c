// A server over standard streams that writes an endless line: its call fails at once and says why, its process is ended,
// and the next call has a new one.
import { expect, onTestFinished, test } from "vitest";
import { McpServers as McpServersSchema } from "@/server/contract/mcp-server";
import { ProfileBody } from "@/server/contract/profile";
import { tunables } from "@/server/kernel/tunables";
import { createMcpServers } from "./mcp-servers";

const SERVER = `
  const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  const tool = (name) => ({ name, inputSchema: { type: "object" } });
  const piece = "x".repeat(65536);
  const flood = () => { while (process.stdout.write(piece)); process.stdout.once("drain", flood); };
  require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize") say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "t", version: "1" } });
    if (method === "tools/list") process.argv[1] === "list" ? flood() : say(id, { tools: [tool("pid"), tool("flood")] });
    if (method !== "tools/call") return;
    if (params.name === "flood") flood();
    else say(id, { content: [{ type: "text", text: String(process.pid) }] });
  });
  process.stdin.on("end", () => undefined);
  process.on("SIGTERM", () => undefined);`;

async function guestsOf(...args: string[]) {
  const servers = createMcpServers({
    servers: McpServersSchema.parse({ wild: { command: process.execPath, args: ["-e", SERVER, ...args] } }),
    outbound: { origins: [], secret: () => undefined },
    variable: () => undefined,
    tunables,
    version: "test",
  });
  onTestFinished(() => servers.close());
  const profile = ProfileBody.parse({ name: "Solo", mcp_servers: ["wild"] });
  const guests = await servers.guestsOf({ project_id: "p", profile, signal: new AbortController().signal });
  if (!guests) throw new Error("a profile names a server and nothing came back");
  return guests;
}
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("the call says so, other calls of the connection too, and the next one has a new process", async () => {
  const guests = await guestsOf();
  const call = (tool: string) =>
    guests.call({ tool_name: `wild__${tool}`, arguments: {}, tool_call_id: "c" }, undefined);
  const pidOf = async () => Number((await call("pid")).result);
  const first = await pidOf();
  const begun = Date.now();
  const [one, other] = await Promise.all([call("flood"), call("flood")]);
  for (const answer of [one, other])
    expect(answer.error).toEqual({
      code: "payload_too_large",
      message: "the answer has more than 10485760 bytes; ask for less",
    });
  // Its own timeout is a minute, and the process ignores a polite request to stop.
  expect(Date.now() - begun).toBeLessThan(15_000);
  await expect.poll(() => isAlive(first)).toBe(false);
  expect(await pidOf()).not.toBe(first);
});

test("one that floods its list of tools is unavailable, and the reason is given", async () => {
  const guests = await guestsOf("list");
  expect(guests.tools).toEqual([]);
  expect(guests.away).toEqual([{ server: "wild", reason: expect.stringContaining("more than 10485760 bytes") }]);
});
