// A hand-over as a person reads it: three columns, one verdict for every card, by keyboard alone, in both themes and on a phone.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";

const rows = (page: Page) => page.locator(".handover-row");

async function clean(page: Page) {
  const { violations } = await axeOf(page).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(" | ")}`)).toEqual([]);
}

/** A person hands a box of notes to Lead, which calls Hand twice. */
async function handedOver(url: string, title: string) {
  const project_id = await makeProject(url, title, { isBrisk: true });
  await launchLead(url, project_id);
  const turns = await runEnds(url, project_id);
  const hand = turns.find(({ headcode }) => headcode.startsWith("2"));
  if (hand === undefined) throw new Error(`no turn of depth 2 among ${turns.map(({ headcode }) => headcode)}`);
  return { project_id, hand };
}

test("H on a turn leads to its hand-over, and every card is found by keys alone", async ({
  product: { url },
  page,
}) => {
  const { project_id, hand } = await handedOver(url, "Handed over by keys");
  const sheet = await api<{
    had: { cards: number };
    saw: { cards: number };
    verdicts: Record<string, { cards: number }>;
    rows_total: number;
  }>(url, "GET", `/projects/${project_id}/turns/${hand.agent_turn_id}/handover`);
  await page.goto(`${url}/p/${project_id}/turns/${hand.agent_turn_id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Hand");
  await page.keyboard.press("h");
  await expect(page).toHaveURL(/\/handover$/);
  await expect(page.getByRole("heading", { level: 1, name: "Lead handed over to Hand" })).toBeVisible();
  await expect(page.getByRole("heading", { name: /^What .* had$/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: `What ${hand.headcode} saw` })).toBeVisible();
  await expect(rows(page)).toHaveCount(sheet.rows_total);

  // The figures of the filters are those of the answer, and add up to all rows.
  const filter = page.getByRole("group", { name: "Cards to show" });
  await expect(filter.getByRole("button", { name: `All ${sheet.rows_total}` })).toHaveAttribute("aria-pressed", "true");
  const added = sheet.verdicts.added?.cards ?? 0;
  expect(added).toBeGreaterThan(0);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/card=/);
  const detail = page.getByRole("region", { name: "The chosen card" });
  await expect(detail.getByRole("heading", { level: 2 })).toBeVisible();
  await filter.getByRole("button", { name: /^Added/ }).press("Enter");
  await expect(page).toHaveURL(/verdict=added/);
  await expect(rows(page)).toHaveCount(added);
  await rows(page).filter({ hasText: "task.instruction" }).press("Enter");
  await expect(detail).toContainText("Made for this hand-over.");
  await expect(detail).toContainText(/Weigh the (first|second) half/);
  // A link opens it as it was.
  await page.reload();
  await expect(rows(page)).toHaveCount(added);
  await expect(detail).toContainText(/Weigh the (first|second) half/);

  await page.getByRole("radio", { name: "Reading order" }).press("Enter");
  await expect(page.getByRole("list", { name: "What the callee saw" }).getByRole("listitem").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(new RegExp(`/turns/${hand.agent_turn_id}$`));
});

test("what a person handed over, and a turn that is not there", async ({ product: { url }, page, expectedErrors }) => {
  expectedErrors.push(/ 404 /);
  const { project_id } = await handedOver(url, "Handed over by a person");
  const { items } = await api<{ items: { agent_turn_id: string; headcode: string }[] }>(
    url,
    "GET",
    `/projects/${project_id}/turns?limit=10`,
  );
  const lead = items.find(({ headcode }) => headcode.startsWith("1"));
  await page.goto(`${url}/p/${project_id}/turns/${lead?.agent_turn_id}/handover`);
  await expect(page.getByRole("heading", { level: 1, name: "A person handed over to Lead" })).toBeVisible();
  await expect(rows(page).first()).toBeVisible();
  await page.goto(`${url}/p/${project_id}/turns/turn_none/handover`);
  await expect(page.getByRole("heading", { name: "Turn not found" })).toBeVisible();
});

