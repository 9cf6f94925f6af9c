// Runs before Next: requests that it would buffer, wait for or hand to a page are refused on Node's own server, where a
// request is still a socket. Next has no hook for that; Node reports each request before it emits it.
import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { takeAbsoluteForm } from "../access/absolute-form";
import { env } from "../env";
import { drainFirst, isDraining } from "./drain";
import { endStreams, noteAnswer } from "./end-streams";
import { keepTime } from "./keep-time";
import { letCompress } from "./let-compress";
import { isDevelopment, refuseAtTheFront } from "./refuse-at-the-front";
import { sayLength } from "./say-length";
import { type Share, shareConnections } from "./share-connections";

/** Once, when the web server starts. */
export function standBefore(): void {
  if (!isDevelopment()) drainFirst(env().SWITCHYARD_WEB_DRAIN_S * 1_000, endStreams);
  const known = new WeakSet<Server>();
  diagnostics.subscribe("http.server.request.start", (message) => {
    const { server } = message as { server: Server };
    if (known.has(server)) return;
    known.add(server);
    guardServer(server);
  });
}

/** Its listeners are called only for requests that are let through. */
export function guardServer(server: Server, settings: Share = env()): void {
  const begun = keepTime(server);
  const isOverShare = shareConnections(server, settings);
  // Nobody here goes on in another protocol. With a listener, `curl --http2` and Java's client, which offer one and would take
  // HTTP/1.1, were closed without an answer, and what stood open stood outside of all this. Hot reloading does need it.
  if (!isDevelopment()) server.removeAllListeners("upgrade");
  const listeners = server.listeners("request");
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    takeAbsoluteForm(request);
    begun(request, response);
    noteAnswer(response);
    if (isOverShare(request, response)) return;
    request.url = renamed[request.url?.split("?")[0] ?? ""] ?? request.url;
    if (refuseAtTheFront(request, response)) return;
    if (isDraining()) {
      // Clients that keep connections should open the next one elsewhere.
      response.setHeader("connection", "close");
      if (request.url === "/api/readyz") return void response.writeHead(503).end();
    }
    letCompress(request, response);
    sayLength(response);
    for (const listener of listeners) listener.call(server, request, response);
  });
}

/** As container platforms ask for it; a page's proxy would redirect them to the sign-in. */
const renamed: Record<string, string> = Object.assign(Object.create(null), {
  "/livez": "/api/livez",
  "/readyz": "/api/readyz",
});
