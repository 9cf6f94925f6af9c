// From a commit to a pixel: `npm run build && npx tsx bench/pixel.ts [changes]`. The product as it is started, a real
// Chromium, and a turn whose note our own worker changes; the page records when the words have been painted.
import { chromium } from "@playwright/test";
import { launchOptions } from "@/e2e/browser";
import { serve, stop } from "@/e2e/serve";
import { launch } from "@/server/kernel/launch/launch";
import { createProject } from "@/server/kernel/roster/create-project";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { appendOutput } from "@/server/kernel/turns/append-output";
import { isFenced } from "@/server/kernel/turns/fenced";
import { startTurn } from "@/server/kernel/turns/start-turn";
import { withUnit } from "@/server/kernel/unit";
import { wireKernel } from "@/server/wire";
import { spread } from "./bench-kernel";

const changes = Number(process.argv[2] ?? 100);
const project_id = "pixel";

const product = await serve({ SWITCHYARD_WORKER_TARGETS: "nobody" });
const kernel = wireKernel({ url: product.database_url, name: "switchyard-bench" });
const browser = await chromium.launch(launchOptions);
try {
  await createProject(kernel, { project_id, title: "pixel" });
  const profile = parseProfile({ name: "Bench" });
  await withUnit(kernel, (unit) => saveProfile(unit, { project_id, profile, author_id: "bench" }));
  const args = { target_strategy: "new", target_ref: "Bench", instruction: "change" };
  const { result } = await launch(kernel, { project_id, tool: "delegate_async", user: "bench", args });
  if (!("agent_turn_id" in result)) throw new Error("a delegation was launched");
  const key = { project_id, agent_turn_id: result.agent_turn_id, turn_epoch: result.turn_epoch ?? 0 };
  if (isFenced(await startTurn(kernel, { ...key, worker_id: "bench" }))) throw new Error("fenced");

  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${product.url}/p/${project_id}`);
  await page.getByText("Bench").first().waitFor();
  // As text: a compiled function would call helpers that the page does not have.
  await page.evaluate(`(() => {
    const painted = (window.painted = {});
    const look = () => {
      for (const [mark] of (document.body.textContent ?? "").matchAll(/mark-\\d+-/g))
        if (!(mark in painted)) {
          painted[mark] = 0;
          requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => { painted[mark] = performance.timeOrigin + performance.now(); };
            channel.port2.postMessage(0);
          });
        }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  })()`);

  const committed: Record<string, number> = {};
  for (let i = 0; i < changes; i++) {
    const mark = `mark-${i}-`;
    await appendOutput(kernel, {
      ...key,
      cards: [{ type: "agent.thought", author_id: "bench", content: "x" }],
      note: mark,
    });
    committed[mark] = performance.timeOrigin + performance.now();
    await new Promise((done) => setTimeout(done, 60));
  }
  await page.waitForTimeout(1000);
  const painted = (await page.evaluate("window.painted")) as Record<string, number>;
  const ms = Object.entries(committed).flatMap(([mark, at]) => (painted[mark] ? [painted[mark] - at] : []));
  const { p50, p99 } = spread(ms);
  console.log(`${ms.length} of ${changes} changes painted, commit to pixel p50 ${p50} ms, p99 ${p99} ms`);
  if (ms.length < changes) process.exitCode = 1;
} finally {
  await browser.close();
  await kernel.close();
  await stop(product);
}
