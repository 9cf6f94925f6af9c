// The service of a tool, on loopback: it answers as a test tells it to, and remembers what it was asked.
import http from "node:http";
import type { AddressInfo } from "node:net";

export type Asked = { path: string; headers: http.IncomingHttpHeaders; body: Record<string, unknown> };
export type Answer = (asked: Asked, response: http.ServerResponse) => unknown;

export type ToolService = {
  origin: string;
  port: number;
  asked: Asked[];
  /** Connections whose caller went away before the answer. */
  hungUp: () => number;
  stop: () => Promise<void>;
};

/** A value that `answer` gives is sent as JSON; without one it has answered by itself, or will. */
export async function startToolService(answer: Answer): Promise<ToolService> {
  const asked: Asked[] = [];
  let hungUp = 0;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on("close", () => {
      if (!response.writableFinished) hungUp++;
    });
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = {
        path: request.url ?? "",
        headers: request.headers,
        body: JSON.parse(String(Buffer.concat(chunks))),
      };
      asked.push(one);
      void Promise.resolve(answer(one, response)).then((said) => {
        if (said !== undefined)
          response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(said));
      });
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    asked,
    hungUp: () => hungUp,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
