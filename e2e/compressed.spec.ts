// What is sent over the network: answers that are compressed, answers that must not be, and how much code the yard loads
// before it is drawn.
import crypto from "node:crypto";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import zlib from "node:zlib";
import type { Page } from "@playwright/test";
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

test("the picture of a yard is asked for once, before the page's code is there, and is small", async ({
  page,
  product,
}) => {
  const project = await makeProject(product.url, "Asked once");
  const { root_turn_id } = await launchLead(product.url, project);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("graph.snapshot")) asked.push(request.url());
  });
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
  await expect(page.locator('[role=img][aria-label*="1L01, Lead"]')).toBeVisible();
  expect(asked).toHaveLength(1);
  const [initiator] = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .flatMap((entry) =>
        entry.name.includes("graph.snapshot") && entry instanceof PerformanceResourceTiming ? entry.initiatorType : [],
      ),
  );
  expect(initiator).toBe("link");
});

type File = { path: string; bytes: number };
type Drawn = { named: File[]; drawn: File[] };

/**
 * The code of a page as sent, by file: what its HTML names, and all that was asked for until `selector` was there. The browser's own
 * record tells which came before, so that a slow machine counts the same files as a quick one.
 */
async function codeOf(page: Page, address: string, selector: string): Promise<Drawn> {
  const html = (await ask(address, gzip)).body;
  const named = new Set(
    zlib
      .gunzipSync(html)
      .toString()
      .match(/\/_next\/static\/chunks\/[^"'\\?]+\.js/g),
  );
  await page.addInitScript((sought) => {
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector(sought)) return;
      performance.mark("drawn");
      observer.disconnect();
    }).observe(document, { subtree: true, childList: true, attributes: true });
  }, selector);
  // What the page asks for itself comes slowly: whatever is fetched ahead by the clock, or when the browser is idle, comes first.
  await page.route(
    ({ pathname }) => pathname.endsWith(".js") && !named.has(pathname),
    async (route) => {
      await sleep(2_000);
      await route.continue();
    },
  );
  await page.goto(address);
  await expect(page.locator(selector)).toBeVisible();
  const fetched = await page.evaluate(() => {
    const drawn = performance.getEntriesByName("drawn")[0]?.startTime ?? 0;
    return performance
      .getEntriesByType("resource")
      .filter(({ startTime }) => startTime < drawn)
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith(".js"));
  });
  const { origin } = new URL(address);
  const sizes = (paths: string[]) =>
    Promise.all(paths.map(async (path) => ({ path, bytes: (await ask(`${origin}${path}`, gzip)).body.length })));
  const drawn = await sizes([...new Set(fetched)]);
  // Named too, but not fetched by a current browser: polyfills for older ones.
  return { named: drawn.filter(({ path }) => named.has(path)), drawn };
}

const listed = (files: readonly File[]) =>
  files
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ path, bytes }) => `${String(bytes).padStart(7)} ${path.split("/").at(-1)}`)
    .join("\n");
const sumOf = (files: readonly File[]) => files.reduce((total, { bytes }) => total + bytes, 0);

test("yard and composer need little code, and nothing is fetched ahead before they are drawn", async ({
  page,
  context,
  product,
}) => {
  const project = await makeProject(product.url, "Code");
  const { root_turn_id } = await launchLead(product.url, project);
  const address = `${product.url}/p/${project}?run=${root_turn_id}`;
  const { named, drawn } = await codeOf(page, address, '[role=img][aria-label*="1L01, Lead"]');
  test.info().annotations.push({ type: "first load", description: `${sumOf(named)} bytes\n${listed(named)}` });
  test.info().annotations.push({ type: "until it is drawn", description: `${sumOf(drawn)} bytes\n${listed(drawn)}` });
  expect(sumOf(named), listed(named)).toBeLessThanOrEqual(250_000);
  expect(sumOf(drawn), listed(drawn)).toBeLessThanOrEqual(345_000);
  // And once it is drawn, what opens from it is fetched without being asked for.
  await expect
    .poll(() =>
      page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => /\.js$/.test(name)).length),
    )
    .toBeGreaterThan(drawn.length + 5);
  const nodes = [{ id: "weigh", target: { ref: "Hand" }, instruction: "Weigh it" }];
  await api(product.url, "POST", `/projects/${project}/plans`, { switchyard: "plan/1", name: "Weighing", nodes });
  const composer = await codeOf(
    await context.newPage(),
    `${product.url}/p/${project}/compose/Weighing`,
    '.react-flow__node[data-id="weigh"]',
  );
  const all = listed(composer.drawn);
  test.info().annotations.push({ type: "composer", description: `${sumOf(composer.drawn)} bytes\n${all}` });
  expect(sumOf(composer.drawn) - sumOf(drawn), all).toBeLessThanOrEqual(90_000);
});