for (const theme of ["dark", "light"] as const)
  test(`axe finds nothing, ${theme}, and on a phone each card has one place`, async ({ product: { url }, page }) => {
    const { project_id, hand } = await handedOver(url, `Handed over, ${theme}`);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.goto(`${url}/p/${project_id}/turns/${hand.agent_turn_id}/handover`);
    await expect(rows(page).first()).toBeVisible();
    await rows(page).nth(1).click();
    await expect(page.getByRole("region", { name: "The chosen card" }).locator("pre")).toBeVisible();
    await clean(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await clean(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    for (const row of await rows(page).all()) await expect(row.locator(".handover-cell:visible")).toHaveCount(1);
  });

/** Lead is handed a box of notes and thoughts by a recipe that takes all of it; `brief` takes less. */
async function handedBox(url: string, title: string) {
  const project_id = await makeProject(url, title, { isBrisk: true });
  const at = `/projects/${project_id}`;
  for (const [name, exclude_types] of [
    ["whole", []],
    ["brief", ["agent.thought", "tool.result"]],
  ] as const)
    await api(url, "POST", `${at}/recipes`, {
      name,
      handover: {
        context_packing_config: {
          pack_arguments: [{ arg_key: "tone", as_card_type: "task.context" }],
          inherit_context: { include_from_args: ["load"], exclude_types },
        },
      },
    });
  const cards = [
    { type: "task.context", content: `The house style. ${"Short sentences, plain words. ".repeat(40)}` },
    { type: "agent.thought", content: `First the prices, then the risks. ${"Then again. ".repeat(60)}` },
    { type: "tool.result", content: `Twelve hits. ${"A price and a source. ".repeat(200)}` },
    { type: "agent.note", content: "Carbon blocks are the cheapest so far." },
  ].map((card, i) => ({ ...card, card_id: `handed_${i}`, author_id: "ann" }));
  await api(url, "POST", `${at}/cards`, { cards });
  const { box_id } = await api<{ box_id: string }>(url, "POST", `${at}/boxes`, {
    card_ids: cards.map(({ card_id }) => card_id),
  });
  const { result } = await api<{ result: { agent_turn_id: string } }>(url, "POST", `${at}/pmo/delegate_async:call`, {
    args: {
      ...{ target_strategy: "new", target_ref: "Lead", instruction: "Weigh the whole thing" },
      ...{ recipe: "whole", arguments: { tone: "warm" }, load: [{ box_id }] },
    },
  });
  await runEnds(url, project_id);
  return { project_id, turn: result.agent_turn_id };
}

test("a hand-over is packed again by another recipe, without running it", async ({ product: { url }, page }) => {
  const { project_id, turn } = await handedBox(url, "Packed again");
  const turns = async () =>
    (await api<{ items: unknown[] }>(url, "GET", `/projects/${project_id}/turns?limit=100`)).items;
  const before = await turns();
  await page.goto(`${url}/p/${project_id}/turns/${turn}/handover`);
  for (const name of [/^What .* had: [\d,]+ tokens/, /^What was packed: [\d,]+ tokens/, /^What .* saw: [\d,]+ tokens/])
    await expect(page.getByRole("img", { name })).toBeVisible();
  await page.getByRole("button", { name: "Repack without running" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Repack without running" });
  await expect(dialog.getByText("It would hold the same cards.")).toBeVisible();
  await expect(page).toHaveURL(/repack=true/);
  const filter = dialog.getByRole("group", { name: "Cards to show" });
  await expect(filter.getByRole("button", { name: "Same" })).toBeVisible();

  await dialog.getByRole("combobox", { name: "Recipe" }).selectOption("brief");
  await expect(dialog.getByText(/^2 cards would differ, [\d,]+ tokens less\.$/)).toBeVisible();
  await filter.getByRole("button", { name: "Left out 2" }).press("Enter");
  const cards = dialog.getByRole("list", { name: "Cards of both" }).getByRole("listitem");
  await expect(cards).toHaveText([
    /agent\.thought.*the recipe excludes agent\.thought/,
    /tool\.result.*the recipe excludes tool\.result/,
  ]);
  // What was recorded stands in the recipe's own field, and other words are another card.
  await filter.getByRole("button", { name: /^All/ }).press("Enter");
  await expect(dialog.getByLabel("tone")).toHaveValue("warm");
  await dialog.getByLabel("tone").fill("cold");
  await expect(filter.getByRole("button", { name: "Changed 1" })).toBeVisible();
  // A link opens it as it was; closed, nothing has happened.
  await page.reload();
  await expect(dialog.getByText(/^2 cards would differ/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page).not.toHaveURL(/repack/);
  expect(await turns()).toEqual(before);
});

for (const theme of ["dark", "light"] as const)
  test(`axe finds nothing in what is packed again, ${theme}, also on a phone`, async ({ product: { url }, page }) => {
    const { project_id, turn } = await handedBox(url, `Packed again, ${theme}`);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.goto(`${url}/p/${project_id}/turns/${turn}/handover?repack=true&recipe=brief`);
    const dialog = page.getByRole("dialog", { name: "Repack without running" });
    await expect(dialog.getByText(/^2 cards would differ/)).toBeVisible();
    await clean(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await clean(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    for (const row of await dialog.locator(".repack-row").all())
      await expect(row.locator(".handover-cell:visible")).toHaveCount(1);
  });
