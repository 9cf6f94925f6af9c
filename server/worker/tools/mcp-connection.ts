// One MCP server that a worker is connected to: what it offers, asked once and again when it says that it has changed, and
// its tools called.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  type CallToolResult,
  ErrorCode,
  McpError,
  type Tool as McpTool,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { CallCode } from "@/server/contract/failure-codes";
import { strikeOut } from "@/server/contract/outbound";
import { isTooDeep, SAID_DEPTH_MAX } from "@/server/kernel/cardbox/canonical-json";
import type { GuestAnswer, GuestCall } from "@/server/kernel/tools/guests";
import { rejected } from "@/server/kernel/tools/inline-tool";
import { log } from "@/server/log";
import { mcpResult } from "./mcp-result";
import type { Reached } from "./mcp-transport";

/** Rejects with StaleSession when the server has forgotten us: connect again and ask again. */
export type McpConnection = {
  /** Their names are the server's own. The connection is over when it does not answer. */
  tools: () => Promise<McpTool[]>;
  call: (tool: string, call: GuestCall, signal: AbortSignal | undefined) => Promise<GuestAnswer>;
  isOpen: () => boolean;
  /** Calls under way. */
  active: () => number;
  close: () => Promise<void>;
};

export class StaleSession extends Error {
  constructor() {
    super("it has forgotten the session");
  }
}

export type McpConnectInput = {
  reached: Reached;
  version: string;
  timeoutMs: number;
  bytesMax: number;
  fileBytesMax: number;
};

const connectMsMax = 10_000;
const pagesMax = 50;

/** Rejects when the server does not greet us in time; no process is left behind then. */
export async function connectMcp({
  reached,
  version,
  timeoutMs,
  bytesMax,
  fileBytesMax,
}: McpConnectInput): Promise<McpConnection> {
  const { transport, secrets, timeout_seconds } = reached;
  // No sampling, no roots, no questions to the user: a server answers calls.
  const client = new Client({ name: "switchyard", version }, { capabilities: {} });
  const callMs = timeout_seconds === undefined ? timeoutMs : timeout_seconds * 1_000;
  let isOpen = true;
  let active = 0;
  let listed: Promise<McpTool[]> | undefined;
  client.onclose = () => {
    isOpen = false;
  };
  // Told at each call that it breaks; nobody waits here.
  client.onerror = (error) =>
    log().debug({ reason: strikeOut(error.message, secrets) }, "a connection to an MCP server complains");
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    listed = undefined;
  });
  try {
    await client.connect(transport, { timeout: connectMsMax });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }

  /** Some say 400 of a session they do not know. Without a session it is about the request. */
  const isForgotten = (error: unknown): boolean =>
    error instanceof StreamableHTTPError &&
    (error.code === 404 ||
      (error.code === 400 && transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined));

  async function list(): Promise<McpTool[]> {
    const tools: McpTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < pagesMax; page++) {
      const { tools: some, nextCursor } = await client
        .listTools({ cursor }, { timeout: connectMsMax })
        .catch((error: unknown) => {
          if (isForgotten(error)) throw new StaleSession();
          if (error instanceof RangeError) throw tooDeep();
          if (error instanceof Error) error.message = strikeOut(error.message, secrets);
          throw error;
        });
      // Such a tool answers no call, only a task that is asked about until it has ended: offered, it fails each time.
      tools.push(...some.filter((tool) => tool.execution?.taskSupport !== "required"));
      if (nextCursor === undefined) break;
      cursor = nextCursor;
    }
    if (isTooDeep(tools)) throw tooDeep();
    // It becomes part of every request, and a description may repeat what the server was sent.
    return JSON.parse(strikeOut(JSON.stringify(tools), inJson(secrets)));
  }

  async function ask(tool: string, call: GuestCall, signal: AbortSignal | undefined): Promise<GuestAnswer> {
    const { tool_call_id, traceparent } = call;
    const _meta = { "switchyard/tool_call_id": tool_call_id, ...(traceparent && { traceparent }) };
    const asked = { name: tool, arguments: call.arguments, _meta };
    try {
      const options = { timeout: callMs, maxTotalTimeout: callMs, ...(signal && { signal }) };
      const result = (await client.callTool(asked, undefined, options)) as CallToolResult;
      const { files, ...told } = mcpResult(result, fileBytesMax);
      const text = strikeOut(JSON.stringify(told), inJson(secrets));
      if (Buffer.byteLength(text) > bytesMax)
        return rejected("payload_too_large", `the result has more than ${bytesMax} bytes; ask for less`);
      return { ...JSON.parse(text), ...(files && { files }) };
    } catch (error) {
      signal?.throwIfAborted();
      if (isForgotten(error)) throw new StaleSession();
      // Not an answer: the next turn asks whether it is there, and is not offered what it cannot call.
      const isClosed = error instanceof McpError && error.code === ErrorCode.ConnectionClosed;
      if (isClosed || !(error instanceof McpError || error instanceof RangeError)) isOpen = false;
      const { code, message } = faultOf(error, callMs);
      return rejected(code, strikeOut(message, secrets));
    }
  }

  async function close(): Promise<void> {
    isOpen = false;
    if (transport instanceof StreamableHTTPClientTransport)
      await Promise.race([transport.terminateSession().catch(() => undefined), pause(1_000)]);
    await client.close().catch(() => undefined);
  }

  return {
    tools: () => {
      if (listed) return listed;
      const asked = list();
      listed = asked;
      asked.catch(() => {
        if (listed === asked) listed = undefined;
        // One that does not say what it offers would be asked by every turn, and by none be greeted again.
        isOpen = false;
        if (active === 0) void close();
      });
      return asked;
    },
    call: async (tool, call, signal) => {
      active++;
      try {
        return await ask(tool, call, signal);
      } finally {
        active--;
        if (!isOpen && active === 0) void close();
      }
    },
    isOpen: () => isOpen,
    active: () => active,
    close,
  };
}

const tooDeep = (): Error => new Error(`what it offers is nested deeper than ${SAID_DEPTH_MAX} levels`);

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms).unref());

const inJson = (secrets: string[]): string[] => secrets.map((secret) => JSON.stringify(secret).slice(1, -1));

function faultOf(error: unknown, callMs: number): { code: CallCode; message: string } {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, 1_000);
  if (error instanceof RangeError)
    return {
      code: "result_not_serializable",
      message: "the MCP server's answer is nested too deep to be read; ask it for less",
    };
  if (!(error instanceof McpError))
    return { code: "upstream_unavailable", message: `the MCP server failed: ${message}` };
  if (error.code === ErrorCode.RequestTimeout)
    return {
      code: "tool_timeout",
      message: `the MCP server did not answer within ${callMs / 1_000} s; ask for less, or raise timeout_seconds of the server`,
    };
  if (error.code === ErrorCode.ConnectionClosed)
    return { code: "upstream_unavailable", message: "the MCP server closed the connection; try again" };
  if (error.code === ErrorCode.InvalidParams) return { code: "bad_request", message };
  return { code: "mcp_error", message };
}
