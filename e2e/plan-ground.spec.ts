// A plan's run on the yard's ground: what will be a turn stands where its turn will stand, and says what it waits for.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test.describe.configure({ timeout: 90_000 });

const body = `switchyard: plan/1
name: drawn
nodes:
  - { id: frame, title: Frame it, target: { ref: Echo }, instruction: Frame, hold: true }
  - id: search
    kind: fork
    title: Three looks
    after: [{ node: frame }]
    tasks:
      - { id: one, title: First look, target: { ref: Echo }, instruction: One }
      - { id: two, title: Second look, target: { ref: Echo }, instruction: Two }
      - { id: three, title: Third look, target: { ref: Echo }, instruction: Three }
  - { id: brief, title: Write it, target: { ref: Echo }, instruction: Write, load: [{ from: search }] }
  - { id: alarm, title: Page the owner, target: { ref: Echo }, instruction: Page, after: [{ node: search, on: failed }] }
  - { id: check, title: Check it, target: { ref: Echo }, instruction: Check, after: [{ node: brief }], hold: true }
`;

async function launched(url: string, title: string): Promise<{ project: string; run: string }> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  const yaml = `name: Echo\nllm_config: { provider: script, script: [{ deliver: "{instruction}" }] }\n`;
  await api(url, "POST", `/projects/${project_id}/profiles`, yaml, "text/yaml");
  await api(url, "POST", `/projects/${project_id}/plans?user=ann`, body, "text/yaml");
  const { root_turn_id } = await api<{ root_turn_id: string }>(
    url,
    "POST",
    `/projects/${project_id}/pmo/launch_plan:call`,
    { args: { plan: "drawn" } },
  );
  return { project: project_id, run: root_turn_id };
}

/** By what is said first of each. */
const ghost = (page: Page, title: string) => page.getByRole("img", { name: new RegExp(`${title}, `) });
const step = (page: Page, n: number) => page.getByRole("list", { name: "Steps of drawn" }).getByRole("listitem").nth(n);
const nodeAt = (page: Page, place: string) => page.locator(`.react-flow__node[data-id$="${place}"]`);

async function boxes(page: Page): Promise<Record<string, { x: number; y: number; width: number; height: number }>> {
  const found: [string, { x: number; y: number; width: number; height: number }][] = [];
  for (const place of [".frame", ".search.0", ".search.1", ".search.2", ".brief", ".alarm", ".check"]) {
    const box = await nodeAt(page, place).boundingBox();
    if (box) found.push([place, box]);
  }
  return Object.fromEntries(found);
}

test("every step stands in its place before it starts, and its turn takes the same place", async ({
  product,
  page,
}) => {
  const { project, run } = await launched(product.url, "Drawn");
  await page.goto(`/p/${project}?run=${run}`);
  await expect(ghost(page, "Frame it")).toBeVisible();
  await expect(ghost(page, "Write it")).toContainText("waits for Three looks");
  await expect(ghost(page, "Page the owner")).toContainText("waits for Three looks to fail");
  await expect(page.getByRole("group", { name: /^Three looks, fork of 3, waits for Frame it/ })).toBeVisible();
  await expect(page.getByText("if it fails", { exact: true })).toBeVisible();
  // The view comes to rest before anything is measured.
  await page.keyboard.press("0");
  await page.waitForTimeout(600);
  const before = await boxes(page);
  expect(Object.keys(before)).toHaveLength(7);
  const element = await nodeAt(page, ".brief").elementHandle();

  await page.getByRole("button", { name: /^Decide about Frame it/ }).click();
  const decision = page.getByRole("dialog", { name: "Decide about Frame it" });
  await decision.getByRole("button", { name: "Start it" }).click();
  await expect(page.getByRole("button", { name: /^Decide about Check it/ })).toBeVisible();
  await expect(ghost(page, "Page the owner")).toContainText("skipped: Three looks succeeded");
  const after = await boxes(page);
  for (const [place, was] of Object.entries(before)) {
    const now = after[place];
    for (const side of ["x", "y", "width", "height"] as const)
      expect(Math.abs((now?.[side] ?? 0) - was[side]), `${place} ${side}`).toBeLessThanOrEqual(1);
  }
  expect(await element?.evaluate((node) => node.isConnected && node.querySelector(".wagon") !== null)).toBe(true);
  // The frame of the fork has its title, and nothing leads back to the person.
  await expect(page.getByRole("group", { name: /^B1, / })).toContainText("Three looks");
  await expect(page.getByRole("button", { name: /after B1$/ })).toHaveCount(0);
});

test("a step is chosen, named in the address, spoken, and reached by the arrows", async ({ product, page }) => {
  const { project, run } = await launched(product.url, "Chosen");
  await page.goto(`/p/${project}?run=${run}`);
  await ghost(page, "Write it").click();
  await expect(page).toHaveURL(/turn=prun_[^&]*\.brief/);
  await expect(page.getByRole("status").filter({ hasText: "Write it" })).toContainText("waits for Three looks");
  await expect(step(page, 2)).toHaveAttribute("aria-current", "step");
  await page.getByLabel(/^Track plan of/).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page).toHaveURL(/turn=prun_[^&]*\.alarm/);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/turn=/);
  // Chosen before it had a turn, it stays chosen as its turn.
  await ghost(page, "Frame it").click();
  await step(page, 0).getByRole("button", { name: "Start it" }).click();
  await expect(page.getByRole("complementary", { name: /^Inspector of/ })).toBeVisible();
});

test("nothing on the ground is a barrier, in both themes", async ({ product, page }) => {
  const { project, run } = await launched(product.url, "No barrier");
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`/p/${project}?run=${run}`);
    await expect(ghost(page, "Frame it")).toBeVisible();
    const { violations } = await axeOf(page).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
});

test("a phone lists the same steps, and a held one is decided there", async ({ product, page }) => {
  const { project, run } = await launched(product.url, "On a phone");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/p/${project}?run=${run}`);
  for (const title of ["Frame it", "First look", "Third look", "Write it", "Page the owner", "Check it"])
    await expect(
      page
        .getByRole("button", { name: new RegExp(title) })
        .or(page.getByText(title))
        .first(),
    ).toBeVisible();
  await page.getByRole("button", { name: /^Frame it/ }).click();
  const sheet = page.getByRole("region", { name: "Frame it" });
  await sheet.getByRole("button", { name: "Start it" }).click();
  await expect(page.getByRole("button", { name: /^Check it.*held/ })).toBeVisible();
});
