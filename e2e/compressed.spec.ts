// What is sent over the network: answers that are compressed, answers that must not be, and how much code the yard loads
// before it is drawn.
import crypto from "node:crypto";
import http from "node:http";
import zlib from "node:zlib";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject } from "./scenes";

type Answer = { status: number; headers: http.IncomingHttpHeaders; body: Buffer };

/** As it is sent: fetch would decompress it and drop the header. */
function ask(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on("error", reject);
    request.end();
  });
}

const gzip = { "accept-encoding": "gzip, deflate, br" };
const text = "What was handed over weighs a lot, and most of it was said before. ".repeat(4_000);

async function withCard(url: string): Promise<{ project: string; rest: string; rpc: string }> {
  const project = await makeProject(url, "Packed answers");
  const { cards } = await api<{ cards: { card_id: string }[] }>(url, "POST", `/projects/${project}/cards`, {
    cards: [{ type: "note", content: text }],
  });
  const card_id = cards[0]?.card_id ?? "";
  const input = encodeURIComponent(JSON.stringify({ 0: { project_id: project, card_id } }));
  return {
    project,
    rest: `${url}/api/v1/projects/${project}/cards/${card_id}`,
    rpc: `${url}/api/trpc/card.get?batch=1&input=${input}`,
  };
}

test("large JSON answers of REST and tRPC are compressed for clients that accept it", async ({ product }) => {
  const { rest, rpc } = await withCard(product.url);
  for (const address of [rest, rpc]) {
    const [packed, plain, refused] = await Promise.all([
      ask(address, gzip),
      ask(address),
      ask(address, { "accept-encoding": "gzip;q=0" }),
    ]);
    expect([packed.status, packed.headers["content-encoding"]]).toEqual([200, "gzip"]);
    expect(packed.body.length * 10).toBeLessThan(plain.body.length);
    // Not compared byte by byte: the three answers were made one after the other, and may name the journal's end.
    expect(zlib.gunzipSync(packed.body).toString()).toContain(text);
    for (const { headers, body } of [plain, refused]) {
      expect(headers["content-encoding"]).toBeUndefined();
      expect(body.toString()).toContain(text);
    }
    for (const { headers } of [packed, plain, refused]) expect(headers.vary).toMatch(/\baccept-encoding\b/i);
  }
});

test("a tiny answer is sent uncompressed, with its length", async ({ product }) => {
  const tiny = await ask(`${product.url}/api/v1/projects/none-such`, gzip);
  expect(tiny.status).toBe(404);
  expect(tiny.headers["content-encoding"]).toBeUndefined();
  expect(tiny.headers["content-length"]).toBe(String(tiny.body.length));
});

test("an event stream is never compressed, and each event arrives when it happens", async ({ product }) => {
  const project = await makeProject(product.url, "Stream");
  const listen = async (path: string): Promise<string> => {
    const stream = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get(`${product.url}${path}`, { headers: gzip }, resolve).on("error", reject);
    });
    let said = "";
    stream.on("data", (chunk) => {
      said += chunk;
    });
    expect([stream.statusCode, stream.headers["content-type"]]).toEqual([
      200,
      expect.stringContaining("text/event-stream"),
    ]);
    expect(stream.headers["content-encoding"]).toBeUndefined();
    expect(stream.headers["cache-control"]).toBe("no-store, no-transform");
    await expect.poll(() => said).not.toBe("");
    const before = said.length;
    await api(product.url, "POST", `/projects/${project}/pmo/delegate_async:call`, {
      args: { target_strategy: "new", target_ref: "Hand", instruction: "Say something" },
    });
    await expect.poll(() => said.slice(before)).toMatch(/^id: ?\S+$/m);
    stream.destroy();
    return /^id: ?(\S+)$/m.exec(said)?.[1] ?? "";
  };
  const after = await listen(`/api/v1/projects/${project}/events`);
  const input = encodeURIComponent(JSON.stringify({ project_id: project, after }));
  await listen(`/api/trpc/graph.stream?input=${input}`);
});

