// One address does not take all connections: two thousand of them, held open by one client, kept everybody else out. A live
// page or a stream holds one for as long as it is open. Counted are requests that are not answered to the end, by their
// caller behind trusted proxies, and connections as such, by their socket, where no proxy is trusted.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressOf, isProxy, markPeer, peerHeader, type Trust } from "../access/peer";
import type { Env } from "../env";
import { answerAtTheFront } from "./refuse-at-the-front";

export type Share = Trust & Pick<Env, "SWITCHYARD_CONNECTIONS_PER_ADDRESS">;

/** Connections above a share that still get an explanation; further ones are closed without one. */
const TOLD_MAX = 16;

/** Returns the check for each request: true if it was refused. */
export function shareConnections(
  server: Server,
  settings: Share,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const max = settings.SWITCHYARD_CONNECTIONS_PER_ADDRESS;
  const sockets = new Map<string, number>();
  const requests = new Map<string, number>();
  const held = new WeakSet<Socket>();
  /** From this machine and without a request so far; oldest first. */
  const silent = new Set<Socket>();

  function hold(socket: Socket): void {
    const from = socket.remoteAddress ?? "";
    if (held.has(socket) || isProxy(from, settings)) return;
    held.add(socket);
    const address = addressOf({ get: (name) => (name === peerHeader ? from : null) }, settings);
    const open = add(sockets, address, 1);
    socket.once("close", () => add(sockets, address, -1));
    if (!loopback.has(address)) {
      if (open > max + TOLD_MAX) socket.destroy();
      return;
    }
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
    // The supervisor asks from this machine whether the server still answers: the new one stays, and one that has said
    // nothing for longest goes. All stayed once, and a program on this machine could take every connection.
    const [longest] = silent;
    if (open > max + TOLD_MAX) longest?.destroy();
  }
  server.on("connection", hold);

  return (request, response) => {
    hold(request.socket);
    silent.delete(request.socket);
    markPeer(request);
    const address = addressOf({ get: (name) => text(request.headers[name]) }, settings);
    const open = Math.max(add(requests, address, 1), sockets.get(address) ?? 0);
    response.once("close", () => add(requests, address, -1));
    if (open <= max || probes.has(request.url ?? "")) return false;
    response.setHeader("connection", "close");
    answerAtTheFront(request, response, {
      status: 429,
      error_code: "too_many_connections",
      error_message: `this address holds ${open} connections, and ${max} are its share; close pages or streams you don't need, or raise SWITCHYARD_CONNECTIONS_PER_ADDRESS (behind a proxy, set SWITCHYARD_TRUSTED_PROXIES too)`,
    });
    return true;
  };
}

/** Of whoever watches over the server: unanswered, it would be started again. */
const probes = new Set(["/livez", "/readyz"]);
/** In the format of addressOf. */
const loopback = new Set(["127.0.0.1", "0:0:0:0::/64"]);

function add(counts: Map<string, number>, address: string, n: 1 | -1): number {
  const count = (counts.get(address) ?? 0) + n;
  if (count > 0) counts.set(address, count);
  else counts.delete(address);
  return count;
}

const text = (value: string | string[] | undefined): string | null =>
  Array.isArray(value) ? value.join(",") : (value ?? null);
