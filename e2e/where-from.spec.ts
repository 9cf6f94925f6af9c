// Where words come from, and what two boxes differ in, as a person asks: on the page of a card, and on the page of a box.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";
import { selectWords } from "./select-words";

async function clean(page: Page) {
  const { violations } = await axeOf(page).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(" | ")}`)).toEqual([]);
}

async function lead(url: string, title: string) {
  const project_id = await makeProject(url, title, { isBrisk: true });
  const { child } = await launchLead(url, project_id);
  const turns = await runEnds(url, project_id);
  const hand = turns.find(({ headcode }) => headcode.startsWith("2"));
  if (hand === undefined) throw new Error("Lead called nobody");
  const of = (id: string) =>
    api<{ instruction_card_id: string; context_box_id: string }>(url, "GET", `/projects/${project_id}/turns/${id}`);
  return { project_id, lead: await of(child), hand: await of(hand.agent_turn_id) };
}

test("B on a card follows its words back to a person, and some words of it by themselves", async ({
  product: { url },
  page,
}) => {
  const { project_id, lead: first, hand } = await lead(url, "Words of a run");
  await page.goto(`${url}/p/${project_id}/cards/${first.instruction_card_id}`);
  await expect(page.getByText("Weigh the whole thing").first()).toBeVisible();
  await page.keyboard.press("b");
  const path = page.getByRole("list", { name: "Path of the words" });
  await expect(path).toContainText("A person wrote it.");
  await expect(page).toHaveURL(new RegExp(`trace=${first.instruction_card_id}$`));

  // Only what is selected.
  await page.goto(`${url}/p/${project_id}/cards/${hand.instruction_card_id}`);
  const text = page
    .getByRole("main")
    .getByText(/^Weigh the (first|second) half$/)
    .first();
  await expect(text).toBeVisible();
  await selectWords(text, ((await text.textContent()) ?? "").slice(6));
  await page.keyboard.press("b");
  await expect(page).toHaveURL(/trace=.*(?::|%3A)6-/);
  await expect(path.getByRole("listitem").first()).toContainText(/the (first|second) half/);
  await expect(path.getByRole("listitem").last()).toContainText("First said here");
  await clean(page);
  await page.getByRole("button", { name: "Close" }).click();
  await expect(path).toHaveCount(0);
});

test("a box is compared with what its caller had, filtered, and with any other box by its id", async ({
  product: { url },
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ 404 /);
  const { project_id, lead: first, hand } = await lead(url, "Boxes compared");
  await page.goto(`${url}/p/${project_id}/boxes/${hand.context_box_id}`);
  await page.getByRole("tab", { name: "Compare" }).click();
  await expect(page).toHaveURL(/tab=diff/);
  await expect(page.getByLabel("Compare with")).toContainText("What its caller had");
  const rows = page.locator(".diff-row");
  await expect(rows.filter({ hasText: "task.instruction" }).first()).toBeVisible();
  const bar = page.getByRole("group", { name: "Cards to show" });
  const all = await rows.count();
  await bar.getByRole("button", { name: /^Added/ }).click();
  await expect(page).toHaveURL(/verdict=added/);
  await expect.poll(() => rows.count()).toBeLessThan(all);
  await clean(page);

  await page.getByLabel("Compare with").selectOption("other");
  await page.getByLabel("Id of the box").fill(first.context_box_id);
  await page.getByLabel("Id of the box").press("Enter");
  await expect(page).toHaveURL(new RegExp(`with=${first.context_box_id}`));
  await expect(rows.first()).toBeVisible();
  // A link opens it as it was, and what is not there says so.
  await page.reload();
  await expect(rows.first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await clean(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.goto(`${url}/p/${project_id}/boxes/${hand.context_box_id}?tab=diff&with=box_none`);
  await expect(page.getByRole("heading", { name: "Not compared" })).toBeVisible();
});

test("the turns that a card came to are lit in the yard, and a link keeps them", async ({ product: { url }, page }) => {
  const { project_id, hand } = await lead(url, "A card in the yard");
  await page.goto(`${url}/p/${project_id}/cards/${hand.instruction_card_id}`);
  await page.getByRole("link", { name: "Show them in the yard" }).click();
  await expect(page).toHaveURL(new RegExp(`saw=${hand.instruction_card_id}`));
  const count = page.getByRole("search", { name: "Filter of the yard" }).getByRole("status");
  await expect(count).toHaveText("1 of 4 turns");
  await expect(page.locator(".yard-turn[data-filtered]")).toHaveCount(3);
  await page.reload();
  await expect(count).toHaveText("1 of 4 turns");
  await page.getByRole("button", { name: "Show all turns again" }).click();
  await expect(count).toHaveText("4 of 4 turns");
  await expect(page.locator(".yard-turn[data-filtered]")).toHaveCount(0);
});

test("W lights the turns that had the selected words, and a link keeps them", async ({ product: { url }, page }) => {
  const { project_id, hand } = await lead(url, "Words in the yard");
  await page.goto(`${url}/p/${project_id}/cards/${hand.instruction_card_id}`);
  const text = page
    .getByRole("main")
    .getByText(/^Weigh the (first|second) half$/)
    .first();
  await expect(text).toBeVisible();
  const words = ((await text.textContent()) ?? "").slice(6);
  await selectWords(text, words);
  await page.keyboard.press("w");
  await expect(page).toHaveURL(/[?&]saw_text=the(?:\+|%20)(first|second)(?:\+|%20)half/);
  const count = page.getByRole("search", { name: "Filter of the yard" }).getByRole("status");
  // Lead, whose call carries the words, and the hand that was given them; neither the person nor the other hand.
  await expect(count).toHaveText("2 of 4 turns");
  await expect(page.locator(".yard-turn[data-filtered]")).toHaveCount(2);
  await expect(page.getByText(`“${words}”`)).toBeVisible();
  await page.reload();
  await expect(count).toHaveText("2 of 4 turns");
  await page.getByRole("button", { name: "Show all turns again" }).click();
  await expect(page).not.toHaveURL(/saw_text/);
  await expect(count).toHaveText("4 of 4 turns");
});

test("the requests of an agent show how far each begins like the one before", async ({ product: { url }, page }) => {
  const { project_id } = await lead(url, "Requests of an agent");
  const { items } = await api<{ items: { agent_id: string; profile_name: string }[] }>(
    url,
    "GET",
    `/projects/${project_id}/agents?limit=20`,
  );
  const agent = items.find(({ profile_name }) => profile_name === "Lead")?.agent_id ?? "";
  const { requests } = await api<{ requests: unknown[] }>(url, "GET", `/projects/${project_id}/agents/${agent}/prefix`);
  await page.goto(`${url}/p/${project_id}/agents/${agent}`);
  await page.getByRole("radio", { name: "Requests and cache" }).click();
  await expect(page).toHaveURL(/view=prefix/);
  const lanes = page.getByRole("region", { name: "Requests and what they have in common" });
  await expect(lanes.getByRole("listitem")).toHaveCount(requests.length);
  await expect(lanes.getByRole("listitem").first()).toContainText("the first request");
  await expect(lanes).toContainText("input tokens could have been read from a cache");
  await clean(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await clean(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
