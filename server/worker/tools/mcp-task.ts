// A tool that answers only as a task (execution.taskSupport: required): the server is asked to begin, then how far it is, until
// it has ended. Here and not the SDK's stream: that one sleeps as long as a server says, and nothing ends it before.
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  type CallToolRequest,
  type CallToolResult,
  CallToolResultSchema,
  CreateTaskResultSchema,
  ErrorCode,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";

export type McpTaskInput = {
  client: Client;
  asked: CallToolRequest["params"];
  /** For all of it, from the first request to the result. */
  callMs: number;
  signal: AbortSignal | undefined;
  /** Its task exists: from here on nobody may begin it again. */
  onBegun: () => void;
};

const POLL_MIN_MS = 100;
const POLL_MAX_MS = 5_000;

/** Rejects like a call: with McpError (RequestTimeout when its time is over), or with the signal's reason. */
export async function runMcpTask({ client, asked, callMs, signal, onBegun }: McpTaskInput): Promise<CallToolResult> {
  const time = AbortSignal.timeout(callMs);
  const ends = signal ? AbortSignal.any([signal, time]) : time;
  const options = { timeout: callMs, maxTotalTimeout: callMs, signal: ends };
  const { tasks } = client.experimental;
  let taskId: string | undefined;
  try {
    const begun = { ...options, task: { ttl: callMs } };
    const { task } = await client.request({ method: "tools/call", params: asked }, CreateTaskResultSchema, begun);
    taskId = task.taskId;
    onBegun();
    for (let now = task; ; now = await tasks.getTask(taskId, options)) {
      if (now.status === "cancelled") throw new McpError(ErrorCode.InternalError, "the server canceled the task");
      if (now.status === "input_required")
        throw new McpError(
          ErrorCode.InvalidRequest,
          "the task asks its caller for input, which Switchyard does not give",
        );
      // Of a failed one the result says why.
      if (now.status !== "working") {
        const result = await tasks.getTaskResult(taskId, CallToolResultSchema, options);
        return now.status === "failed" ? { ...result, isError: true } : result;
      }
      await sleep(Math.min(Math.max(now.pollInterval ?? 1_000, POLL_MIN_MS), POLL_MAX_MS), undefined, { signal: ends });
    }
  } catch (error) {
    // Nobody waits for it any more. One that has ended refuses this, and that is no news.
    if (taskId !== undefined) void tasks.cancelTask(taskId, { timeout: 1_000 }).catch(() => undefined);
    signal?.throwIfAborted();
    if (time.aborted) throw new McpError(ErrorCode.RequestTimeout, "the task did not end in time");
    throw error;
  }
}
