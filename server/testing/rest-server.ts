// The REST interface on a port of its own, for programs that are tested from outside. What Next does for the product is done
// here by Node's own server.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { env } from "@/server/env";
import { serveRest } from "@/server/interop/rest/serve";
import type { Kernel } from "@/server/kernel/kernel";

export type RestServer = { url: string; close: () => Promise<void> };

export async function serveRestOnPort(kernel: Kernel): Promise<RestServer> {
  const server = http.createServer((incoming, outgoing) => {
    answer(kernel, incoming, outgoing).catch((error) => outgoing.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(kernel: Kernel, incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
  // The wall against foreign hosts goes by the product's own port.
  const host = `127.0.0.1:${env().PORT}`;
  const headers = new Headers({ ...(incoming.headers as Record<string, string>), host });
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
  const request = new Request(`http://${host}${incoming.url}`, {
    method: incoming.method,
    headers,
    signal: gone.signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
  });
  const { status, headers: sent, body } = await serveRest(kernel, request, new URL(request.url).pathname.slice(7));
  outgoing.writeHead(status, Object.fromEntries(sent));
  if (body === null) outgoing.end();
  else Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]).pipe(outgoing);
}
