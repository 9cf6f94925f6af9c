// The demo explains itself: a tour of five steps that point at the real thing, can be closed at any step, and is offered once.
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { serveOwn } from "./own-product";
import { api, launchLead, makeProject } from "./scenes";
import { type Product, stop } from "./serve";

const planner = `
name: Lead
delegation_policy: { target_tags: [], target_profiles: [Hand] }
allowed_tools: [fork_join]
llm_config:
  provider: script
  context_window: 4096
  script:
    - call: fork_join
      arguments:
        tasks:
          - { target_strategy: new, target_ref: Hand, instruction: "Weigh the first half" }
          - { target_strategy: new, target_ref: Hand, instruction: "Weigh the second half" }
    - { deliver: "Both halves were weighed." }
`;
const hand = `
name: Hand
delegation_policy: { target_tags: [], target_profiles: [Reader] }
allowed_tools: [delegate_async]
llm_config:
  provider: script
  context_window: 4096
  script:
    - when: "first"
      call: delegate_async
      arguments: { target_strategy: new, target_ref: Reader, instruction: "Read it", context_box_id: "{context_box_id}" }
    - { deliver: "It weighs what it says." }
`;
const reader = `
name: Reader
llm_config: { provider: script, context_window: 4096, script: [{ deliver: "Read." }] }
`;

/** A fork of two; what one branch hands on does not include the facts of its own delegation. */
async function makeYard(url: string): Promise<string> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title: "Tour" });
  for (const yaml of [reader, hand, planner])
    await api(url, "POST", `/projects/${project_id}/profiles`, yaml, "text/yaml");
  await launchLead(url, project_id);
  await expect
    .poll(
      async () =>
        (await api<{ items: { status: string }[] }>(url, "GET", `/projects/${project_id}/turns?limit=50`)).items.filter(
          (turn) => turn.status === "success",
        ).length,
      { timeout: 60_000 },
    )
    .toBe(5);
  return project_id;
}

const titles = ["Agents at work", "A wagon", "A fork and its gate", "A hand-over", "What was left behind"] as const;
const panelOf = (page: Page, title: string) => page.getByRole("dialog", { name: title });
const rings = (page: Page) => page.locator(".tour-ring:visible");

/** The middle of the ring is on the screen and on its target. */
async function ringHolds(page: Page, target: string): Promise<void> {
  await expect
    .poll(async () => {
      const box = await page.locator(target).first().boundingBox();
      if (!box) return false;
      const found = await rings(page).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      return found.some(
        (ring) => Math.abs(ring.x + ring.width / 2 - box.x - box.width / 2) < 8 && ring.width >= box.width,
      );
    })
    .toBe(true);
}

