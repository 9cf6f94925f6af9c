// The composer with 300 wagons, 560 tracks and 300 wires, beside a plain React Flow page of as many nodes and edges in the same run:
// `npm run build && npx tsx bench/composer/run.ts [wagons]`.
import { type Browser, chromium, type Page, type Request } from "@playwright/test";
import { launchOptions } from "@/e2e/browser";
import { serve, stop } from "@/e2e/serve";
import { type BenchPlan, bigPlan } from "./big-plan";
import { type Figures, Meter } from "./measure";
import { servePlain } from "./plain-page";

const wagons = Number(process.argv[2] ?? 300);
const STEPS = 40;

const product = await serve({ SWITCHYARD_WORKER_TARGETS: "nobody" });
const browser = await chromium.launch(launchOptions);
let plain: Awaited<ReturnType<typeof servePlain>> | null = null;
try {
  const { project, plan } = await seed();
  plain = await servePlain(plan);
  const ours = await measureComposer(browser, project);
  const theirs = await measurePlain(browser, plain.url);
  console.log(`\n${wagons} wagons; main-thread CPU of one step in ms, p50 / p95 / longest task`);
  for (const [what, figures] of Object.entries(ours)) {
    const other = theirs[what];
    const ratio = other
      ? `  plain React Flow ${words(other)}, ${(figures.p95 / Math.max(0.1, other.p95)).toFixed(1)} times at p95`
      : "";
    console.log(`  ${what.padEnd(30)} ${words(figures)}${ratio}`);
  }
} finally {
  await plain?.stop();
  await browser.close();
  await stop(product);
}

function words({ p50, p95, longest }: Figures): string {
  return `${p50.toFixed(1)} / ${p95.toFixed(1)} / ${longest.toFixed(0)}`;
}

async function seed(): Promise<{ project: string; plan: BenchPlan }> {
  const { project_id: project } = await api<{ project_id: string }>("/projects", { title: "Bench of the composer" });
  await api(`/projects/${project}/profiles`, {
    name: "Bench",
    llm_config: { model: "scripted/demo", context_window: 32_000 },
  });
  const boxes: string[] = [];
  for (let i = 0; i < wagons; i++) {
    const cards = [{ type: "context.pack", role: "user", content: { kind: "text", text: `Page ${i}. `.repeat(80) } }];
    boxes.push((await api<{ box_id: string }>(`/projects/${project}/boxes`, { cards })).box_id);
  }
  const plan = bigPlan(wagons, boxes);
  await api(`/projects/${project}/plans`, plan);
  return { project, plan };
}

async function measureComposer(on: Browser, project: string): Promise<Record<string, Figures>> {
  const page = await on.newPage({ viewport: { width: 1440, height: 900 } });
  const answers = countedChecks(page);
  const code = await codeAbove(on, `${product.url}/p/${project}`, `${product.url}/p/${project}/compose/Bench`);
  await page.goto(`${product.url}/p/${project}`);
  await page.waitForLoadState("networkidle");
  const begun = performance.now();
  await page.goto(`${product.url}/p/${project}/compose/Bench`);
  await page.locator('.react-flow__node[data-id="w0"]').waitFor();
  console.log(
    `opened in ${Math.round(performance.now() - begun)} ms, ${kb(code.own)} kB of code in files that the yard does not load, ${kb(code.more)} kB more than the yard in all`,
  );
  await page.waitForTimeout(3_000);
  const meter = await Meter.of(page);
  const canvas = page.getByRole("application", { name: /^Plan of / });
  const middle = await middleOf(page, ".composer-canvas");
  const figures: Record<string, Figures> = {};
  const wheel = (dx: number, dy: number) => () => page.mouse.wheel(dx, dy);
  await page.mouse.move(middle.x, middle.y);
  figures["pan, all in view"] = await meter.steps(STEPS, wheel(12, 6));
  figures.zoom = await zoomed(page, meter);
  await page.keyboard.press("0");
  await page.waitForTimeout(600);
  await zoomTo(page, 6);
  figures["pan, near"] = await meter.steps(STEPS, wheel(20, 10));
  const toFirst = async () => {
    await canvas.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("f");
    await page.waitForTimeout(600);
  };
  await toFirst();
  figures["drag one wagon"] = await dragged(page, meter, ".react-flow__node");
  await toFirst();
  await page.keyboard.press("Control+a");
  figures["drag all"] = await dragged(page, meter, ".react-flow__node");
  await page.keyboard.press("Escape");
  await canvas.focus();
  await page.keyboard.press("Home");
  // A hold of nothing costs nothing, and would be told as a good figure.
  await page.waitForURL((url) => url.search.includes("w0"));
  figures["hold, without the check"] = await meter.steps(STEPS, () => page.keyboard.press("p"));
  figures.undo = await meter.steps(STEPS, () => page.keyboard.press("Control+z"));
  figures["add a wagon's task"] = await meter.steps(10, () => page.keyboard.press("t"));
  figures.tidy = await meter.steps(6, () => page.keyboard.press("Alt+t"));
  // The answers to what was tidied are drawn before a letter is typed: on a busy machine a late one drew all wagons again.
  await page.waitForTimeout(1_000);
  while (answers.open() > 0) await page.waitForTimeout(100);
  await page.waitForTimeout(500);
  await canvas.focus();
  // The first one has tasks without instructions by now: what mends a problem is checked anew everywhere.
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  // The view has come to rest there: what comes into the document on the way is not drawn again by a letter.
  await page.waitForTimeout(1_000);
  await page.evaluate(`(() => {
    window.touched = new Set();
    new MutationObserver((list) => {
      for (const { target } of list) {
        const node = (target.nodeType === 1 ? target : target.parentElement)?.closest(".react-flow__node");
        if (node) window.touched.add(node.dataset.id);
      }
    }).observe(document.querySelector(".composer-canvas"), { subtree: true, childList: true, characterData: true, attributes: true });
  })()`);
  figures["a letter of an instruction"] = await meter.steps(STEPS, () => page.keyboard.type("x"));
  console.log(`${await page.evaluate("window.touched.size")} wagons were drawn again while typing`);
  await page.close();
  return figures;
}

