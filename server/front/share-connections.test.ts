// One address cannot take all connections. A real server, real sockets.
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { afterEach, expect, test } from "vitest";
import { guardServer } from "./stand-before";

const open: { close: () => void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** Answers at once, but for /stream, which it holds open. */
async function listen(trusted = 0, max = 4): Promise<number> {
  const server = http.createServer((request, response) => {
    if (request.url !== "/stream") return void response.end("fine");
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("retry: 1000\n\n");
  });
  guardServer(server, { SWITCHYARD_TRUSTED_PROXIES: trusted, SWITCHYARD_CONNECTIONS_PER_ADDRESS: max });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return (server.address() as net.AddressInfo).port;
}

/** The first that comes back on a connection of its own, which stays open. */
async function ask(port: number, path: string, headers: string[] = []): Promise<{ said: string; socket: net.Socket }> {
  const socket = net.connect(port, "127.0.0.1");
  open.push({ close: () => socket.destroy() });
  socket.write([`GET ${path} HTTP/1.1`, "host: x", ...headers, "", ""].join("\r\n"));
  const [chunk] = await once(socket, "data");
  return { said: String(chunk), socket };
}

const status = async (...given: Parameters<typeof ask>) => (await ask(...given)).said.slice(9, 12);

test("streams are counted: the next connection is refused in words, and one that ends makes room", async () => {
  const port = await listen();
  const streams = [await ask(port, "/stream"), await ask(port, "/stream"), await ask(port, "/stream")];
  const last = await ask(port, "/stream");
  expect([...streams, last].map(({ said }) => said.slice(9, 12))).toEqual(["200", "200", "200", "200"]);
  const { said, socket } = await ask(port, "/api/v1/health");
  expect(said).toMatch(/^HTTP\/1.1 429 /);
  expect(said).toMatch(/retry-after: 5/i);
  expect(said).toContain("this address holds 5 connections, and 4 are its share");
  expect((await ask(port, "/api/trpc/project.list")).said).toContain('"httpStatus":429');
  for (const path of ["/livez", "/readyz"]) expect(await status(port, path)).toBe("200");
  await expect.poll(() => socket.destroyed).toBe(true);
  for (const { socket } of streams) socket.destroy();
  await expect.poll(() => status(port, "/")).toBe("200");
});

test("connections that say nothing are counted too", async () => {
  const port = await listen();
  expect(await status(port, "/")).toBe("200");
  for (let i = 0; i < 4; i++) {
    const silent = net.connect(port, "127.0.0.1");
    open.push({ close: () => silent.destroy() });
    await once(silent, "connect");
  }
  await expect.poll(() => status(port, "/")).toBe("429");
});

test("of this machine's connections that say nothing, the oldest goes for each new one beyond the share", async () => {
  const port = await listen();
  expect(await status(port, "/")).toBe("200");
  const silent: net.Socket[] = [];
  for (let i = 0; i < 30; i++) {
    const socket = net.connect(port, "127.0.0.1");
    open.push({ close: () => socket.destroy() });
    socket.on("error", () => undefined);
    await once(socket, "connect");
    silent.push(socket.resume());
  }
  await expect.poll(() => silent.filter((socket) => socket.destroyed).length).toBeGreaterThanOrEqual(10);
  expect(silent[0]?.destroyed).toBe(true);
  expect(silent.at(-1)?.destroyed).toBe(false);
  for (const path of ["/livez", "/readyz"]) expect(await status(port, path)).toBe("200");
});

test("behind a trusted proxy each caller has a share of its own; without one nobody gets another by a header", async () => {
  const behind = await listen(1);
  const from = (address: string) => [`x-forwarded-for: ${address}`];
  for (let i = 0; i < 4; i++) expect(await status(behind, "/stream", from("203.0.113.1"))).toBe("200");
  expect(await status(behind, "/", from("203.0.113.1"))).toBe("429");
  expect(await status(behind, "/", from("203.0.113.2"))).toBe("200");
  const direct = await listen(0);
  for (let i = 0; i < 4; i++) expect(await status(direct, "/stream", from(`203.0.113.${i}`))).toBe("200");
  expect(await status(direct, "/", from("203.0.113.9"))).toBe("429");
});
