// A run as one conversation and as a table: who did what and where it went wrong, the same turn in all three views, and a live run that
// does not move what is being read.
import { existsSync, readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";

test.describe.configure({ timeout: 90_000 });

const LONG = "../shared/data/who-and-when/hand-crafted-46.json";
const SHORT = "examples/logs/warehouse-count.json";

async function importLog(url: string, project: string, file: string): Promise<string> {
  const { root_turn_id } = await api<{ root_turn_id: string }>(
    url,
    "POST",
    `/projects/${project}/imports?format=who-and-when`,
    readFileSync(file, "utf8"),
  );
  return root_turn_id;
}

const linesOf = (page: Page) => page.getByRole("feed").getByRole("article");
const current = (page: Page) => page.locator(".transcript-line[aria-current]");
const views = (page: Page) => page.getByRole("navigation", { name: "Views of the run" });

test("who did what and where it went wrong in a log of 130 messages, in two actions", async ({ product, page }) => {
  const project = await makeProject(product.url, "Actions", { isBrisk: true });
  const file = existsSync(LONG) ? LONG : SHORT;
  const log: { mistake_reason: string; mistake_step: string; ground_truth: string } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  const run = await importLog(product.url, project, file);
  await page.goto(`/p/${project}?run=${run}`);
  let actions = 0;
  const act = async (click: () => Promise<void>) => {
    actions++;
    await click();
  };
  await act(() => views(page).getByRole("link", { name: "Transcript" }).click());
  const aside = page.getByRole("complementary", { name: "Who did what" });
  // Who did what, and the reason, are read without a further action.
  await expect(aside.getByRole("button", { name: /turns?, .*messages?/ }).first()).toBeVisible();
  await expect(aside.getByText(log.mistake_reason)).toBeVisible();
  await expect(aside.getByText(String(log.ground_truth), { exact: true })).toBeVisible();
  await act(() => aside.getByRole("button", { name: "Go to the mistake" }).click());
  await expect(current(page)).toContainText("Named as the mistake.");
  await expect(current(page)).toContainText(log.mistake_step);
  await expect(current(page)).toBeInViewport();
  expect(actions).toBeLessThanOrEqual(3);
});

test("the same turn in yard, table and transcript, by a link and back", async ({ product, page }) => {
  const project = await makeProject(product.url, "Three views", { isBrisk: true });
  const { root_turn_id, child } = await launchLead(product.url, project);
  await runEnds(product.url, project);
  await page.goto(`/p/${project}?run=${root_turn_id}&turn=${child}`);
  await views(page).getByRole("link", { name: "Transcript" }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${root_turn_id}/transcript\\?.*turn=${child}`));
  await expect(current(page)).toHaveAttribute("aria-label", "local asked Lead");
  await expect(page.locator(".transcript-line[data-lit]").first()).toBeVisible();
  const answer = linesOf(page).filter({ hasText: "Both halves are on their way." });
  await answer.click({ position: { x: 300, y: 10 } });
  await expect(answer).toHaveAttribute("aria-current", "true");
  const asked = page.getByRole("article", { name: "Lead asked Hand" }).first();
  await asked.click({ position: { x: 300, y: 10 } });
  await expect(page).not.toHaveURL(new RegExp(`turn=${child}`));
  await views(page).getByRole("link", { name: "Tree" }).click();
  const row = page.getByRole("row", { selected: true });
  await expect(row).toContainText("2H01");
  await expect(page.getByRole("complementary", { name: "Inspector of 2H01" })).toBeVisible();
  await views(page).getByRole("link", { name: "Yard" }).click();
  await expect(page.getByRole("application")).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Inspector of 2H01" })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`run=${root_turn_id}`));
});

test("by keyboard: next line, a tool's line unfolded, all of a text, one agent alone", async ({ product, page }) => {
  const project = await makeProject(product.url, "By keyboard", { isBrisk: true });
  const { root_turn_id } = await launchLead(product.url, project);
  await runEnds(product.url, project);
  await page.goto(`/p/${project}/runs`);
  await page.getByRole("link", { name: "Transcript of run 1" }).focus();
  await page.keyboard.press("Enter");
  await expect(linesOf(page)).toHaveCount(15);
  await page.keyboard.press("j");
  await expect(linesOf(page).nth(0)).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const call = linesOf(page).nth(2);
  await expect(call).toBeFocused();
  await expect(call).toHaveAttribute("aria-label", "Lead called delegate_async");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(call.getByText('"target_strategy": "new"').last()).toBeVisible();
  await page.keyboard.press("k");
  await expect(linesOf(page).nth(1)).toBeFocused();
  // A click on a tool's line is where the keys go on from.
  await page.keyboard.press("Escape");
  await call.getByRole("button", { expanded: true }).click();
  await page.keyboard.press("j");
  await expect(linesOf(page).nth(3)).toBeFocused();
  const lead = page.getByRole("complementary").getByRole("button", { name: /^Lead/ });
  await lead.focus();
  await page.keyboard.press("Enter");
  await expect(lead).toHaveAttribute("aria-pressed", "true");
  await expect(linesOf(page)).toHaveCount(11);
  await expect(page).toHaveURL(/agent=lead/);
  await lead.press("Enter");
  await expect(linesOf(page)).toHaveCount(15);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/card=/);
  expect(root_turn_id).not.toBe("");
});

test("words are searched for by keys: how many of how many, marked, in the address, and gone again", async ({
  product,
  page,
}) => {
  const project = await makeProject(product.url, "Words", { isBrisk: true });
  const { root_turn_id } = await launchLead(product.url, project);
  await runEnds(product.url, project);
  await page.goto(`/p/${project}/runs/${root_turn_id}/transcript`);
  await expect(page.getByText("15 lines", { exact: true })).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search in lines" })).toBeFocused();
  await page.keyboard.type("BOTH halves");
  await expect(page.getByText(/^[1-9] of 15 lines$/)).toBeVisible();
  await expect(page).toHaveURL(/q=BOTH/);
  await expect(page.locator("mark.hit").first()).toHaveText(/both|halves/i);
  const count = await linesOf(page).count();
  await page.keyboard.press("Enter");
  await expect(linesOf(page).first()).toBeFocused();
  await page.reload();
  await expect(linesOf(page)).toHaveCount(count);
  await page.keyboard.press("/");
  await page.keyboard.type("no such words at all");
  await expect(page.getByText("No matching lines")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(linesOf(page)).toHaveCount(15);
  await expect(page).not.toHaveURL(/q=/);
});

const slow = `
name: Talker
max_steps: 40
llm_config:
  provider: script
  script: [${Array.from({ length: 24 }, (_, i) => `{ think: "Thought ${i} of many.", wait_ms: ${i < 12 ? 1 : 400} }`).join(", ")}, { deliver: "Done." }]
`;

test("a live run says how many lines are new, and leaves what is read where it is", async ({ product, page }) => {
  const project = await makeProject(product.url, "Live lines", { isBrisk: true });
  await api(product.url, "POST", `/projects/${project}/profiles`, slow, "text/yaml");
  const { root_turn_id } = await api<{ root_turn_id: string }>(
    product.url,
    "POST",
    `/projects/${project}/pmo/delegate_async:call`,
    { args: { target_strategy: "new", target_ref: "Talker", instruction: "Talk" } },
  );
  await page.setViewportSize({ width: 1200, height: 420 });
  await page.goto(`/p/${project}/runs/${root_turn_id}/transcript`);
  const third = page.getByRole("article").filter({ hasText: "Thought 2 of many." });
  await expect(third).toBeVisible();
  const before = await third.boundingBox();
  const pill = page.getByRole("button", { name: /^\d+ new$/ });
  await expect(pill).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("26 lines")).toBeVisible({ timeout: 30_000 });
  expect((await third.boundingBox())?.y).toBe(before?.y);
  await pill.click();
  await expect(page.getByText("Done.")).toBeInViewport();
  await expect(pill).toHaveCount(0);
});

test("the table: the keys of a tree, a filter that keeps the way, and a phone", async ({ product, page }) => {
  const project = await makeProject(product.url, "Table", { isBrisk: true });
  const { root_turn_id } = await launchLead(product.url, project);
  await runEnds(product.url, project);
  await page.goto(`/p/${project}?view=tree&run=${root_turn_id}`);
  const grid = page.getByRole("treegrid");
  const rows = grid.locator("tbody").getByRole("row");
  await expect(rows).toHaveCount(4);
  await grid.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const lead = rows.nth(1);
  await expect(lead).toHaveAttribute("aria-selected", "true");
  await expect(lead).toHaveAttribute("aria-level", "2");
  await expect(grid).toHaveAttribute("aria-activedescendant", (await lead.getAttribute("id")) ?? "");
  await page.keyboard.press("ArrowLeft");
  await expect(rows).toHaveCount(2);
  await expect(lead).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(rows.nth(2)).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/turn=/);
  await page.keyboard.press("ArrowLeft");
  await expect(lead).toHaveAttribute("aria-selected", "true");
  await page.getByRole("searchbox").fill("2H02");
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: "2H02" })).not.toHaveAttribute("data-path");
  await expect(lead).toHaveAttribute("data-path", "true");
  await page.getByRole("searchbox").fill("nothing of the kind");
  await expect(page.getByText("No matching turns")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/p/${project}?view=tree&run=${root_turn_id}`);
  await expect(rows).toHaveCount(4);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test.describe(() => {
  test.use({ expectedErrors: [/404/] });

  test("a run that is not there", async ({ product, page }) => {
    const project = await makeProject(product.url, "Nowhere", { isBrisk: true });
    await page.goto(`/p/${project}/runs/turn_nowhere/transcript`);
    await expect(page.getByRole("heading", { name: "Run not found" })).toBeVisible();
  });
});

test("a phone opens who did what, and is led to the mistake", async ({ product, page }) => {
  const project = await makeProject(product.url, "Phone", { isBrisk: true });
  const run = await importLog(product.url, project, SHORT);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/p/${project}/runs/${run}/transcript`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("button", { name: "Who did what" }).click();
  await page.getByRole("button", { name: "Go to the mistake" }).click();
  await expect(current(page)).toContainText("Named as the mistake.");
  await expect(current(page).locator(".line-head")).toBeInViewport();
});
