// The answer of an MCP server is held in memory until it ends, so one that never ended used up its worker's memory and stopped
// the turns of all others. A stream of events may be endless; one event of it may not.
import { Readable } from "node:stream";

/** A result with several of the largest files that are kept, as base64. */
const BYTES_MAX = 67_108_864;

export class TooLong extends Error {}

/** The response as it is; its body breaks off with TooLong where it goes on for more than that. */
export function boundAnswer(response: Response, bytesMax = BYTES_MAX): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
  const pieces = Readable.from(counted(body, isStream, bytesMax), { objectMode: false });
  return new Response(Readable.toWeb(pieces) as ReadableStream, { status, statusText, headers });
}

async function* counted(
  body: ReadableStream<Uint8Array>,
  isStream: boolean,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const piece of body) {
    const end = isStream ? lastEnd(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)) : -1;
    count = end === -1 ? count + piece.byteLength : piece.byteLength - end;
    if (count > bytesMax) throw new TooLong(`its answer has more than ${bytesMax} bytes; ask it for less`);
    yield piece;
  }
}

/** Where the last event of a piece ends. An end that two pieces share is not seen, and the next one is. */
const lastEnd = (piece: Buffer): number => Math.max(piece.lastIndexOf("\n\n"), piece.lastIndexOf("\r\n\r\n"));