/** Questions to the kernel about the plan that are not answered yet. */
function countedChecks(page: Page): { open: () => number } {
  const isCheck = (url: string) => url.includes("/plan.check");
  const open = new Set<Request>();
  page.on("request", (request) => isCheck(request.url()) && open.add(request));
  for (const end of ["requestfinished", "requestfailed"] as const)
    page.on(end as "requestfinished", (request) => open.delete(request));
  return { open: () => open.size };
}

/**
 * Compressed bytes of the scripts that the composer loads and the yard does not, each page in a browser of its own. Counted in one
 * browser, those that the yard fetched ahead were the yard's in one run and the composer's in the next. A module that both have may
 * lie in a file of each, so the difference of the sums is told too.
 */
async function codeAbove(browser: Browser, yard: string, composer: string): Promise<{ own: number; more: number }> {
  const [before, after] = [await scriptsOf(browser, yard), await scriptsOf(browser, composer)];
  const sum = (sizes: Iterable<number>) => [...sizes].reduce((all, size) => all + size, 0);
  const own = sum([...after].map(([url, size]) => (before.has(url) ? 0 : size)));
  return { own, more: sum(after.values()) - sum(before.values()) };
}

function kb(bytes: number): number {
  return Math.round(bytes / 1024);
}

async function scriptsOf(browser: Browser, url: string): Promise<Map<string, number>> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const sizes = new Map<string, Promise<number>>();
  page.on("requestfinished", (request) => {
    if (!new URL(request.url()).pathname.endsWith(".js")) return;
    sizes.set(
      request.url(),
      request.sizes().then((all) => all.responseBodySize),
    );
  });
  await page.goto(url);
  await page.waitForLoadState("networkidle");
  const found = new Map<string, number>();
  for (const [script, size] of sizes) found.set(script, await size);
  await context.close();
  return found;
}

async function measurePlain(on: Browser, url: string): Promise<Record<string, Figures>> {
  const page = await on.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.locator(".react-flow__node").first().waitFor();
  await page.waitForTimeout(2_000);
  const meter = await Meter.of(page);
  const middle = await middleOf(page, ".react-flow");
  await page.mouse.move(middle.x, middle.y);
  const wheel = (dx: number, dy: number) => () => page.mouse.wheel(dx, dy);
  const figures: Record<string, Figures> = { "pan, all in view": await meter.steps(STEPS, wheel(12, 6)) };
  figures.zoom = await zoomed(page, meter);
  await zoomTo(page, 6);
  figures["pan, near"] = await meter.steps(STEPS, wheel(20, 10));
  // As it opens: all in view again.
  await page.reload();
  await page.locator(".react-flow__node").first().waitFor();
  await page.waitForTimeout(1_000);
  const again = await Meter.of(page);
  figures["drag one wagon"] = await dragged(page, again, ".react-flow__node");
  // All in view would draw every node; the composer shows about as many near.
  await zoomTo(page, 6);
  figures["hold, without the check"] = await again.steps(STEPS, (i) => page.keyboard.press(i % 2 === 0 ? "p" : "z"));
  figures.undo = figures["hold, without the check"];
  figures["add a wagon's task"] = await again.steps(10, () => page.keyboard.press("t"));
  figures.tidy = await again.steps(6, () => page.keyboard.press("l"));
  await page.getByRole("textbox", { name: "Words of the first node" }).focus();
  figures["a letter of an instruction"] = await again.steps(STEPS, () => page.keyboard.type("x"));
  await page.close();
  return figures;
}

async function zoomed(page: Page, meter: Meter): Promise<Figures> {
  await page.keyboard.down("Control");
  const figures = await meter.steps(STEPS, (i) => page.mouse.wheel(0, i < STEPS / 2 ? -20 : 20));
  await page.keyboard.up("Control");
  return figures;
}

async function zoomTo(page: Page, steps: number): Promise<void> {
  await page.keyboard.down("Control");
  for (let i = 0; i < steps; i++) await page.mouse.wheel(0, -120);
  await page.keyboard.up("Control");
  await page.waitForTimeout(500);
}

/** One that is in view, round in a circle. */
async function dragged(page: Page, meter: Meter, selector: string): Promise<Figures> {
  const boxes = await page.locator(selector).evaluateAll((found) =>
    found.map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return { x, y, width, height };
    }),
  );
  const box = boxes.find(({ x, y, width }) => x > 60 && x < 1_000 && y > 60 && y < 680 && width > 8);
  if (!box) throw new Error("no wagon is in view");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 12, y + 12);
  const figures = await meter.steps(STEPS, (i) =>
    page.mouse.move(x + 40 + Math.cos(i / 3) * 60, y + 40 + Math.sin(i / 3) * 60),
  );
  await page.keyboard.press("Escape");
  await page.mouse.up();
  return figures;
}

async function middleOf(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not on the page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function api<T = unknown>(path: string, body: unknown): Promise<T> {
  const response = await fetch(`${product.url}/api/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
