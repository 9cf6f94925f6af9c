// The yard in a browser: main-thread time per frame while panning, zooming and selecting in runs of 100, 1,000 and 5,000 turns.
// Needs a running Switchyard: `npm start`, then `npx tsx bench/graph.ts [http://127.0.0.1:4600]`. Makes a project and
// removes it. It measures main-thread time, not frames per second: a machine without a graphics card draws slowly anyway.
import { type CDPSession, chromium, type Page } from "@playwright/test";
import { ensureChromium } from "../scripts/chromium";

const url = process.argv[2] ?? "http://127.0.0.1:4600";
const sizes = [100, 1_000, 5_000];

const browser = await chromium.launch({
  executablePath: ensureChromium(console.log),
  args: ["--disable-gpu", "--no-sandbox"],
});
try {
  for (const turns of sizes) await measureRun(turns);
} finally {
  await browser.close();
}

async function measureRun(turns: number): Promise<void> {
  const { project_id } = await api("POST", "/projects", { title: `Bench of ${turns} turns` });
  try {
    const { root_turn_id } = await api("POST", `/projects/${project_id}/imports`, {
      format: "who-and-when",
      data: { question: "q", history: historyOf(turns) },
    });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    if (token) await page.request.post(`${url}/api/session`, { data: { token } });
    const started = performance.now();
    await page.goto(`${url}/p/${project_id}?run=${root_turn_id}`);
    await page.waitForSelector(".react-flow__node, .yard-overview");
    console.log(`${turns} turns, opened in ${Math.round(performance.now() - started)} ms`);
    await page.waitForTimeout(1_500);
    await walkThrough(page);
    await page.close();
  } finally {
    await api("DELETE", `/projects/${project_id}`);
  }
}

async function walkThrough(page: Page): Promise<void> {
  await page.evaluate("frames = 0; (function count() { frames++; requestAnimationFrame(count); })()");
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const canvas = await page.locator(".yard-canvas").boundingBox();
  if (!canvas) throw new Error("the yard is not on the page");
  await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
  const wheel = async (dx: number, dy: number) => {
    for (let i = 0; i < 60; i++) {
      await page.mouse.wheel(dx, dy);
      await page.waitForTimeout(16);
    }
  };
  const zoom = async (dy: number) => {
    await page.keyboard.down("Control");
    await wheel(0, dy);
    await page.keyboard.up("Control");
  };
  await measure(page, session, "pan as it opens", () => wheel(20, 20));
  await page.keyboard.press("0");
  await measure(page, session, "pan, all in view", () => wheel(8, 8));
  await measure(page, session, "zoom in", () => zoom(-40));
  await measure(page, session, "zoom out", () => zoom(40));
  await measure(page, session, "select 20 turns", async () => {
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press("[");
      await page.waitForTimeout(50);
    }
  });
  await measure(page, session, "type a filter", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("task 9 success", { delay: 60 });
    await page.waitForTimeout(300);
  });
}

async function measure(page: Page, session: CDPSession, what: string, act: () => Promise<void>): Promise<void> {
  await page.waitForTimeout(700);
  const before = await read(page, session);
  await act();
  const after = await read(page, session);
  const ms = ((after.busy - before.busy) * 1000) / Math.max(1, after.frames - before.frames);
  const nodes = await page.locator(".react-flow__node").count();
  console.log(`  ${what.padEnd(18)} ${ms.toFixed(1).padStart(6)} ms a frame, ${nodes} turns in the document`);
}

async function read(page: Page, session: CDPSession): Promise<{ busy: number; frames: number }> {
  const { metrics } = await session.send("Performance.getMetrics");
  const busy = metrics.find((metric) => metric.name === "TaskDuration")?.value ?? 0;
  return { busy, frames: Number(await page.evaluate("frames")) };
}

function historyOf(turns: number): { role: string; content: string }[] {
  const history = [{ role: "human", content: "begin" }];
  for (let i = 0; i < turns; i++)
    history.push(
      { role: "Orchestrator (-> Worker)", content: `task ${i}` },
      { role: "Worker", content: `answer ${i}` },
    );
  return history;
}

const token = process.env.SWITCHYARD_TOKEN;
const bearer = token ? { authorization: `Bearer ${token}` } : undefined;

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
