// A worker's connection to one MCP server: its tools, listed once and again when the server says they have changed, and calls
// of them.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type CallToolResult,
  ErrorCode,
  McpError,
  type Tool as McpTool,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { CallCode } from "@/server/contract/failure-codes";
import { strikeOut, strikeOutJson } from "@/server/contract/outbound";
import { isTooDeep, SAID_DEPTH_MAX } from "@/server/kernel/cardbox/canonical-json";
import type { GuestAnswer, GuestCall } from "@/server/kernel/tools/guests";
import { rejected } from "@/server/kernel/tools/inline-tool";
import { log } from "@/server/log";
import { asToolResult, READ_RESOURCE, readResourceTool, uriIn } from "./mcp-resource";
import { mcpResult } from "./mcp-result";
import { runMcpTask } from "./mcp-task";
import { MESSAGE_BYTES_MAX, type Reached } from "./mcp-transport";

/** Rejects with StaleSession if the server no longer knows the session: connect and call again. */
export type McpConnection = {
  /** Their names are the server's own. The connection is over when it does not answer. */
  tools: () => Promise<McpOffered>;
  call: (tool: string, call: GuestCall, signal: AbortSignal | undefined) => Promise<GuestAnswer>;
  isOpen: () => boolean;
  /** Calls under way. */
  active: () => number;
  close: () => Promise<void>;
};

/** `left_out` = names of tools that it lists and nobody can call, and why. */
export type McpOffered = { tools: McpTool[]; left_out: { tool: string; reason: string }[] };

export class StaleSession extends Error {
  constructor() {
    super("it no longer knows the session");
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
/** Every one is part of each request; no provider takes nearly as many. */
const toolsMax = 1_000;
/** As the protocol has it; the SDK knows no name for it. */
const RESOURCE_NOT_FOUND = -32_002;

/** Rejects if the server does not answer the handshake in time; then no process is left behind. */
export async function connectMcp({
  reached,
  version,
  timeoutMs,
  bytesMax,
  fileBytesMax,
}: McpConnectInput): Promise<McpConnection> {
  const { transport, secrets, timeout_seconds } = reached;
  // No sampling, no roots, no questions to the user: a server only answers calls.
  const client = new Client({ name: "switchyard", version }, { capabilities: {} });
  const callMs = timeout_seconds === undefined ? timeoutMs : timeout_seconds * 1_000;
  let isOpen = true;
  let active = 0;
  let listed: Promise<McpOffered> | undefined;
  /** Tools that answer only as tasks. */
  let asTasks = new Set<string>();
  let isReader = false;
  client.onclose = () => {
    isOpen = false;
  };
  const flooded = new AbortController();
  // Reported at each call that it breaks; nobody waits here.
  client.onerror = (error) => {
    log().debug({ reason: strikeOut(error.message, secrets) }, "an MCP connection reported an error");
    // The SDK gives the process seconds to end, in which it goes on writing, and tells those who wait only that it ended.
    if (!isFlood(error) || flooded.signal.aborted) return;
    isOpen = false;
    endProcess(transport);
    flooded.abort(new McpError(ErrorCode.InternalError, `its answer has more than ${MESSAGE_BYTES_MAX} bytes`));
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    listed = undefined;
  });
  try {
    await client.connect(transport, { timeout: connectMsMax, signal: flooded.signal });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }

  /** Some servers answer 400 for an unknown session. Without a session, a 400 is about the request. */
  const isForgotten = (error: unknown): boolean =>
    error instanceof StreamableHTTPError &&
    (error.code === 404 ||
      (error.code === 400 && transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined));

  async function list(): Promise<McpOffered> {
    const listing: McpTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < pagesMax; page++) {
      const { tools: some, nextCursor } = await client
        .listTools({ cursor }, { timeout: connectMsMax, signal: flooded.signal })
        .catch((error: unknown) => {
          if (isForgotten(error)) throw new StaleSession();
          if (error instanceof RangeError) throw tooDeep();
          if (error instanceof Error) error.message = strikeOut(error.message, secrets);
          throw error;
        });
      for (const tool of some) listing.push(tool);
      if (nextCursor === undefined || listing.length > toolsMax) break;
      cursor = nextCursor;
    }
    const isCut = listing.length > toolsMax;
    listing.length = Math.min(listing.length, toolsMax);
    if (isTooDeep(listing)) throw tooDeep();
    const capabilities = client.getServerCapabilities();
    const needsTask = (tool: McpTool) => tool.execution?.taskSupport === "required";
    const runsTasks = capabilities?.tasks?.requests?.tools?.call !== undefined;
    asTasks = new Set(listing.filter(needsTask).map((tool) => tool.name));
    isReader = capabilities?.resources !== undefined && listing.every((tool) => tool.name !== READ_RESOURCE);
    const own = runsTasks ? listing : listing.filter((tool) => !needsTask(tool));
    const tools = isReader ? [...own, readResourceTool] : own;
    const reason = "it can only be run as a task, and its server does not run tasks";
    const left_out = runsTasks ? [] : [...asTasks].map((tool) => ({ tool, reason }));
    if (isCut)
      left_out.push({ tool: "some tools", reason: `it lists more than ${toolsMax}, and the first are offered` });
    const size = Buffer.byteLength(JSON.stringify({ tools, left_out }));
    if (size > bytesMax) throw new Error(`its list of tools has ${size} bytes; ${bytesMax} are the limit`);
    // It becomes part of every request, and a description may repeat what the server was sent.
    return JSON.parse(strikeOutJson(JSON.stringify({ tools, left_out }), secrets));
  }