test("a range contains the file's own bytes, and an unchanged file is not sent again", async ({ product }) => {
  const page = await ask(`${product.url}/`);
  const file = /\/_next\/static\/[^"]+\.js/.exec(page.body.toString())?.[0] ?? "";
  const [plain, packed, range] = await Promise.all([
    ask(`${product.url}${file}`),
    ask(`${product.url}${file}`, gzip),
    ask(`${product.url}${file}`, { ...gzip, range: "bytes=100-1999" }),
  ]);
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(zlib.gunzipSync(packed.body)).toEqual(plain.body);
  expect([range.status, range.headers["content-encoding"]]).toEqual([206, undefined]);
  expect(range.body).toEqual(plain.body.subarray(100, 2_000));
  // REST and tRPC refuse HEAD; files and pages answer it.
  const head = await ask(`${product.url}${file}`, gzip, "HEAD");
  expect([head.status, head.body.length, head.headers["content-encoding"]]).toEqual([200, 0, undefined]);
  const again = await ask(`${product.url}${file}`, { ...gzip, "if-none-match": packed.headers.etag ?? "none" });
  expect([again.status, again.body.length, again.headers["content-encoding"]]).toEqual([304, 0, undefined]);
});

test("a reader that pauses gets all of a large answer, and delays nobody else", async ({ product }) => {
  const project = await makeProject(product.url, "Slow readers");
  // Text that does not compress: it fills every buffer on the way.
  const content = crypto.randomBytes(360_000).toString("base64");
  const given = Array.from({ length: 6 }, (_, i) => ({
    card_id: `large-${i}`,
    type: "note",
    content: `${i}${content}`,
  }));
  for (const card of given) await api(product.url, "POST", `/projects/${project}/cards`, { cards: [card] });
  const address = `${product.url}/api/v1/projects/${project}/cards?limit=6`;
  const plain = (await ask(address)).body;
  expect(plain.length).toBeGreaterThan(2_500_000);
  const slow = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
        http.get(address, { headers: gzip, agent: false }, resolve).on("error", reject);
      });
      answer.pause();
      return answer;
    }),
  );
  expect((await ask(`${product.url}/api/v1/health`, gzip)).status).toBe(200);
  await new Promise((done) => setTimeout(done, 1_500));
  for (const answer of slow) {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    expect(zlib.gunzipSync(Buffer.concat(chunks)).equals(plain)).toBe(true);
  }
});

test("JSON has no ranges and no validators: a request for them gets the whole answer", async ({ product }) => {
  const { rest } = await withCard(product.url);
  const plain = await ask(rest);
  const range = await ask(rest, { ...gzip, range: "bytes=0-99" });
  expect([range.status, range.headers["content-range"], range.headers["content-encoding"]]).toEqual([
    200,
    undefined,
    undefined,
  ]);
  expect(range.body).toEqual(plain.body);
  const again = await ask(rest, { ...gzip, "if-none-match": "*" });
  expect(again.status).toBe(200);
  expect(zlib.gunzipSync(again.body)).toEqual(plain.body);
});

/** Kilobytes as sent, by file: what the page names is fetched before anything is drawn. */
test("the yard needs little code, and what opens later is fetched when the page is idle", async ({ page, product }) => {
  const project = await makeProject(product.url, "Code");
  const { root_turn_id } = await launchLead(product.url, project);
  const address = `${product.url}/p/${project}?run=${root_turn_id}`;
  const html = (await ask(address, gzip)).body;
  const named = new Set(
    zlib
      .gunzipSync(html)
      .toString()
      .match(/\/_next\/static\/chunks\/[^"'\\?]+\.js/g),
  );
  const sizes = async (paths: Iterable<string>) =>
    Promise.all(
      [...paths].map(async (path) => ({ path, bytes: (await ask(`${product.url}${path}`, gzip)).body.length })),
    );
  const list = (files: readonly { path: string; bytes: number }[]) =>
    files
      .toSorted((a, b) => b.bytes - a.bytes)
      .map(({ path, bytes }) => `${String(bytes).padStart(7)} ${path.split("/").at(-1)}`)
      .join("\n");
  const sum = (files: readonly { bytes: number }[]) => files.reduce((total, { bytes }) => total + bytes, 0);
  // Nothing is prefetched before the picture is complete: the page never becomes idle.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  const fetched = new Set<string>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".js")) fetched.add(pathname);
  });
  await page.goto(address);
  await expect(page.getByRole("img", { name: /1L01, Lead/ })).toBeVisible();
  // Named too, but not fetched by a current browser: polyfills for older ones.
  const first = await sizes([...named].filter((path) => fetched.has(path)));
  const drawn = await sizes(fetched);
  test.info().annotations.push({ type: "first load", description: `${sum(first)} bytes\n${list(first)}` });
  test.info().annotations.push({ type: "until it is drawn", description: `${sum(drawn)} bytes\n${list(drawn)}` });
  expect(sum(first), list(first)).toBeLessThanOrEqual(250_000);
  expect(sum(drawn), list(drawn)).toBeLessThanOrEqual(350_000);
});
