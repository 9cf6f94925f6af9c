// One language of search wherever something is asked: the page of search, the palette, the list of cards and the yard. By keyboard,
// in both themes and on a phone.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";

test.use({ expectedErrors: [/400 \(Bad Request\)/] });

const field = (page: Page) => page.getByRole("searchbox").first();
const fault = (page: Page) => page.locator(".query-fault");

async function clean(page: Page) {
  const { violations } = await axeOf(page).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(" | ")}`)).toEqual([]);
}

async function ranProject(url: string, title: string) {
  const project_id = await makeProject(url, title, { isBrisk: true });
  await launchLead(url, project_id);
  return { project_id, turns: await runEnds(url, project_id) };
}

test("a query is asked, narrowed, saved as a view and found again, by keys alone", async ({
  product: { url },
  page,
}) => {
  const { project_id } = await ranProject(url, "Searched by keys");
  await page.goto(`${url}/p/${project_id}`);
  await expect(page.locator(".yard-turn").first()).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("q");
  await expect(field(page)).toBeFocused();
  await expect(page.getByRole("heading", { name: "Saved views" })).toHaveCount(0);
  await page.keyboard.type("profile:Hand kind:turn");
  await expect(page.getByRole("region", { name: "Turns" }).locator("[data-row]").first()).toContainText("Hand");
  await clean(page);

  const menu = page.getByRole("button", { name: "Views" });
  await menu.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("No saved views yet")).toBeVisible();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  const name = page.getByRole("textbox", { name: "Name" });
  await expect(name).toBeFocused();
  await clean(page);
  await page.keyboard.type("Work of Hand");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved as Work of Hand")).toBeVisible();
  expect(await api(url, "GET", `/projects/${project_id}/views`)).toMatchObject({
    items: [{ name: "Work of Hand", page: "search", query: "profile:Hand kind:turn" }],
  });

  // The palette knows it.
  await page.goto(`${url}/p/${project_id}`);
  await expect(page.locator(".yard-turn").first()).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("work of h");
  await expect(page.getByRole("option", { name: /Work of Hand/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=profile/);

  // The empty page of search lists it, and deletes it.
  await page.goto(`${url}/p/${project_id}/search`);
  await page.getByRole("button", { name: "Delete view Work of Hand" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Saved views" })).toHaveCount(0);
  expect(await api(url, "GET", `/projects/${project_id}/views`)).toEqual({ items: [] });
});

test("the arrow down leads from the field into the hits, Enter opens one, and the arrow up leads back", async ({
  product: { url },
  page,
}) => {
  const { project_id } = await ranProject(url, "Walked by arrows");
  await page.goto(`${url}/p/${project_id}/search`);
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("profile:Hand kind:turn");
  const rows = page.getByRole("region", { name: "Turns" }).locator("[data-row]");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("run 1");
  await page.keyboard.press("ArrowDown");
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toContainText("From the field to the first hit");
  await page.keyboard.press("Escape");
  await rows.nth(1).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/turns\//);
});

test("palette, list of cards and yard read the same language, and say in which column they cannot", async ({
  product: { url },
  page,
}) => {
  const { project_id, turns } = await ranProject(url, "Asked everywhere");
  const hands = turns.filter(({ headcode }) => headcode.startsWith("2"));
  expect(hands.length).toBeGreaterThan(0);
  await page.goto(`${url}/p/${project_id}`);
  await expect(page.locator(".yard-turn").first()).toBeVisible();

  // The yard: words are looked up at once, a query is asked of the server.
  const count = page.getByRole("search", { name: "Filter of the yard" }).getByRole("status");
  await page.keyboard.press("/");
  await page.keyboard.type("profile:Hand");
  await expect(count).toContainText(`${hands.length} of ${turns.length}`);
  await expect(fault(page)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.keyboard.type("autor:x");
  await expect(fault(page)).toContainText('Column 1: unknown field "autor"; did you mean "author"?');
  await clean(page);
  await page.keyboard.press("Escape");
  await expect(fault(page)).toHaveCount(0);
  await page.keyboard.press("Escape");

  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("profile:Hand");
  await expect(page.getByRole("option", { name: /Search for profile:Hand/ })).toBeVisible();
  await expect(page.getByRole("option", { name: /Hand/ }).first()).toBeVisible();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("is:lost");
  await expect(page.getByRole("option", { name: /Column 4: unknown state "lost"/ })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto(`${url}/p/${project_id}/cards`);
  const rows = page.locator("[data-row]");
  await expect(rows.first()).toBeVisible();
  await field(page).focus();
  await page.keyboard.type("type:task.*");
  await expect(rows.first()).toContainText("task.");
  await expect(rows.filter({ hasNotText: "task." })).toHaveCount(0);
  await clean(page);
  await page.keyboard.type(" autor:x");
  await expect(fault(page)).toContainText("Column 13");
  await page.getByRole("button", { name: "Views" }).press("Enter");
  await expect(page.getByRole("menuitem", { name: "Save this query" })).toHaveAttribute("aria-disabled", "true");
});

for (const colorScheme of ["dark", "light"] as const)
  test(`the page of search is clean in ${colorScheme}, and fits a phone`, async ({ product: { url }, page }) => {
    const { project_id } = await ranProject(url, `Search in ${colorScheme}`);
    await api(url, "POST", `/projects/${project_id}/views`, {
      name: "A view with quite a long name that has to be cut",
      page: "cards",
      query: 'type:tool.result tokens:>1k "skip locked" -author:somebody_else',
    });
    await page.emulateMedia({ colorScheme });
    await page.goto(`${url}/p/${project_id}/search`);
    await expect(page.getByRole("heading", { name: "Saved views" })).toBeVisible();
    await clean(page);
    await page.goto(`${url}/p/${project_id}/search?q=tokens:>0`);
    await expect(page.locator("[data-row]").first()).toBeVisible();
    await clean(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await clean(page);
    await page.goto(`${url}/p/${project_id}/search`);
    await expect(page.getByRole("heading", { name: "Saved views" })).toBeVisible();
    await clean(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
