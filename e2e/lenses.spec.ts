// The lenses of the yard by keyboard alone: who called whom, the agents, which cards went where. In both themes, and on a phone.
import type { Page } from "@playwright/test";
import { expectSound } from "./axe";
import { expect, test } from "./fixtures";
import { batchEnds, five, fork, makeForkProject } from "./fork-scenes";
import { makeWindowsRun } from "./lens-scenes";
import { api, launchLead, makeProject, runEnds } from "./scenes";

test.describe.configure({ timeout: 90_000 });

const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const canvas = (page: Page) => page.getByRole("application", { name: /Track plan/ });
const lens = (page: Page, name: string) => page.getByRole("radiogroup", { name: "Lens" }).getByRole("radio", { name });

async function endedRun(url: string, title: string): Promise<{ project: string; run: string; child: string }> {
  const project = await makeProject(url, title);
  const { root_turn_id: run, child } = await launchLead(url, project);
  await runEnds(url, project);
  return { project, run, child };
}

test("1, 2 and 3 change the lens and keep the selection; a line and its cards are reached by keyboard", async ({
  product,
  page,
}) => {
  const { project, run, child } = await endedRun(product.url, "Three lenses");
  await page.goto(`${product.url}/p/${project}?run=${run}&turn=${child}`);
  await expect(lens(page, "Delegations")).toBeChecked();
  const place = await canvas(page).locator(".react-flow__node").first().getAttribute("style");

  await page.keyboard.press("3");
  await expect(lens(page, "Context flow")).toBeChecked();
  // The address follows the picture.
  await expect.poll(() => param(page, "lens")).toBe("flow");
  expect(param(page, "turn")).toBe(child);
  // The same places.
  expect(await canvas(page).locator(".react-flow__node").first().getAttribute("style")).toBe(place);
  await expect(canvas(page).getByText(/tokens handed over/)).toBeVisible();
  const panel = page.getByRole("complementary", { name: "The context flow" });
  const line = panel.getByRole("button", { name: /^1L01 .* to 2H0\d .*, \d+ cards?, [\d,]+ tokens$/ }).first();
  await line.focus();
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("link", { name: "Open handover" })).toBeVisible();
  await expect(panel.getByRole("heading", { name: "Cards", exact: true })).toBeVisible();
  await expect(panel.getByText(/task\.instruction, in its context/)).toBeVisible();
  expect(param(page, "flow_from")).toBe(child);
  await expectSound(page, "a line of the context flow");
  // Another window with the same address shows the same line.
  await page.reload();
  await expect(panel.getByRole("link", { name: "Open handover" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect.poll(() => param(page, "flow_to")).toBeNull();
  expect(param(page, "turn")).toBe(child);

  await page.keyboard.press("2");
  await expect(lens(page, "Agents")).toBeChecked();
  const node = (name: RegExp) => page.getByRole("button", { name, pressed: true });
  await expect(page.getByRole("button", { name: /^Lead, 1 turn, fullest request/ })).toBeVisible();
  await page.getByRole("button", { name: /^Lead, 1 turn/ }).focus();
  await page.keyboard.press("Enter");
  await expect(node(/^Lead,/)).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(node(/^Hand,/)).toBeFocused();
  const agent = page.getByRole("complementary", { name: "The agent" });
  await expect(agent.getByRole("heading", { name: "How full its window was" })).toBeVisible();
  await expect(agent.getByRole("button", { name: /^Lead 1 ×/ })).toBeVisible();
  await expectSound(page, "the agents of a run");
  await page.keyboard.press("ArrowLeft");
  await expect(node(/^Lead,/)).toBeFocused();

  await page.keyboard.press("1");
  await expect(canvas(page)).toBeVisible();
  await expect.poll(() => param(page, "lens")).toBeNull();
});

test("a folded wagon sums the lines of its turns, and each of them can be opened", async ({ product, page }) => {
  const { url } = product;
  const project = await makeForkProject(url, "Folded flow");
  const { batch_id, root_turn_id } = await fork(url, project, five, { deadline_seconds: 900 });
  await batchEnds(url, project, batch_id, "partial");
  await page.goto(`${url}/p/${project}?run=${root_turn_id}&lens=flow&fold=${batch_id}`);
  const panel = page.getByRole("complementary", { name: "The context flow" });
  await panel.getByRole("button", { name: /to B1 5 tasks, \d+ cards/ }).click();
  await expect(panel.getByRole("heading", { name: "Lines of its turns" })).toBeVisible();
  await panel.getByRole("button", { name: /^0\w\d\d .* to 1S01 / }).press("Enter");
  await expect(panel.getByRole("heading", { name: "Cards", exact: true })).toBeVisible();
  await panel.getByRole("button", { name: "Close the line" }).press("Enter");
  await expect(panel.getByRole("heading", { name: "Heaviest lines" })).toBeVisible();
  // `h` on what stands for several opens the first of them.
  await panel.getByRole("button", { name: /to B1 5 tasks, \d+ cards/ }).click();
  await expect(panel.getByRole("link", { name: "Compare siblings" })).toHaveAttribute(
    "href",
    /\/boxes\/.*tab=diff&with=/,
  );
  await page.keyboard.press("h");
  await expect(page).toHaveURL(/\/turns\/[^/]+\/handover/);
});

test("a line of a fork says what its bundle repeats, and h opens the hand-over", async ({ product, page }) => {
  const { url } = product;
  const project = await makeForkProject(url, "Bundle of a fork");
  const { batch_id, root_turn_id } = await fork(url, project, five, { deadline_seconds: 900 });
  await batchEnds(url, project, batch_id, "partial");
  const repeats = await api<{ tokens: number; first_copies: number; repeats: number; unique: number }>(
    url,
    "GET",
    `/projects/${project}/batches/${batch_id}/repeats`,
  );
  expect(repeats.first_copies + repeats.repeats + repeats.unique).toBe(repeats.tokens);
  await page.goto(`${url}/p/${project}?run=${root_turn_id}&lens=flow`);
  const panel = page.getByRole("complementary", { name: "The context flow" });
  await panel
    .getByRole("button", { name: /^0\w\d\d .* to 1S01 / })
    .first()
    .press("Enter");
  await expect(panel.getByRole("heading", { name: "In the bundle" })).toBeVisible();
  await expect(panel.getByText(/^All 5 /)).toBeVisible();
  await expect(panel.getByText(repeats.unique.toLocaleString("en"), { exact: true }).first()).toBeVisible();
  await expectSound(page, "a line of a fork");
  const to = param(page, "flow_to");
  await page.keyboard.press("h");
  await expect(page).toHaveURL(new RegExp(`/turns/${to}/handover`));
});

test("agents alike are one node, which unfolds in place by key; the ground zooms and shows all", async ({
  product,
  page,
}) => {
  const { url } = product;
  const project = await makeForkProject(url, "Many alike");
  const run = await makeWindowsRun(url, project, 13);
  await page.goto(`${url}/p/${project}?run=${run}&lens=agents`);
  const fold = page.getByRole("button", { name: /^13 × Search, folded, 13 turns/ });
  await expect(fold).toBeVisible();
  // Each step of the scale has its agent, and says its share in words.
  for (const step of [0, 1, 2, 3, 4])
    await expect(page.locator(`.agent-node[data-fill="${step}"]`).first()).toBeVisible();
  await expectSound(page, "agents of all five steps");
  await fold.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("complementary", { name: "The agent" });
  await expect(panel.getByRole("heading", { name: "The fullest first" })).toBeVisible();
  await page.keyboard.press("z");
  await expect(page.getByRole("button", { name: /^Search, 1 turn/, pressed: true })).toBeFocused();
  await expect(fold).toHaveCount(0);
  await page.reload();
  await page.getByRole("button", { name: /^Search, 1 turn/, pressed: true }).focus();
  await page.keyboard.press("z");
  await expect(page.getByRole("button", { name: /^13 × Search, folded/, pressed: true })).toBeFocused();
  const percent = page.getByRole("button", { name: /percent, set to 100/ });
  await percent.click();
  await expect(percent).toHaveText("100%");
  await page.keyboard.press("-");
  await expect(percent).toHaveText("80%");
  await page.keyboard.press("0");
  await expect(page.locator(".agent-node")).toHaveCount(7);
});

test("a run that goes on is read again", async ({ product, page }) => {
  const { url } = product;
  const project = await makeProject(url, "Growing flow");
  const { root_turn_id: run, child } = await launchLead(url, project);
  await page.goto(`${url}/p/${project}?run=${run}&lens=flow&turn=${child}`);
  await runEnds(url, project);
  const { tokens } = await api<{ tokens: number }>(url, "GET", `/projects/${project}/runs/${run}/flow`);
  await expect(page.getByText(`${tokens.toLocaleString("en")} tokens handed over`)).toBeVisible({ timeout: 15_000 });
});

test("on a phone the lines and the agents are lists", async ({ product, page }) => {
  const { project, run } = await endedRun(product.url, "Phone lenses");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${product.url}/p/${project}?run=${run}&lens=flow`);
  await page.getByRole("button", { name: /^1L01 .* to 2H01 / }).click();
  await expect(page.getByRole("heading", { name: "Cards", exact: true })).toBeVisible();
  await expectSound(page, "a line on a phone");
  await lens(page, "Agents").click();
  await page
    .getByRole("button", { name: /^Hand, / })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "How full its window was" })).toBeVisible();
  await expectSound(page, "the agents on a phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
