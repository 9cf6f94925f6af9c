// Next compresses what it sends (docs/decisions/next.md), and left out every answer of the API: it writes the type of those
// as a list of one, which its own middleware reads as no type. Mended here, it would also compress event streams, ranges
// and answers of ten bytes, so this says for each answer whether it may.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";

/** Before Next sees the request: what it puts around an answer then stands outside of this. */
export function letCompress(request: IncomingMessage, response: ServerResponse): void {
  // A range is counted in the bytes of the file itself. The middleware would pack the piece and keep the count.
  if (request.headers.range !== undefined) delete request.headers["accept-encoding"];
  const { setHeader, flushHeaders } = response;
  response.setHeader = (name, value) => {
    if (name.toLowerCase() !== "content-type") return setHeader.call(response, name, value);
    const type = Array.isArray(value) && value.length === 1 ? (value[0] ?? "") : value;
    if (isOf(type, "text/event-stream")) forbidTransform(response, setHeader);
    return setHeader.call(response, name, type);
  };
  // Next calls this right before it writes the first bytes, and knows no length by then.
  response.flushHeaders = () => {
    if (isOf(response.getHeader("content-type"), "application/json")) holdFirst(response);
    else flushHeaders.call(response);
  };
}

/** An event is to arrive when it happens: the middleware heeds this, and so does a proxy. */
function forbidTransform(response: ServerResponse, setHeader: ServerResponse["setHeader"]): void {
  const said = response.getHeader("cache-control")?.toString();
  if (said?.includes("no-transform")) return;
  setHeader.call(response, "Cache-Control", said === undefined ? "no-transform" : `${said}, no-transform`);
}

/**
 * Almost every answer of the API is one chunk. Held until the next or the end, it is sent with its length, from which the
 * middleware sees that a tiny one is not worth it.
 */
function holdFirst(response: ServerResponse): void {
  const { write, end } = response;
  let first: Uint8Array | undefined;
  const letGo = (): void => {
    response.write = write;
    response.end = end;
  };
  response.write = (chunk: Uint8Array) => {
    if (first === undefined) {
      first = chunk;
      return true;
    }
    letGo();
    response.write(first);
    return response.write(chunk);
  };
  response.end = (...last: unknown[]) => {
    letGo();
    if (first === undefined || last.length > 0) {
      if (first !== undefined) response.write(first);
      return Reflect.apply(end, response, last);
    }
    response.setHeader("Content-Length", first.byteLength);
    return response.end(first);
  };
}

const isOf = (type: OutgoingHttpHeaders[string], wanted: string): boolean =>
  typeof type === "string" && type.split(";")[0]?.trim().toLowerCase() === wanted;
