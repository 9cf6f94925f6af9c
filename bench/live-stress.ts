// A yard of 2,000 turns while 200 frames a second come for two minutes: `npm run build && npx tsx bench/live-stress.ts [seconds] [turns]`.
// The product as it is started, its own stream, a real Chromium. Turns change in their rows and are told in the same transaction, as
// the kernel does it; at the end the page's picture must be the server's, and its heap as large as after the start.
import { type CDPSession, chromium, type Page } from "@playwright/test";
import { launchOptions } from "@/e2e/browser";
import { serve, stop } from "@/e2e/serve";
import type { Frame } from "@/server/contract/frame";
import { columnsOf } from "@/server/kernel/columns";
import { readSnapshot } from "@/server/kernel/read-models/read-snapshot";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "@/server/kernel/turns/turn-row";
import { withUnit } from "@/server/kernel/unit";
import { type Wired, wireKernel } from "@/server/wire";
import { importTurns } from "./many-turns";

const seconds = Number(process.argv[2] ?? 120);
const turns = Number(process.argv[3] ?? 2_000);
const FRAMES_A_SECOND = 200;
const FRAMES_A_UNIT = 20;
const WARM_UP_S = 10;
const GROWTH_MAX = 1.1;
const CATCH_UP_MS = 15_000;
const project_id = "stress";

const CHANGE = `
  UPDATE state.agent_turns t SET note = $3, output_tokens = t.output_tokens + 1, rev = t.rev + 1
  WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[]) RETURNING ${columnsOf(TURN_COLUMNS, "t")}`;

const product = await serve({ SWITCHYARD_WORKER_TARGETS: "nobody" });
const kernel = wireKernel({ url: product.database_url, name: "switchyard-bench" });
const browser = await chromium.launch(launchOptions);
try {
  const root_turn_id = await importTurns(kernel, project_id, turns);
  const { frames } = await readSnapshot(kernel, { project_id, root_turn_id });
  const ids = frames.flatMap((frame) => (frame.kind === "turn" && !frame.is_human ? [frame.id] : []));
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${product.url}/p/${project_id}?run=${root_turn_id}`);
  await page.locator(".react-flow__node, .yard-overview").first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });

  await change(ids, WARM_UP_S, 0);
  const before = await heapMb(session);
  const busy = await busyMs(session);
  await watchFrames(page);
  const told = await change(ids, seconds, 1);
  const took = (await busyMs(session)) - busy;
  const drawn = await drawnFrames(page);
  const missing = await untilSame(kernel, page, root_turn_id);
  const after = await heapMb(session);
  console.log(
    [
      `${ids.length} turns, ${told} frames in ${seconds} s (${Math.round(told / seconds)} a second)`,
      `turns that the page has otherwise than the server: ${missing}`,
      `heap ${before.toFixed(1)} MB after ${WARM_UP_S} s, ${after.toFixed(1)} MB at the end (${(after / before).toFixed(2)} x)`,
      `between two pictures p50 ${drawn.p50.toFixed(0)} p95 ${drawn.p95.toFixed(0)} ms, longest ${drawn.longest.toFixed(0)} ms`,
      `main thread busy ${((took / (seconds * 1_000)) * 100).toFixed(0)} %`,
    ].join("\n"),
  );
  if (missing > 0 || after / before > GROWTH_MAX) process.exitCode = 1;
} finally {
  await browser.close();
  await kernel.close();
  await stop(product);
}

/** How many frames were told. */
async function change(ids: readonly string[], forS: number, round: number): Promise<number> {
  const started = performance.now();
  let told = 0;
  for (let at = 0; performance.now() - started < forS * 1_000; at++) {
    const some = Array.from({ length: FRAMES_A_UNIT }, (_, i) => ids[(at * FRAMES_A_UNIT + i) % ids.length]);
    await withUnit(kernel, async (unit) => {
      const rows = await unit.query<TurnRow>("stress_change", CHANGE, [project_id, some, `change ${round}.${at}`]);
      for (const row of rows) unit.frame(project_id, turnFrame(row));
      told += rows.length;
    });
    const due = started + ((at + 1) * FRAMES_A_UNIT * 1_000) / FRAMES_A_SECOND;
    await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())));
  }
  return told;
}

async function heapMb(session: CDPSession): Promise<number> {
  for (let i = 0; i < 2; i++) await session.send("HeapProfiler.collectGarbage");
  return (await metric(session, "JSHeapUsedSize")) / 1e6;
}

async function busyMs(session: CDPSession): Promise<number> {
  return (await metric(session, "TaskDuration")) * 1_000;
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find((one) => one.name === name)?.value ?? 0;
}

async function watchFrames(page: Page): Promise<void> {
  // As text: a compiled function would call helpers that the page does not have.
  await page.evaluate(`(() => {
    window.pictures = new Float64Array(100000);
    window.drawn = 0;
    const look = (at) => { window.pictures[window.drawn++] = at; requestAnimationFrame(look); };
    requestAnimationFrame(look);
  })()`);
}

async function drawnFrames(page: Page): Promise<{ p50: number; p95: number; longest: number }> {
  const times = (await page.evaluate("[...window.pictures.subarray(0, window.drawn)]")) as number[];
  const between = times.slice(1).map((at, i) => at - (times[i] ?? at));
  between.sort((a, b) => a - b);
  const at = (share: number) => between[Math.min(between.length - 1, Math.floor(between.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), longest: between.at(-1) ?? 0 };
}

/** How many turns are still other than the server has them after the stream has had time to bring all. */
async function untilSame(kernel: Wired, page: Page, root_turn_id: string): Promise<number> {
  const { frames } = await readSnapshot(kernel, { project_id, root_turn_id });
  const there = new Map(frames.flatMap((frame) => (frame.kind === "turn" ? [[frame.id, sorted(frame)]] : [])));
  for (const end = performance.now() + CATCH_UP_MS; ; await page.waitForTimeout(250)) {
    const shown = new Map((await pictureOf(page)).map((frame) => [frame.id, sorted(frame)]));
    const other = [...there].filter(([id, text]) => shown.get(id) !== text).length + Math.abs(shown.size - there.size);
    if (other === 0 || performance.now() > end) return other;
  }
}

/** What the yard itself holds: the context above the canvas has it. */
async function pictureOf(page: Page): Promise<Frame[]> {
  return (await page.evaluate(`(() => {
    const canvas = document.querySelector(".yard-canvas");
    let fiber = canvas[Object.keys(canvas).find((key) => key.startsWith("__reactFiber$"))];
    while (fiber && !fiber.memoizedProps?.value?.live?.getPicture) fiber = fiber.return;
    if (!fiber) throw new Error("the yard's picture was not found above its canvas");
    return JSON.parse(JSON.stringify([...fiber.memoizedProps.value.live.getPicture().turn.values()]));
  })()`)) as Frame[];
}

function sorted(frame: Frame): string {
  return JSON.stringify(
    Object.entries(frame)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