  /** `onBegun`: what was asked for is under way, and a second call would do it twice. */
  async function answerOf(
    asked: { name: string; arguments: Record<string, unknown>; _meta: Record<string, unknown> },
    signal: AbortSignal | undefined,
    onBegun: () => void,
  ): Promise<CallToolResult> {
    const both = signal ? AbortSignal.any([signal, flooded.signal]) : flooded.signal;
    const options = { timeout: callMs, maxTotalTimeout: callMs, signal: both };
    if (asked.name === READ_RESOURCE && isReader) {
      const uri = uriIn(asked.arguments);
      if (uri === null)
        throw new McpError(ErrorCode.InvalidParams, "uri: not a URI. Give it exactly as the result names it");
      return asToolResult(await client.readResource({ uri, _meta: asked._meta }, options), uri);
    }
    if (asTasks.has(asked.name)) return runMcpTask({ client, asked, callMs, signal: both, onBegun });
    return (await client.callTool(asked, undefined, options)) as CallToolResult;
  }

  async function ask(tool: string, call: GuestCall, signal: AbortSignal | undefined): Promise<GuestAnswer> {
    const { tool_call_id, traceparent } = call;
    const _meta = { "switchyard/tool_call_id": tool_call_id, ...(traceparent && { traceparent }) };
    const asked = { name: tool, arguments: call.arguments, _meta };
    let isBegun = false;
    try {
      const result = await answerOf(asked, signal, () => {
        isBegun = true;
      });
      const { files, ...told } = mcpResult(result, fileBytesMax);
      const text = strikeOutJson(JSON.stringify(told), secrets);
      if (Buffer.byteLength(text) > bytesMax)
        return rejected("payload_too_large", `the result has more than ${bytesMax} bytes; ask for less`);
      return { ...JSON.parse(text), ...(files && { files }) };
    } catch (error) {
      signal?.throwIfAborted();
      if (isForgotten(error) && !isBegun) throw new StaleSession();
      if (flooded.signal.aborted)
        return rejected("payload_too_large", `the answer has more than ${MESSAGE_BYTES_MAX} bytes; ask for less`);
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

/** By its words: the SDK has no type for it. */
const isFlood = (error: Error): boolean => error.message.startsWith("ReadBuffer exceeded");

function endProcess(transport: Transport): void {
  const pid = transport instanceof StdioClientTransport ? transport.pid : null;
  try {
    if (pid !== null) process.kill(pid, "SIGKILL");
  } catch (error) {
    // It ended by itself.
    log().debug({ pid, error: String(error) }, "an MCP server was gone before it was ended");
  }
}

const tooDeep = (): Error => new Error(`its list of tools is nested deeper than ${SAID_DEPTH_MAX} levels`);

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms).unref());

function faultOf(error: unknown, callMs: number): { code: CallCode; message: string } {
  // Server and client put their number before it, each once.
  const said = (error instanceof Error ? error.message : String(error)).replace(/^(MCP error -?\d+: )+/, "");
  const message = said.slice(0, 1_000);
  if (error instanceof RangeError)
    return {
      code: "result_not_serializable",
      message: "the MCP server's answer is nested too deeply; ask it for less",
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
  if (error.code === RESOURCE_NOT_FOUND) return { code: "not_found", message };
  return { code: "mcp_error", message };
}
