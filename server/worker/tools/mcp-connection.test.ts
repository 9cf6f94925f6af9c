// What a server says about itself, tested in memory: it contains nothing that the server was sent.
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  ListToolsRequestSchema,
  type ListToolsResult,
  type ServerCapabilities,
} from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { connectMcp, type McpConnection } from "./mcp-connection";

const SECRET = 's3cr3t-"of"-the-mill';

async function connected(
  list: () => ListToolsResult,
  more: ServerCapabilities = {},
  { secret = SECRET, bytesMax = 1_000 } = {},
): Promise<McpConnection> {
  const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: {}, ...more } });
  server.setRequestHandler(ListToolsRequestSchema, async () => list());
  const [transport, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  return connectMcp({
    reached: { transport, secrets: [secret] },
    version: "1",
    timeoutMs: 1_000,
    fileBytesMax: 1_000,
    bytesMax,
  });
}

test("a secret in a description or in an error of the list is removed", async () => {
  const told = await connected(() => ({
    tools: [{ name: "a", description: `I was sent ${SECRET}`, inputSchema: { type: "object" } }],
  }));
  expect((await told.tools()).tools[0]?.description).toBe("I was sent [secret]");
  await told.close();
  const refused = await connected(() => {
    throw new Error(`who is ${SECRET}?`);
  });
  await expect(refused.tools()).rejects.toThrow("who is [secret]?");
});

test("a secret that is a number does not make a list unreadable", async () => {
  const inputSchema = { type: "object" as const, properties: { n: { type: "number", maximum: 4_815_162_342 } } };
  const open = await connected(() => ({ tools: [{ name: "a", inputSchema }] }), {}, { secret: "4815162342" });
  expect((await open.tools()).tools[0]?.inputSchema.properties).toEqual({ n: { type: "number", maximum: "[secret]" } });
  await open.close();
});

test("of an endless list the first tools are offered, with a notice; one that is too large is refused", async () => {
  const many = () => ({
    tools: Array.from({ length: 600 }, (_, i) => ({ name: `t${i}`, inputSchema: { type: "object" as const } })),
    nextCursor: "more",
  });
  const open = await connected(many, {}, { bytesMax: 1_000_000 });
  const { tools, left_out } = await open.tools();
  expect(tools).toHaveLength(1_000);
  expect(left_out).toEqual([{ tool: "some tools", reason: "it lists more than 1000, and the first are offered" }]);
  await open.close();
  const large = await connected(many);
  await expect(large.tools()).rejects.toThrow(/its list of tools has \d+ bytes; 1000 are the limit/);
});

const three = (): ListToolsResult => ({
  tools: (["required", "optional", "forbidden"] as const).map((taskSupport) => ({
    name: taskSupport,
    inputSchema: { type: "object" },
    execution: { taskSupport },
  })),
});

test("a tool that can only run as a task is offered if its server runs tasks; otherwise the reason is given", async () => {
  const without = await connected(three);
  const { tools, left_out } = await without.tools();
  expect(tools.map(({ name }) => name)).toEqual(["optional", "forbidden"]);
  expect(left_out).toEqual([{ tool: "required", reason: expect.stringContaining("its server does not run tasks") }]);
  await without.close();
  const able = await connected(three, { tasks: { requests: { tools: { call: {} } } } });
  expect((await able.tools()).tools.map(({ name }) => name)).toEqual(["required", "optional", "forbidden"]);
  expect((await able.tools()).left_out).toEqual([]);
  await able.close();
});

test("a server with resources has a tool that reads them, unless it has one of that name", async () => {
  const named = (name: string) => (): ListToolsResult => ({ tools: [{ name, inputSchema: { type: "object" } }] });
  const ours = await connected(named("a"), { resources: {} });
  expect((await ours.tools()).tools.map(({ name }) => name)).toEqual(["a", "read_resource"]);
  await ours.close();
  const theirs = await connected(named("read_resource"), { resources: {} });
  expect((await theirs.tools()).tools).toEqual(named("read_resource")().tools);
  await theirs.close();
  const none = await connected(named("a"));
  expect((await none.tools()).tools).toHaveLength(1);
  await none.close();
});

test("a connection on which the server does not list its tools is closed", async () => {
  const open = await connected(() => {
    throw new Error("not now");
  });
  await expect(open.tools()).rejects.toThrow("not now");
  await expect.poll(() => open.isOpen()).toBe(false);
});
