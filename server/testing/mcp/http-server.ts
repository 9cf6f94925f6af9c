// The test's MCP server behind an address on loopback, with sessions as servers have them.
import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { type Seen, testMcpServer } from "./tools";

export type McpHttpServer = {
  url: string;
  origin: string;
  seen: Seen[];
  /** Of the requests so far. */
  headers: http.IncomingHttpHeaders[];
  sessions: () => number;
  /** Like a restarted server: it has forgotten its clients. */
  forget: (status?: 400 | 404) => Promise<void>;
  /** Like a crashed server: its answers break off. */
  die: () => void;
  stop: () => Promise<void>;
};

export async function startMcpHttp(port = 0): Promise<McpHttpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const seen: Seen[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  let unknown: 400 | 404 = 404;
  const server = http.createServer((request, response) => {
    headers.push(request.headers);
    void answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (known) return known.handleRequest(request, response);
    if (id !== undefined) return void response.writeHead(unknown).end("no such session");
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
      onsessionclosed: (session) => void sessions.delete(session),
    });
    await testMcpServer((call) => seen.push(call)).connect(transport);
    return transport.handleRequest(request, response);
  }

  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const forget = async (status: 400 | 404 = 404) => {
    unknown = status;
    const all = [...sessions.values()];
    sessions.clear();
    await Promise.all(all.map((transport) => transport.close()));
  };
  return {
    url: `${origin}/mcp`,
    origin,
    seen,
    headers,
    sessions: () => sessions.size,
    forget,
    die: () => server.closeAllConnections(),
    stop: async () => {
      await forget();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
