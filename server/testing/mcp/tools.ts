// A small MCP server for tests: tools that answer in every way there is, and one that changes what is offered.
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";

export type Seen = { name: string; meta: Record<string, unknown> | undefined };

/** A PNG of one pixel. */
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** `seen` is told of every call, in order. */
export function testMcpServer(seen: (call: Seen) => void = () => undefined): McpServer {
  const server = new McpServer({ name: "test", version: "1.0.0" });
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
  server.registerTool("a.name-with.dots", { description: "Has a name with dots." }, async () => text("named"));
  return server;
}