test("five steps by keyboard, each at the real thing; Escape ends the tour, and the focus goes back", async ({
  page,
  product,
}) => {
  const project = await makeYard(product.url);
  await page.goto(`/p/${project}`);
  await expect(page.getByRole("img", { name: /1L01, Lead/ })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("tour");
  await page.getByRole("option", { name: /Take the tour/ }).click();
  for (const [index, title] of titles.entries()) {
    const panel = panelOf(page, title);
    await expect(panel).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`tour=${index + 1}`));
    await expect(rings(page).first()).toBeVisible();
    if (index === 1) await ringHolds(page, ".yard-turn[aria-label^='1L01']");
    if (index === 2) await ringHolds(page, "rect.batch-frame");
    if (index === 3) await expect(panel).toContainText(/2H0\d called 3R01/);
    if (index < 4) {
      await expect(panel.getByRole("button", { name: "Next" })).toBeFocused();
      await page.keyboard.press("Enter");
    }
  }
  const last = panelOf(page, "What was left behind");
  await expect(last).toContainText(/did not travel from 2H0\d to 3R01 \(belongs to another delegation/);
  await ringHolds(page, "[data-part=given]");
  // Back, with the panel's button and with the browser's.
  await last.getByRole("button", { name: "Back" }).click();
  await expect(panelOf(page, "A hand-over")).toBeVisible();
  await page.goBack();
  await expect(last).toBeVisible();
  await last.getByRole("link", { name: /left out/ }).click();
  await expect(page.getByRole("region", { name: "Left out" })).toContainText("belongs to another delegation");
  await page.goBack();
  await expect(last.getByRole("button", { name: "Done" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(last).toBeHidden();
  await expect(page).not.toHaveURL(/tour=/);
  await expect(rings(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Legend", exact: true })).toBeFocused();
  // The legend starts it again, and Close ends it.
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Take the tour" }).click();
  const first = panelOf(page, "Agents at work");
  await expect(first.getByRole("button", { name: "Next" })).toBeFocused();
  await first.getByRole("button", { name: "Close the tour" }).click();
  await expect(first).toBeHidden();
});

test("if a run has no fork and nothing was left behind, the steps say so", async ({ page, product }) => {
  const project = await makeProject(product.url, "Little to see");
  await launchLead(product.url, project);
  await page.goto(`/p/${project}?tour=3`);
  await expect(panelOf(page, "A fork and its gate")).toContainText("This run has no fork.");
  await page.goto(`/p/${project}?tour=5`);
  await expect(panelOf(page, "What was left behind")).toContainText("No hand-over of this run left a card behind.");
  await page.goto(`/p/${project}?tour=9`);
  await expect(page.getByRole("img", { name: /1L01, Lead/ })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });
  test("the steps are a sheet at the bottom, and their targets are visible above it", async ({ page, product }) => {
    const project = await makeYard(product.url);
    await page.goto(`/p/${project}?tour=1`);
    for (const [index, title] of titles.entries()) {
      const panel = panelOf(page, title);
      await expect(panel).toBeVisible();
      await expect(rings(page).first()).toBeVisible();
      const [ring, sheet] = [await rings(page).last().boundingBox(), await panel.boundingBox()];
      expect((ring?.y ?? 0) + (ring?.height ?? 0)).toBeLessThanOrEqual((sheet?.y ?? 0) + 1);
      expect(sheet?.width).toBe(390);
      await panel.getByRole("button", { name: index < 4 ? "Next" : "Done" }).tap();
    }
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});

test.describe("the offer in the banner", () => {
  let demo: Product;
  test.beforeAll(async () => {
    demo = await serveOwn({ SWITCHYARD_DEMO: "1" });
  });
  test.afterAll(() => stop(demo));

  test("is one line on a phone, and is not shown again after the tour was taken or closed", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${demo.url}/p/demo/boxes`);
    const line = page.getByRole("status").filter({ hasText: "Remove the demo" });
    const offer = line.getByRole("link", { name: "Take the tour" });
    await expect(offer).toBeVisible();
    expect((await line.boundingBox())?.height).toBeLessThan(60);
    expect(await line.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
    await offer.click();
    await expect(panelOf(page, "Agents at work")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(offer).toBeHidden();
    await page.reload();
    await expect(line).toBeVisible();
    await expect(page.getByRole("button", { name: "Legend", exact: true })).toBeVisible();
    await expect(offer).toBeHidden();
  });

  test("opens the demo's run, though a person has launched a newer one", async ({ page }) => {
    const { items } = await api<{ items: { root_turn_id: string }[] }>(demo.url, "GET", "/projects/demo/runs");
    await api(demo.url, "POST", "/projects/demo/profiles", reader, "text/yaml");
    const args = { target_strategy: "new", target_ref: "Reader", instruction: "Read it" };
    await api(demo.url, "POST", "/projects/demo/pmo/delegate_async:call", { args });
    await page.goto(`${demo.url}/p/demo/cards`);
    await page.getByRole("link", { name: "Take the tour" }).click();
    await expect(panelOf(page, "Agents at work")).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`run=${items[0]?.root_turn_id}`));
  });

  test("works if storage is blocked", async ({ page }) => {
    await page.addInitScript(() =>
      Object.defineProperty(window, "localStorage", {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      }),
    );
    await page.goto(`${demo.url}/p/demo?tour=1`);
    await panelOf(page, "Agents at work").getByRole("button", { name: "Close the tour" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Take the tour" })).toBeHidden();
  });
});
