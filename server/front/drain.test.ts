// How a web server leaves: a real process that is told to end, and a framework in it that would close at once.
import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, expect, test } from "vitest";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

const web = (noticeMs: number) => `
  import http from "node:http";
  import { drainFirst } from "./server/front/drain.ts";
  import { endStreams } from "./server/front/end-streams.ts";
  import { guardServer } from "./server/front/stand-before.ts";
  const server = http.createServer((request, response) => {
    if (request.url !== "/events") return response.writeHead(204).end();
    response.setHeader("content-type", "text/event-stream");
    response.write("data: 1\\n\\n");
    setInterval(() => response.write("data: more\\n\\n"), 20);
  });
  guardServer(server);
  process.on("SIGTERM", () => {
    server.close(() => process.exit(143));
    server.closeAllConnections();
  });
  drainFirst(${noticeMs}, endStreams);
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;

async function start(noticeMs: number): Promise<{ child: ChildProcess; url: string; ended: Promise<number | null> }> {
  const args = ["--import", "tsx", "--input-type=module", "-e", web(noticeMs)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const port = await new Promise<number>((done) => child.stdout?.once("data", (text) => done(Number(text))));
  return { child, url: `http://127.0.0.1:${port}`, ended };
}

test("told to end, it says so to whoever spreads requests, answers the rest, and ends", async () => {
  const { child, url, ended } = await start(4_000);
  expect((await fetch(`${url}/readyz`)).status).toBe(204);
  child.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 3_000 }).toBe(503);
  const page = await fetch(`${url}/p/demo`);
  expect([page.status, page.headers.get("connection")]).toEqual([204, "close"]);
  expect((await fetch(`${url}/livez`)).status).toBe(204);
  expect(await ended).toBe(143);
}, 20_000);

test("told again, it ends without waiting", async () => {
  const { child, url, ended } = await start(600_000);
  child.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 5_000 }).toBe(503);
  // What is heard twice within a second is one order.
  const again = setInterval(() => child.kill("SIGTERM"), 400);
  expect(await ended).toBe(143);
  clearInterval(again);
}, 20_000);

test("event streams end whole before the process does, and their readers see no broken transfer", async () => {
  const { child, url, ended } = await start(100);
  const stream = await fetch(`${url}/events`);
  const read = stream.text();
  child.kill("SIGTERM");
  expect(await read).toMatch(/^data: 1\n\n(data: more\n\n)*$/);
  expect(await ended).toBe(143);
}, 20_000);
