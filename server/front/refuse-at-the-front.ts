// Refusals that need only a request's first lines: a call from a tool, a body where none is accepted, and one that is
// declared too large. In the same form as every other refusal.
import type { IncomingMessage, ServerResponse } from "node:http";
import { retryAfterS } from "../contract/errors";
import type { ErrorCode } from "../contract/failure-codes";
import { TOOL_MARK } from "../contract/outbound";
import { uploadBytesMax } from "../env";
import { methods, refuseUnreadable } from "./unreadable";

type Refusal = { status: number; error_code: ErrorCode; error_message: string };

/** True if it has been answered. */
export function refuseAtTheFront(request: IncomingMessage, response: ServerResponse): boolean {
  const refusal = refuseUnreadable(request) ?? ofTool(request) ?? ofPage(request) ?? ofSize(request);
  if (refusal === null) return false;
  answerAtTheFront(request, response, refusal);
  return true;
}

export function answerAtTheFront(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const { status, error_code, error_message } = refusal;
  const path = request.url?.split("?")[0] ?? "";
  const body = path.startsWith("/api/trpc/")
    ? { error: { message: error_message, code: rpcCode, data: { httpStatus: status, error_code, error_message } } }
    : { detail: { error_code, error_message } };
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    ...(status === 429 && { "retry-after": String(retryAfterS(status)) }),
    ...(status === 405 && { allow: refusal === pageRefusal ? "GET, HEAD" : methods.join(", ") }),
  });
  response.end(text);
}

/** tRPC's BAD_REQUEST; the actual code is in `data`. */
const rpcCode = -32600;

function ofTool({ headers }: IncomingMessage): Refusal | null {
  if (headers[TOOL_MARK] === undefined) return null;
  return {
    status: 403,
    error_code: "auth_failed",
    error_message:
      "the address of this tool or MCP server is Switchyard itself; enter the address of the service that does the work",
  };
}

/** Next reads up to 10 MB of one before it asks what it is for. */
function ofPage(request: IncomingMessage): Refusal | null {
  const { method = "", url = "" } = request;
  if (url.startsWith("/api/") || (!hasBody(request) && (method === "GET" || method === "HEAD"))) return null;
  // What the development server's overlay sends.
  if (url.startsWith("/__nextjs") || url.startsWith("/_next/")) return isDevelopment() ? null : pageRefusal;
  return pageRefusal;
}

const pageRefusal: Refusal = {
  status: 405,
  error_code: "not_found",
  error_message: "pages accept GET without a body only; programs use /api/v1",
};

// biome-ignore lint/style/noProcessEnv: Next sets it, before any setting of ours is read.
export const isDevelopment = (): boolean => process.env.NODE_ENV === "development";

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** No other route accepts more; most accept less and check it themselves. */
const bytesMaxElsewhere = 67_108_864;
/** Stored while it arrives, so it is not held in memory. */
const isUpload = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "PUT" && /^\/api\/v1\/projects\/[^/]+\/artifacts\//.test(url);

function ofSize(request: IncomingMessage): Refusal | null {
  const { headers } = request;
  const bytesMax = isUpload(request) ? uploadBytesMax() : bytesMaxElsewhere;
  if (!(Number(headers["content-length"] ?? 0) > bytesMax)) return null;
  return {
    status: 413,
    error_code: "payload_too_large",
    error_message: `the body is over ${bytesMax} bytes, the largest size accepted; send less`,
  };
}
