// The yard in a browser, at first view and unfolded, beside a plain React Flow page of as many nodes in the same run: runs of 100 to
// 10,000 turns. Needs a running Switchyard: `npm start`, then `npx tsx bench/graph.ts [http://127.0.0.1:4600] [sizes]`. Makes a
// project for each size and removes it. It measures main-thread time, not frames per second: a machine without a graphics card
// draws slowly anyway.
import { chromium, type Page } from "@playwright/test";
import { ensureChromium } from "../scripts/chromium";
import type { BenchNode } from "./composer/big-plan";
import { Meter } from "./composer/measure";
import { servePlain } from "./composer/plain-page";
import { historyOf } from "./many-turns";

const url = process.argv[2] ?? "http://127.0.0.1:4600";
const sizes = process.argv[3]?.split(",").map(Number) ?? [100, 300, 500, 1_000, 2_000, 5_000, 10_000];
const STEPS = 30;
/** React Flow with every node in the document is not waited for any longer. */
const PLAIN_MAX = 2_000;

const token = process.env.SWITCHYARD_TOKEN;
const bearer = token ? { authorization: `Bearer ${token}` } : undefined;

async function measureRun(turns: number): Promise<void> {
  const { project_id } = await api("POST", "/projects", { title: `Bench of ${turns} turns` });
  try {
    const { root_turn_id } = await api("POST", `/projects/${project_id}/imports`, {
      format: "who-and-when",
      // A log has two turns more than messages: the person and the team.
      data: { question: "q", history: historyOf(turns - 2) },
    });
    const yard = `${url}/p/${project_id}?run=${root_turn_id}`;
    const ready = ".react-flow__node, .yard-overview";
    // What a page costs at all is paid before the first figure.
    await measurePage(yard, ready, null);
    await measurePage(yard, ready, `${turns} turns, first view`);
    await measurePage(`${yard}&fold=none`, ready, `${turns} turns, unfolded`);
  } finally {
    await api("DELETE", `/projects/${project_id}`);
  }
  if (turns > PLAIN_MAX) return;
  const plain = await servePlain({ switchyard: "plan/1", name: "Plain", nodes: plainNodes(turns) });
  try {
    await measurePage(plain.url, ".react-flow__node", `${turns} nodes, plain page`);
  } finally {
    await plain.stop();
  }
}

/** A fan: each node is reached from the first, as the turns are from their caller. */
const plainNodes = (count: number): BenchNode[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `n${i}`,
    title: `Worker ${i}`,
    target: { ref: "Bench" },
    instruction: "",
    load: i === 0 ? [] : [{ from: "n0" }],
  }));

async function measurePage(address: string, ready: string, label: string | null): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  if (token) await page.request.post(`${url}/api/session`, { data: { token } });
  let bytes = 0;
  page.on("response", async (response) => {
    if (response.url().includes("graph.snapshot")) bytes += (await response.body().catch(() => Buffer.alloc(0))).length;
  });
  const started = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForSelector(ready, { state: "attached", timeout: 120_000 });
  const opened = performance.now() - started;
  await page.waitForTimeout(1_500);
  if (label !== null) {
    const meter = await Meter.of(page);
    const canvas = await page.locator(".react-flow").first().boundingBox();
    if (!canvas) throw new Error("there is no canvas on the page");
    await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
    const pan = await meter.steps(STEPS, async (i) => page.mouse.wheel(i % 2 === 0 ? 24 : -20, i % 2 === 0 ? 16 : -12));
    const zoom = await meter.steps(STEPS, async (i) => {
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, i % 4 < 2 ? 60 : -60);
      await page.keyboard.up("Control");
    });
    console.log(
      [
        label.padEnd(24),
        `opened in ${Math.round(opened)} ms`.padEnd(20),
        `pan p50 ${pan.p50.toFixed(1)} p95 ${pan.p95.toFixed(1)} ms`.padEnd(28),
        `zoom p50 ${zoom.p50.toFixed(1)} p95 ${zoom.p95.toFixed(1)} ms`.padEnd(30),
        `${(await heapOf(page)).toFixed(0)} MB`.padEnd(8),
        `${await page.locator(".react-flow__node").count()} in the document`,
        bytes === 0 ? "" : `, picture ${(bytes / 1e6).toFixed(2)} MB`,
      ].join(" "),
    );
  }
  await page.close();
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0) / 1e6;
}

type Answer = { project_id: string; root_turn_id: string };

async function api(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { "content-type": "application/json", ...bearer },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? {} : await response.json()) as Answer;
}

const browser = await chromium.launch({
  executablePath: ensureChromium(console.log),
  args: ["--disable-gpu", "--no-sandbox"],
});
try {
  for (const turns of sizes) await measureRun(turns);
} finally {
  await browser.close();
}
