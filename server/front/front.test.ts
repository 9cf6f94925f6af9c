// What Node's own server does for a request before the framework sees it. A real server and real sockets, with short times.
import http from "node:http";
import net from "node:net";
import { afterEach, expect, test } from "vitest";
import { refuseForeign } from "../guard";
import { keepTime } from "./keep-time";
import { guardServer } from "./stand-before";

const servers: http.Server[] = [];
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    }),
  );
});

async function listen(
  answer: http.RequestListener,
  guard: (server: http.Server) => void = guardServer,
): Promise<{ port: number; url: string; server: http.Server }> {
  const server = http.createServer(answer);
  guard(server);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as net.AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, server };
}
const fine: http.RequestListener = (request, response) => void response.end(`fine ${request.url}`);

/** Everything that comes back over a bare socket until the other side closes it. */
function bare(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let said = "";
    const socket = net.connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      said += chunk;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(said));
  });
}

test.each(["/", "/p/demo", "/api/v1/health", "/api/v1/projects", "/api/trpc/project.list", "/api/session", "/livez"])(
  "a tool's call of %s is refused, whatever else it brings",
  async (path) => {
    const seen: string[] = [];
    const { url } = await listen((request, response) => {
      seen.push(request.url ?? "");
      response.end();
    });
    for (const method of ["GET", "POST", "DELETE"]) {
      const headers = { "x-switchyard-tool": "1", authorization: "Bearer 0123456789abcdef" };
      const response = await fetch(`${url}${path}`, { method, headers });
      expect(response.status).toBe(403);
      expect(JSON.stringify(await response.json())).toContain("the address of this tool or MCP server is Switchyard");
    }
    expect(seen).toEqual([]);
  },
);

// curl --http2 and Java's own client offer it with every first request; Next closes such a connection without a word, or
// leaves it open, and none of it passes the walls.
test.each([
  ["h2c", "connection: upgrade, http2-settings, close\r\nhttp2-settings: AAMAAABkAAQCAAAAAAIAAAAA"],
  [
    "websocket",
    "connection: upgrade, close\r\nsec-websocket-version: 13\r\nsec-websocket-key: x3JJHMbDL1EzLkh9GBhXDw==",
  ],
])(
  "an offer to go on in %s is passed over: the request is answered and refused like any other",
  async (name, headers) => {
    const upgraded: string[] = [];
    const { port, url } = await listen(fine, (server) => {
      server.on("upgrade", (request, socket) => {
        upgraded.push(request.url ?? "");
        socket.end();
      });
      guardServer(server);
    });
    expect((await fetch(`${url}/api/v1/health`)).status).toBe(200);
    const ask = (path: string, more = "") =>
      bare(port, `GET ${path} HTTP/1.1\r\nhost: a\r\nupgrade: ${name}\r\n${headers}\r\n${more}\r\n`);
    expect(await ask("/api/v1/health")).toContain("fine /api/v1/health");
    expect(await ask("/api/v1/health", "x-switchyard-tool: 1\r\n")).toContain("403 ");
    expect(upgraded).toEqual([]);
  },
);

test("a page takes no body and no other method, and its bytes are not kept", async () => {
  const { url, port } = await listen(fine);
  expect((await fetch(`${url}/p/demo`)).status).toBe(200);
  expect((await fetch(`${url}/p/demo`, { method: "HEAD" })).status).toBe(200);
  const posted = await fetch(`${url}/p/demo`, { method: "POST", body: "x".repeat(100_000) });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect(await posted.json()).toMatchObject({ detail: { error_code: "not_found" } });
  const withBody = `GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 5\r\n\r\nhello`;
  expect(await bare(port, withBody)).toContain("405 ");
});

