// Where the time goes while a yard opens: `npm run build && npx tsx bench/open.ts [500,5000] [rounds]`. The product as it is started, the
// kernel's own read beside it, a real Chromium, and the pure parts of the picture by themselves. Medians, in ms.
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "@playwright/test";
import { createLivePicture } from "@/components/graph/live/live-picture";
import { createYardModel } from "@/components/graph/plan/yard-model";
import { launchOptions } from "@/e2e/browser";
import { serve, stop } from "@/e2e/serve";
import { emptyPicture, fold } from "@/server/contract/frame";
import { unpackFrames } from "@/server/contract/unpack-frames";
import { readLeanSnapshot } from "@/server/kernel/read-models/read-snapshot";
import { type Wired, wireKernel } from "@/server/wire";
import { spread } from "./bench-kernel";
import { importTurns } from "./many-turns";

const sizes = process.argv[2]?.split(",").map(Number) ?? [500, 5_000];
const rounds = Number(process.argv[3] ?? 7);

const product = await serve({ SWITCHYARD_WORKER_TARGETS: "nobody" });
const kernel = wireKernel({ url: product.database_url, name: "switchyard-bench" });
const browser = await chromium.launch(launchOptions);
try {
  const taken: Map<string, number>[] = [];
  for (const turns of sizes) {
    const project_id = `open-${turns}`;
    const root = await importTurns(kernel, project_id, turns);
    await kernel.db.pool.query("ANALYZE");
    taken.push(new Map([...(await onServer(kernel, project_id)), ...(await inBrowser(browser, project_id, root))]));
  }
  for (const part of taken[0]?.keys() ?? []) {
    const figures = taken.map((one) => one.get(part) ?? 0);
    const ratio = (figures.at(-1) ?? 0) / (figures[0] || 1);
    console.log(
      [part.padEnd(34), ...figures.map((ms) => ms.toFixed(1).padStart(9)), `${ratio.toFixed(1)} x`.padStart(9)].join(
        " ",
      ),
    );
  }
} finally {
  await browser.close();
  await kernel.close();
  await stop(product);
}

type Part = [string, number];

async function onServer(kernel: Wired, project_id: string): Promise<Part[]> {
  let snapshot = await readLeanSnapshot(kernel, { project_id });
  const read = await median(async () => {
    snapshot = await readLeanSnapshot(kernel, { project_id });
  });
  let json = "";
  const text = await median(async () => {
    json = JSON.stringify(snapshot);
  });
  let packed = Buffer.alloc(0);
  const gzip = await median(async () => {
    packed = gzipSync(json);
  });
  const parse = await median(async () => void JSON.parse(json));
  let frames = unpackFrames(snapshot.frames);
  const unpacking = await median(async () => {
    frames = unpackFrames(snapshot.frames);
  });
  const folding = await median(async () => void fold(emptyPicture(), frames));
  const clock = { now: () => 0, soon: (run: () => void) => run(), later: () => () => undefined };
  const model = await median(async () => {
    const live = createLivePicture(clock);
    live.load(frames, snapshot.cursor);
    const { getTopology, getFolds } = createYardModel(live, snapshot.root_turn_id ?? "");
    getTopology();
    getFolds();
  });
  return [
    ["read: SQL and packing", read],
    ["as JSON", text],
    ["compressed", gzip],
    ["kB of JSON", json.length / 1e3],
    ["kB compressed", packed.length / 1e3],
    ["parsed (node)", parse],
    ["unpacked (node)", unpacking],
    ["folded (node)", folding],
    ["picture and model (node)", model],
  ];
}

type Seen = { asked: number; answered: number; received: number; painted: number; sent: number; bytes: number };

async function inBrowser(browser: Browser, project_id: string, root: string): Promise<Part[]> {
  const seen: Seen[] = [];
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  for (let i = 0; i <= rounds; i++) {
    const page = await context.newPage();
    const one = await openedPage(page, `${product.url}/p/${project_id}?run=${root}`);
    // The first pays for the code of the page.
    if (i > 0) seen.push(one);
    await page.close();
  }
  await context.close();
  const of = (figure: (one: Seen) => number) => spread(seen.map(figure)).p50;
  return [
    ["browser: page until it asks", of((one) => one.asked)],
    ["browser: waits for the answer", of((one) => one.answered - one.asked)],
    ["browser: receives it", of((one) => one.received - one.answered)],
    ["browser: until the first picture", of((one) => one.painted - one.received)],
    ["browser: first picture, in all", of((one) => one.painted)],
    ["kB on the wire", of((one) => one.sent / 1e3)],
    ["kB to parse", of((one) => one.bytes / 1e3)],
  ];
}

async function openedPage(page: Page, address: string): Promise<Seen> {
  // As text: a compiled function would call helpers that the page does not have.
  await page.addInitScript(`(() => {
    new MutationObserver((changes, observer) => {
      if (!document.querySelector(".react-flow__node, .yard-overview")) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => performance.mark("painted");
        channel.port2.postMessage(0);
      });
    }).observe(document, { subtree: true, childList: true });
  })()`);
  await page.goto(address, { waitUntil: "commit" });
  await page.evaluate(
    `new Promise((done) => (function look() { performance.getEntriesByName("painted").length ? done(0) : setTimeout(look, 20); })())`,
  );
  return (await page.evaluate(`(() => {
    const [read] = performance.getEntriesByType("resource").filter(({ name }) => name.includes("graph.snapshot"));
    const [painted] = performance.getEntriesByName("painted");
    return { asked: read.startTime, answered: read.responseStart, received: read.responseEnd, painted: painted.startTime,
      sent: read.encodedBodySize, bytes: read.decodedBodySize };
  })()`)) as Seen;
}

async function median(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return spread(times).p50;
}
