// What a server says of itself, spoken to without a wire: nothing that it was sent comes back with it.
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema, type ListToolsResult } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { connectMcp, type McpConnection } from "./mcp-connection";

const SECRET = 's3cr3t-"of"-the-mill';

async function connected(list: () => ListToolsResult): Promise<McpConnection> {
  const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => list());
  const [transport, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  return connectMcp({
    reached: { transport, secrets: [SECRET] },
    version: "1",
    timeoutMs: 1_000,
    fileBytesMax: 1_000,
    bytesMax: 1_000,
  });
}

test("a secret in a description or in an error of the list is struck out", async () => {
  const told = await connected(() => ({
    tools: [{ name: "a", description: `I was sent ${SECRET}`, inputSchema: { type: "object" } }],
  }));
  expect((await told.tools())[0]?.description).toBe("I was sent [secret]");
  await told.close();
  const refused = await connected(() => {
    throw new Error(`who is ${SECRET}?`);
  });
  await expect(refused.tools()).rejects.toThrow("who is [secret]?");
});

test("a tool that can only be run as a task is not offered", async () => {
  const inputSchema = { type: "object" as const };
  const some = await connected(() => ({
    tools: (["required", "optional", "forbidden"] as const).map((taskSupport) => ({
      name: taskSupport,
      inputSchema,
      execution: { taskSupport },
    })),
  }));
  expect((await some.tools()).map(({ name }) => name)).toEqual(["optional", "forbidden"]);
  await some.close();
});

test("a connection on which it does not say what it offers is over", async () => {
  const open = await connected(() => {
    throw new Error("not now");
  });
  await expect(open.tools()).rejects.toThrow("not now");
  await expect.poll(() => open.isOpen()).toBe(false);
});
