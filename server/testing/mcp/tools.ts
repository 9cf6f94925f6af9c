// A small MCP server for tests: tools that answer in every possible way, and one that changes the list of tools.
import { setTimeout as sleep } from "node:timers/promises";
import type { ToolTaskHandler } from "@modelcontextprotocol/sdk/experimental/tasks/interfaces.js";
import { InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";

export type Seen = { name: string; meta: Record<string, unknown> | undefined };

/** A PNG of one pixel. */
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const RUN = "document.title='ran'";
const hostile = [
  {
    uri: "docs://signal.svg",
    mimeType: "image/svg+xml",
    text: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${RUN}"><script>${RUN}</script></svg>`,
  },
  { uri: "docs://page.html", mimeType: "text/html", text: `<!doctype html><script>${RUN}</script>` },
];

/** `seen` gets every call, in order. */
export function testMcpServer(seen: (call: Seen) => void = () => undefined): McpServer {
  const taskStore = new InMemoryTaskStore();
  const server = new McpServer(
    { name: "test", version: "1.0.0" },
    { capabilities: { tasks: { cancel: {}, requests: { tools: { call: {} } } } }, taskStore },
  );
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
  const saw = (name: string, extra: { _meta?: Record<string, unknown> }) => seen({ name, meta: extra._meta });

  server.registerTool(
    "add",
    { description: "Adds two numbers.", inputSchema: { a: z.number(), b: z.number() } },
    async ({ a, b }, extra) => {
      saw("add", extra);
      return text(String(a + b));
    },
  );
  server.registerTool(
    "weigh",
    { description: "Weighs a wagon.", outputSchema: { tons: z.number() } },
    async (extra) => {
      saw("weigh", extra);
      return { ...text('{"tons":12}'), structuredContent: { tons: 12 } };
    },
  );
  server.registerTool("draw", { description: "Draws a signal." }, async () => ({
    content: [
      { type: "text" as const, text: "a signal" },
      { type: "image" as const, mimeType: "image/png", data: DOT },
    ],
  }));
  server.registerTool("attach", { description: "Attaches what must not run." }, async () => ({
    content: hostile.map(({ uri, mimeType, text }) => ({
      type: "resource" as const,
      resource: { uri, mimeType, blob: Buffer.from(text).toString("base64") },
    })),
  }));
  server.registerTool("break", { description: "Fails." }, async () => ({ ...text("the axle is hot"), isError: true }));
  server.registerTool(
    "wait",
    { description: "Takes its time.", inputSchema: { ms: z.number() } },
    async ({ ms }, extra) => {
      saw("wait", extra);
      await sleep(ms, undefined, { signal: extra.signal });
      saw("waited", extra);
      return text("done");
    },
  );
  server.registerTool("variables", { description: "Says which variables it was given." }, async () =>
    text(
      Object.entries(process.env)
        .flatMap(([name, value]) => (/^SWITCHYARD_|^YARD_/.test(name) ? `${name}=${value}` : []))
        .join(" "),
    ),
  );
  server.registerTool("grow", { description: "Offers one tool more." }, async () => {
    server.registerTool("late", { description: "Came later." }, async () => text("here I am"));
    return text("grown");
  });
  server.registerTool("leave", { description: "Ends its process." }, async () => {
    setTimeout(() => process.exit(3), 20);
    return text("bye");
  });
  server.registerTool("look_up", { description: "Names what it found." }, async () => ({
    content: [
      { type: "resource_link" as const, uri: "docs://rules", name: "rules", title: "Rules" },
      { type: "resource_link" as const, uri: "docs://plan.png", name: "plan", mimeType: "image/png" },
    ],
  }));
  resources(server);
  tasks(server);
  server.registerTool("a.name-with.dots", { description: "Has a name with dots." }, async () => text("named"));
  return server;
}

const BINARY = Buffer.from([0, 1, 2, 254, 255]).toString("base64");

function resources(server: McpServer): void {
  const text = (uri: string, said: string) => ({ uri, mimeType: "text/plain", text: said });
  server.registerResource("rules", "docs://rules", {}, async () => ({
    contents: [text("docs://rules", "Stop at red.")],
  }));
  server.registerResource("plan", "docs://plan.png", {}, async () => ({
    contents: [{ uri: "docs://plan.png", mimeType: "image/png", blob: DOT }],
  }));
  server.registerResource("both", "docs://both", {}, async () => ({
    contents: [
      text("docs://both/a", "one"),
      { uri: "docs://both/b", mimeType: "application/octet-stream", blob: BINARY },
    ],
  }));
  // As long as its URI asks for.
  const template = new ResourceTemplate("docs://long/{size}", { list: undefined });
  server.registerResource("long", template, {}, async (uri, { size }) => ({
    contents: [text(uri.href, "x".repeat(Number(size)))],
  }));
}

const shuntInput = { ms: z.number(), fails: z.boolean().optional() };

const shunting: ToolTaskHandler<typeof shuntInput> = {
  createTask: async ({ ms, fails }, { taskStore }) => {
    const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 10 });
    const result = { content: [{ type: "text" as const, text: fails ? "the points are frozen" : "shunted" }] };
    const end = () => taskStore.storeTaskResult(task.taskId, fails ? "failed" : "completed", result);
    // A task that was canceled meanwhile takes no result.
    setTimeout(() => void end().catch(() => undefined), ms).unref();
    return { task };
  },
  getTask: async (_args, { taskStore, taskId }) => taskStore.getTask(taskId),
  getTaskResult: async (_args, { taskStore, taskId }) =>
    (await taskStore.getTaskResult(taskId)) as { content: { type: "text"; text: string }[] },
};

/** Tools that answer only as tasks. */
function tasks(server: McpServer): void {
  const config = {
    description: "Shunts a train, as a task.",
    inputSchema: shuntInput,
    execution: { taskSupport: "required" as const },
  };
  server.experimental.tasks.registerToolTask("shunt", config, shunting);
}
