// One number for one thing: for a turn of the demo the wagon, the inspector, the turn's head, its agent's list, its box and
// REST show the same figure. They used to show 40, 71, 91 and 66 percent.
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { serveOwn } from "./own-product";
import { api } from "./scenes";
import { type Product, stop } from "./serve";

let demo: Product;
test.beforeAll(async () => {
  demo = await serveOwn({ SWITCHYARD_DEMO: "1" });
});
test.afterAll(() => stop(demo));

type Turn = {
  agent_turn_id: string;
  agent_id: string;
  headcode: string;
  root_turn_id: string;
  context_box_id: string;
  fullest_tokens?: number;
  window_tokens?: number;
  ended_at?: string;
};

async function turn2S02(): Promise<Turn> {
  const { items } = await api<{ items: Turn[] }>(demo.url, "GET", "/projects/demo/turns?limit=50");
  const found = items.find((turn) => turn.headcode === "2S02");
  if (!found?.ended_at) throw new Error("2S02 has not ended");
  return found;
}

const figuresIn = (page: Page, within: string) =>
  page.locator(`${within} [data-gauge]`).evaluateAll((all) => all.map((one) => Number(one.getAttribute("data-gauge"))));

test("every screen shows the same figure of 2S02", async ({ page }) => {
  test.setTimeout(120_000);
  await expect.poll(async () => (await turn2S02().catch(() => null))?.fullest_tokens, { timeout: 90_000 }).toBeTruthy();
  const turn = await turn2S02();
  const fullest = turn.fullest_tokens ?? 0;
  const window = turn.window_tokens ?? 0;
  const percent = Math.round((fullest / window) * 100);
  const words = `estimated ${fullest.toLocaleString("en")} of ${window.toLocaleString("en")}`;

  await page.goto(`${demo.url}/p/demo?run=${turn.root_turn_id}&turn=${turn.agent_turn_id}`);
  await expect(page.locator(`.yard-turn[aria-label*="${percent} percent of window"][aria-label^="2S02"]`)).toHaveCount(
    1,
  );
  await expect.poll(() => figuresIn(page, ".yard-turn[aria-label^='2S02']")).toEqual([fullest]);
  await expect(page.getByText(words).first()).toBeVisible();

  const inTimeline = page.getByRole("option", { name: /^2S02/ }).locator("[data-gauge]");
  await expect(inTimeline).toHaveText(`${percent}%`);
  expect(await inTimeline.getAttribute("title")).toContain("tokens held by its boxes. Needle: the request");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${demo.url}/p/demo?run=${turn.root_turn_id}`);
  await expect(page.locator(".phone-wagon[aria-label^='2S02'] [data-gauge]")).toHaveText(`${percent}%`);
  await page.setViewportSize({ width: 1280, height: 720 });

  await page.goto(`${demo.url}/p/demo/turns/${turn.agent_turn_id}`);
  await expect(page.locator(".turn-gauge")).toContainText(words);
  await expect.poll(() => figuresIn(page, "body")).toEqual([fullest, fullest]);

  await page.goto(`${demo.url}/p/demo/boxes/${turn.context_box_id}`);
  await expect(page.locator("header").filter({ hasText: words })).toBeVisible();
  expect(await figuresIn(page, "body")).toEqual([fullest]);

  await page.goto(`${demo.url}/p/demo/agents/${encodeURIComponent(turn.agent_id)}`);
  await expect(page.locator(`[data-gauge="${fullest}"]`).first()).toBeVisible();

  const steps = await api<{ items: { request_tokens?: number }[] }>(
    demo.url,
    "GET",
    `/projects/demo/state/steps?agent_turn_id=${turn.agent_turn_id}&limit=50`,
  );
  expect(Math.max(...steps.items.map((step) => step.request_tokens ?? 0))).toBe(fullest);
});
