// Closes connections whose reader does not read or whose writer does not write. Unread streams resume from their cursor;
// unfinished requests were never begun.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { log } from "../log";

/** Time for the line of a request and its headers. */
const headersMs = 15_000;
/** Time for a whole request: the largest import over 256 kbit/s. */
const requestMs = 35 * 60_000;
/** Time without a byte in the expected direction. It does not apply while the server is working on an answer. */
const silentMs = 30_000;
/** How long the rest of a refused body is read and dropped: a caller that is cut off in the middle does not read the refusal. */
const lingerMs = 5_000;
/** Each costs about 50 kB; live pages hold one each. */
const connectionsMax = 2_000;

export type Times = { silentMs?: number; lingerMs?: number };

/** Gives what is to be told of each request. */
export function keepTime(
  server: Server,
  times: Times = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  const silence = times.silentMs ?? silentMs;
  const open = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.maxConnections = connectionsMax;
  server.setTimeout(silence, (socket: Socket) => {
    const exchange = open.get(socket);
    // Also a connection that is kept alive but not used.
    if (exchange === undefined || exchange.response.writableFinished) return void socket.destroy();
    const isUnread = socket.writableLength > 0;
    // Node's timer is set once; an answer that is still thought about has its next look later.
    if (exchange.request.complete && !isUnread) return void socket.setTimeout(silence);
    log().debug({ path: pathOf(exchange.request), isUnread }, "closed a connection that had stopped reading");
    socket.destroy();
  });
  return (request, response) => {
    const { socket } = request;
    open.set(socket, { request, response });
    // Of the very first request: its connection was made before these limits were.
    if (socket.timeout === 0 || socket.timeout === undefined) socket.setTimeout(silence);
    response.once("finish", () => {
      if (request.complete) return;
      // Its reader has stopped but keeps the connection.
      request.removeAllListeners("readable");
      request.resume();
      const lingering = setTimeout(() => socket.destroy(), times.lingerMs ?? lingerMs).unref();
      socket.once("close", () => clearTimeout(lingering));
      request.once("end", () => clearTimeout(lingering));
    });
  };
}

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?")[0] ?? "";
