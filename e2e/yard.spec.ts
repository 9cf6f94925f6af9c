// The yard by keyboard, with filters, paused and on a phone: what a person does there without launching anything.
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { batchEnds, five, fork, makeForkProject } from "./fork-scenes";
import { api, launchLead, makeProject, runEnds } from "./scenes";

const selected = (page: Page) =>
  page.getByRole("listbox", { name: /turns in the order/ }).locator("[aria-selected=true]");
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const canvas = (page: Page) => page.getByRole("application", { name: /Track plan/ });

async function openEndedRun(page: Page, url: string, title: string): Promise<string> {
  const project = await makeProject(url, title);
  const { root_turn_id } = await launchLead(url, project);
  await runEnds(url, project);
  await page.goto(`${url}/p/${project}?run=${root_turn_id}`);
  await expect(canvas(page).getByRole("img", { name: /1L01, Lead, success/ })).toBeVisible();
  return project;
}

test("moving by keyboard selects and never moves the view", async ({ page, product }) => {
  await openEndedRun(page, product.url, "Walk");
  const viewport = page.locator(".react-flow__viewport");
  const before = await viewport.getAttribute("style");
  // Without a selection every key begins at the newest turn.
  for (const [key, code] of [
    ["j", "2H02"],
    ["k", "2H01"],
    ["i", "1L01"],
    ["o", "2H01"],
    ["]", "2H02"],
    ["[", "2H01"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(selected(page)).toHaveAttribute("aria-label", new RegExp(`^${code}`));
  }
  await expect(page.getByRole("complementary", { name: "Inspector of 2H01" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: /^2H01, Hand, success/ })).toBeAttached();
  expect(await viewport.getAttribute("style")).toBe(before);
  expect(param(page, "turn")).not.toBeNull();
  await page.keyboard.press("f");
  await expect.poll(() => viewport.getAttribute("style")).not.toBe(before);
  await page.keyboard.press("Escape");
  await expect(selected(page)).toHaveCount(0);
});

test("the timeline distinguishes the model from waiting, by shade and in words", async ({ page, product }) => {
  await openEndedRun(page, product.url, "Tones");
  const row = page.getByRole("option", { name: /^1L01, Lead, success.*, model \d/ });
  await expect(row).toBeVisible();
  await expect(row.locator('[data-kind="model"]')).not.toHaveCount(0);
  await expect(row.locator('[data-kind="work"]')).toHaveCount(0);
});

test("the filter is in the URL: another window with the same URL shows the same", async ({
  page,
  product,
  context,
}) => {
  await openEndedRun(page, product.url, "Filter");
  await page.keyboard.press("/");
  await page.keyboard.type("second half");
  await expect(page.getByText("1 of 4 turns")).toBeVisible();
  await expect.poll(() => param(page, "q")).toBe("second half");
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByText("1 of 4 turns")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("4 of 4 turns")).toBeVisible();
  await page.keyboard.press("Escape");
  await page
    .getByRole("button", { name: /failed$/ })
    .first()
    .click();
  await expect(page.getByText("0 of 4 turns")).toBeVisible();
  expect(param(page, "status")).toBe("failed,timeout");
});

test("a paused picture does not change but counts what arrives, and resumes with all of it", async ({
  page,
  product,
}) => {
  const project = await makeProject(product.url, "Pause");
  await page.goto(`${product.url}/p/${project}`);
  const { root_turn_id } = await launchLead(product.url, project);
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
  await expect(canvas(page).getByRole("img", { name: /1L01/ })).toBeVisible();
  await page.keyboard.press("Space");
  await expect(page.getByText("Paused at")).toBeVisible();
  const standing = await canvas(page).getByRole("img").count();
  await runEnds(product.url, project);
  await expect(page.getByRole("button", { name: /Resume, [1-9]\d* new/ })).toBeVisible();
  expect(await canvas(page).getByRole("img").count()).toBe(standing);
  await page.keyboard.press("Space");
  await expect(page.getByRole("listbox").getByRole("option", { name: /success/ })).toHaveCount(3);
});

test("Enter opens the page of the selected turn, b its box, and Back finds it again", async ({ page, product }) => {
  await openEndedRun(page, product.url, "Open");
  await page.keyboard.press("k");
  await expect.poll(() => param(page, "turn")).not.toBeNull();
  const turn = param(page, "turn");
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`/turns/${turn}`));
  await page.goBack();
  await expect(selected(page)).toHaveCount(1);
  expect(param(page, "turn")).toBe(turn);
  await page.keyboard.press("b");
  await page.waitForURL(/\/boxes\//);
  await page.goBack();
  await expect(selected(page)).toHaveCount(1);
});

test("one browser opens one stream, however many tabs show the yard", async ({ page, product, context }) => {
  const streams: string[] = [];
  context.on("request", (request) => {
    if (request.url().includes("graph.stream")) streams.push(request.url());
  });
  await openEndedRun(page, product.url, "Tabs");
  await expect(page.getByRole("button", { name: "Live, pause" })).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole("button", { name: "Live, pause" })).toBeVisible();
  expect(streams).toHaveLength(1);
  await page.close();
  await expect.poll(() => streams.length).toBe(2);
  await expect(other.getByRole("button", { name: "Live, pause" })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("turns are listed one below the other, and the selected one opens in a sheet", async ({ page, product }) => {
    const project = await makeProject(product.url, "Phone");
    const { root_turn_id } = await launchLead(product.url, project);
    await runEnds(product.url, project);
    await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
    const wagon = page.getByRole("button", { name: /^2H01, Hand, success/ });
    await wagon.tap();
    await expect(page.getByRole("region", { name: "Turn 2H01" })).toBeVisible();
    await page.getByRole("button", { name: "Show more" }).tap();
    await expect(page.getByRole("heading", { name: "Deliverable" })).toBeVisible();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });
});

test("a person who launches into a run stands at the left of it, below the one who began it", async ({
  product,
  page,
}) => {
  const project = await makeForkProject(product.url, "Joined");
  const { root_turn_id, batch_id } = await fork(product.url, project, five.slice(0, 2));
  await batchEnds(product.url, project, batch_id, "success");
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
  await expect(canvas(page).getByRole("img", { name: /task 2 of 2 of B1/ })).toBeVisible();
  const people = canvas(page).getByRole("img", { name: /^0H\d+, person/ });
  await expect(people).toHaveCount(1);
  await api(product.url, "POST", `/projects/${project}/pmo/delegate_async:call`, {
    args: { target_strategy: "new", target_ref: "Search", instruction: "One more" },
    into: root_turn_id,
  });
  await expect(people).toHaveCount(2);
  // The plan moves to make room.
  await expect(async () => {
    const [first, second] = [await people.nth(0).boundingBox(), await people.nth(1).boundingBox()];
    expect(second?.x).toBe(first?.x);
    expect(second?.y).toBeGreaterThan(first?.y ?? Number.POSITIVE_INFINITY);
  }).toPass();
  await page.reload();
  await expect(people).toHaveCount(2);
  await expect(page.getByRole("listbox", { name: /turns in the order/ }).getByRole("option")).toHaveCount(3);
});
