// A server that dies while it answers over HTTP leaves a truncated stream, and the SDK does not tell the callers that wait:
// the call stayed open until its timeout. So the stream is ended with the error that is used for a closed pipe.
import { Readable } from "node:stream";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "@/server/contract/is-record";
import { TooLong } from "./bounded-answer";

/** The response as it is, unless it is a stream of events that answers one request. */
export function endBroken(body: unknown, response: Response): Response {
  const id = idOf(body);
  const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
  if (id === null || !isStream || response.body === null) return response;
  const { status, statusText, headers } = response;
  const whole = Readable.toWeb(Readable.from(untilBroken(response.body, id), { objectMode: false }));
  return new Response(whole as ReadableStream, { status, statusText, headers });
}

async function* untilBroken(stream: ReadableStream<Uint8Array>, id: string | number): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let tail = "";
  let isAnswered = false;
  let isResumable = false;
  let told = { code: ErrorCode.ConnectionClosed as number, message: "Connection closed" };
  try {
    for await (const piece of stream) {
      const text = tail + decoder.decode(piece, { stream: true });
      isAnswered ||= /"(result|error)"\s*:/.test(text);
      // Ended in order and with ids: the SDK asks for the rest.
      isResumable ||= /^id:/m.test(text);
      tail = text.slice(-32);
      yield piece;
    }
    if (isResumable) return;
  } catch (error) {
    // Also with ids: the SDK would ask a dead server for the rest, and not report that there is none.
    if (error instanceof TooLong) {
      isAnswered = false;
      told = { code: ErrorCode.InternalError, message: error.message };
    }
    if (isAnswered) throw error;
  }
  if (isAnswered) return;
  yield new TextEncoder().encode(`\n\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, error: told })}\n\n`);
}

function idOf(body: unknown): string | number | null {
  if (typeof body !== "string") return null;
  const message: unknown = JSON.parse(body);
  if (!isRecord(message)) return null;
  return typeof message.id === "string" || typeof message.id === "number" ? message.id : null;
}