test("a body that says it is over every limit is refused before it is sent, in the words of each interface", async () => {
  const { port } = await listen(fine);
  const ask = (path: string) =>
    bare(port, `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 600000000\r\n\r\n`);
  expect(await ask("/api/v1/projects/p/cards")).toMatch(/413 .*"detail":\{"error_code":"payload_too_large"/s);
  expect(await ask("/api/trpc/card.save")).toMatch(/413 .*"data":\{"httpStatus":413,"error_code":"payload_too_large"/s);
});

test("how a container platform asks reaches the handler by its own name", async () => {
  const { url } = await listen(fine);
  expect(await (await fetch(`${url}/livez`)).text()).toBe("fine /api/livez");
  expect(await (await fetch(`${url}/readyz?x=1`)).text()).toBe("fine /api/readyz");
  expect(await (await fetch(`${url}/constructor`)).text()).toBe("fine /constructor");
});

const impatient = (server: http.Server) => {
  const begun = keepTime(server, { silentMs: 300, lingerMs: 300 });
  server.prependListener("request", begun);
};
const isHeld = (socket: net.Socket) => !socket.destroyed;
const connect = async (port: number, text: string): Promise<net.Socket> => {
  const socket = net.connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await new Promise((done) => socket.once("connect", done));
  socket.write(text);
  return socket;
};

test("a reader that does not read and a writer that does not write are let go; one whose answer takes thought is not", async () => {
  let answer: (() => void) | undefined;
  const { port, server } = await listen((request, response) => {
    if (request.url === "/much") response.end("x".repeat(50_000_000));
    else if (request.url === "/thought") answer = () => response.end("thought");
    else request.resume();
  }, impatient);
  const reader = await connect(port, "GET /much HTTP/1.1\r\nhost: a\r\n\r\n");
  reader.pause();
  const writer = await connect(port, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nx");
  writer.resume();
  const shy = await connect(port, "GET / HT");
  shy.resume();
  const thinker = await connect(port, "GET /thought HTTP/1.1\r\nhost: a\r\n\r\n");
  let said = "";
  thinker.on("data", (chunk) => {
    said += chunk;
  });
  const held = () => new Promise((done) => server.getConnections((_error, count) => done(count)));
  await expect.poll(() => [writer, shy].some(isHeld)).toBe(false);
  await expect.poll(held).toBe(1);
  expect(isHeld(thinker)).toBe(true);
  reader.destroy();
  answer?.();
  await expect.poll(() => said).toContain("thought");
});

test("a caller that goes on sending reads the refusal, and is cut off", async () => {
  const { port } = await listen((_request, response) => void response.writeHead(413).end("too much"), impatient);
  let said = "";
  const socket = await connect(port, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 600000000\r\n\r\n");
  socket.on("data", (chunk) => {
    said += chunk;
  });
  const sending = setInterval(() => socket.write("x".repeat(100_000)), 20);
  await expect.poll(() => said).toContain("413 ");
  await expect.poll(() => isHeld(socket)).toBe(false);
  clearInterval(sending);
});

test("what the framework would answer with a 500 is refused in words: a method, a target, an escape", async () => {
  const { port } = await listen(fine);
  const ask = (line: string) => bare(port, `${line} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
  expect(await ask("TRACE /")).toMatch(/^HTTP\/1.1 405.*allow: GET, HEAD, POST.*"error_code":"bad_request"/is);
  expect(await ask("OPTIONS *")).toMatch(/^HTTP\/1.1 400.*begins with \//s);
  expect(await ask("GET /api/v1/projects/%ZZ")).toMatch(/^HTTP\/1.1 400.*malformed % escape/s);
  expect(await ask("GET /api/trpc/%ZZ")).toMatch(/"data":{"httpStatus":400,"error_code":"bad_request","error_message"/);
  expect(await ask("GET /a?b=%")).toContain("fine /a?b=%");
});

test("a whole address as the target is taken, and its host counts instead of the Host header", async () => {
  const seen: string[][] = [];
  const { port } = await listen(({ url = "", headers, rawHeaders }, response) => {
    seen.push([url, headers.host ?? "", rawHeaders[1] ?? ""]);
    const refused = refuseForeign({ get: (name) => headers[name]?.toString() ?? null }, names);
    response.writeHead(refused?.status ?? 200).end();
  });
  const names = { HOST: "127.0.0.1", PORT: 4600, SWITCHYARD_TOKEN: undefined, SWITCHYARD_ORIGINS: [] };
  const ask = async (target: string, host: string, more = "") => {
    const said = await bare(port, `GET ${target} HTTP/1.1\r\nhost: ${host}\r\n${more}connection: close\r\n\r\n`);
    return Number(said.slice(9, 12));
  };
  expect(await ask("http://127.0.0.1:4600/api/v1/health?a=http://b", "127.0.0.1:4600")).toBe(200);
  expect(await ask("HTTP://localhost:4600?q", "evil.example")).toBe(200);
  // A good Host covers no foreign address.
  expect(await ask("http://evil.example/api/v1/health", "127.0.0.1:4600")).toBe(403);
  expect(await ask("http://127.0.0.1:4600.evil.example/p/a", "127.0.0.1:4600")).toBe(403);
  expect(seen).toEqual([
    ["/api/v1/health?a=http://b", "127.0.0.1:4600", "127.0.0.1:4600"],
    ["/?q", "localhost:4600", "localhost:4600"],
    ["/api/v1/health", "evil.example", "evil.example"],
    ["/p/a", "127.0.0.1:4600.evil.example", "127.0.0.1:4600.evil.example"],
  ]);
  // What the path and the headers are refused for elsewhere, they are refused for here.
  for (const target of [
    "http://127.0.0.1:4600@evil.example/",
    "http:///p/a",
    "http://127.0.0.1:4600/api/../p",
    "http://",
  ])
    expect([target, await ask(target, "127.0.0.1:4600")]).toEqual([target, 400]);
  expect(await ask("http://127.0.0.1:4600/", "127.0.0.1:4600", "host: evil.example\r\n")).toBe(400);
  expect(await ask("http://127.0.0.1:4600/", "127.0.0.1:4600", "x-switchyard-tool: 1\r\n")).toBe(403);
  expect(seen).toHaveLength(4);
});
