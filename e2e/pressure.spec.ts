// Memory stays flat under callers that never stop sending and callers that never read: sixty of each kind, against a separate
// server that requires its token.
import { execFileSync } from "node:child_process";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "./fixtures";
import { serveOwn } from "./own-product";
import { type Product, stop } from "./serve";

test.describe.configure({ mode: "serial", timeout: 180_000 });

const token = "pressure-0123456789abcdef";
const authorization = `authorization: Bearer ${token}`;
const project = "pressure";
/**
 * For a reader that has stopped reading, forty frames are held, here some 0.6 MB; for all large bodies together 80 MB. The rest
 * is garbage not collected yet: measured growth is 153 MB, and the limit is half as much again. Without the setting in
 * scripts/parts.ts it grew by 226 MB; if frames were produced without being requested, thirty streams would hold 1.3 GB.
 */
const rssMbMax = 230;
let own: Product;
let after: string;

test.beforeAll(async () => {
  own = await serveOwn({ SWITCHYARD_TOKEN: token });
  await call("/api/v1/projects", { project_id: project, title: "Pressure" });
  const input = encodeURIComponent(JSON.stringify({ project_id: project }));
  const snapshot = await (await call(`/api/trpc/graph.snapshot?input=${input}`)).json();
  after = snapshot.result.data.cursor;
  await fillJournal();
});
test.afterAll(() => stop(own));

test("sixty slow writers and sixty readers that never read do not increase its memory, and others are served", async () => {
  const url = new URL(own.url);
  const sockets: net.Socket[] = [];
  const open = (head: string[]) => {
    const socket = net.connect(Number(url.port), url.hostname);
    socket.on("error", () => undefined);
    socket.write(`${head.join("\r\n")}\r\nhost: ${url.host}\r\n\r\n`);
    sockets.push(socket);
    return socket;
  };
  await warmUp();
  const before = rssMb();
  let peak = before;

  const input = encodeURIComponent(JSON.stringify({ project_id: project, after }));
  for (let i = 0; i < 30; i++) {
    // Nobody reads from these sockets.
    open([`GET /api/v1/projects/${project}/events?after=${after} HTTP/1.1`, authorization]);
    open([`GET /api/trpc/graph.stream?input=${input} HTTP/1.1`, authorization, "accept: text/event-stream"]);
  }
  const chunked = "transfer-encoding: chunked";
  const writers = Array.from({ length: 20 }, () => [
    open(["POST /api/trpc/card.save HTTP/1.1", authorization, chunked, "content-type: application/json"]),
    open([`POST /api/v1/projects/${project}/imports?format=who-and-when HTTP/1.1`, authorization, chunked]),
    open(["POST /p/demo HTTP/1.1", chunked]),
  ]).flat();
  const piece = `10000\r\n${"x".repeat(65_536)}\r\n`;
  for (let round = 0; round < 60; round++) {
    // Slow and endless: the client sends no more than the server accepts.
    for (const writer of writers) if (!writer.destroyed && writer.writableLength < 262_144) writer.write(piece);
    if (round % 5 === 0) peak = Math.max(peak, rssMb());
    if (round % 20 === 0)
      expect((await again(() => fetch(`${own.url}/livez`, { headers: { connection: "close" } }))).status).toBe(204);
    await sleep(200);
  }
  const note = { cards: [{ type: "note", content: "still here" }] };
  const served = await again(() => call(`/api/v1/projects/${project}/cards`, note));
  for (const socket of sockets) socket.destroy();
  console.log(`memory of the web server: ${before} MB before, ${peak} MB at most`);
  expect([200, 201]).toContain(served.status);
  expect(peak - before).toBeLessThan(rssMbMax);
});

/** Forty megabytes to catch up with, for a reader with the earlier cursor. */
async function fillJournal(): Promise<void> {
  const client = new pg.Client({ connectionString: own.database_url });
  await client.connect();
  await client.query(
    `INSERT INTO state.journal_packs (project_id, frames)
     SELECT $1, (SELECT jsonb_agg(jsonb_build_object('kind', 'note', 'id', i, 'text', repeat('x', 3500))) FROM generate_series(1, 200) i)
     FROM generate_series(1, 60)`,
    [project],
  );
  await client.end();
}

/** At its limit of connections the server may close one that has just come; a second try is served. */
async function again(ask: () => Promise<Response>): Promise<Response> {
  for (let left = 3; ; left--) {
    try {
      return await ask();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(1_000);
    }
  }
}

/** What is compiled and cached once does not count as growth. */
async function warmUp(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    const gone = new AbortController();
    const stream = await call(`/api/v1/projects/${project}/events?after=${after}`, undefined, gone.signal);
    const reader = stream.body?.getReader();
    for (let bytes = 0; bytes < 10_000_000; ) bytes += (await reader?.read())?.value?.length ?? 10_000_000;
    gone.abort();
    await call(`/api/v1/projects/${project}/cards`, { cards: [{ type: "note", content: "x".repeat(500_000) }] });
  }
}

function call(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${own.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  });
}

function rssMb(): number {
  const lines = execFileSync("ps", ["-eo", "ppid=,rss=,args="], { encoding: "utf8" }).trim().split("\n");
  const web = lines
    .map((line) => line.trim().split(/\s+/))
    .find(([ppid, , args]) => Number(ppid) === own.pid && args === "next-server");
  return Math.round(Number(web?.[1] ?? 0) / 1024);
}
