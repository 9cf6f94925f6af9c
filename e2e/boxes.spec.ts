// Boxes, cards and agents as a person reads them: by keyboard, by link, while they grow, and when something is not there.
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";

type Turn = { agent_turn_id: string; agent_id: string; context_box_id: string; output_box_id: string };

async function endedRun(url: string, title: string) {
  const project = await makeProject(url, title, { isBrisk: true });
  const { child } = await launchLead(url, project);
  await runEnds(url, project);
  const lead = await api<Turn>(url, "GET", `/projects/${project}/turns/${child}`);
  return { project, lead };
}

test("the keyboard moves through a box, and the URL names the current card", async ({ product, page }) => {
  const { project, lead } = await endedRun(product.url, "Walking a box");
  await page.goto(`${product.url}/p/${project}/boxes/${lead.output_box_id}`);
  const rows = page.getByRole("option");
  await expect(rows.first()).toHaveAttribute("aria-selected", "true");
  const list = page.getByRole("listbox", { name: "Cards" });
  await expect(list).toHaveAttribute("tabindex", "0");
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/[?&]card=2/);
  await expect(rows.nth(1)).toHaveAttribute("aria-selected", "true");
  await list.focus();
  await page.keyboard.press("End");
  const count = await rows.count();
  await expect(page).toHaveURL(new RegExp(`[?&]card=${count}`));
  await expect(page.getByRole("article")).toContainText("task.deliverable");
  // An open tooltip goes with the same press.
  await page.getByRole("button", { name: /^Copy/ }).first().hover();
  await expect(page.getByRole("tooltip")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/card=/);
  await expect(page.getByRole("tooltip")).toHaveCount(0);
  await page.getByRole("tab", { name: "Tokens" }).click();
  const weights = (await page.getByRole("option").locator("b").allTextContents()).map(Number);
  expect(weights).toEqual(weights.toSorted((a, b) => b - a));
});

test("handed over cards say from whom they came, what stayed behind and who saw them", async ({ product, page }) => {
  const { project, lead } = await endedRun(product.url, "Handed over");
  const { items } = await api<{ items: Turn[] }>(product.url, "GET", `/projects/${project}/turns`);
  const hand = items.find((turn) => turn.agent_turn_id !== lead.agent_turn_id && turn.agent_id.startsWith("hand"));
  await page.goto(`${product.url}/p/${project}/boxes/${hand?.context_box_id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^What \S+ was given$/);
  await page.getByRole("option", { name: /task\.instruction/ }).click();
  const facts = page.getByRole("complementary", { name: "Facts about the card" });
  await expect(facts).toContainText("Who saw it");
  await expect(facts.getByRole("link", { name: /2H0\d/ }).first()).toHaveAttribute("href", /\?run=turn_.*&turn=turn_/);
  await facts.getByRole("link", { name: /this one/ }).click();
  await expect(page).toHaveURL(/[?&]card=\d/);
  await page.getByRole("article").getByRole("link", { name: /^…/ }).first().click();
  await expect(page).toHaveURL(/\/cards\//);
  await expect(page.getByRole("article")).toContainText("In boxes");
});

test("the box of a running turn grows while it is open, and keeps the selection", async ({ product, page }) => {
  const project = await makeProject(product.url, "Growing");
  const { child } = await launchLead(product.url, project);
  const lead = await api<Turn>(product.url, "GET", `/projects/${project}/turns/${child}`);
  await page.goto(`${product.url}/p/${project}/boxes/${lead.output_box_id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/is writing|wrote/);
  await runEnds(product.url, project);
  const { card_ids } = await api<{ card_ids: string[] }>(
    product.url,
    "GET",
    `/projects/${project}/boxes/${lead.output_box_id}`,
  );
  await expect(page.getByRole("option")).toHaveCount(card_ids.length);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("wrote");
  await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
});

test("a link names a card by its id; if it is not in the box, the page says so", async ({ product, page }) => {
  const { project, lead } = await endedRun(product.url, "Links to cards");
  const box = `${product.url}/p/${project}/boxes/${lead.output_box_id}`;
  const { card_ids } = await api<{ card_ids: string[] }>(
    product.url,
    "GET",
    `/projects/${project}/boxes/${lead.output_box_id}`,
  );
  await page.goto(`${box}?card=${card_ids.at(-1)}`);
  await expect(page.getByRole("option").last()).toHaveAttribute("aria-selected", "true");
  await page.goto(`${box}?card=nowhere`);
  await expect(page.getByText("That card is not in this box")).toBeVisible();
});

test("a card is found by one of its words, filtered by role, and handed to a launch", async ({ product, page }) => {
  const { project } = await endedRun(product.url, "Finding cards");
  await page.goto(`${product.url}/p/${project}/cards`);
  const rows = page.locator("[data-row]");
  await expect(rows.first()).toBeVisible();
  await page.getByRole("searchbox", { name: "Search in cards" }).fill("weighs");
  await expect(rows.first()).toContainText("It weighs");
  await expect(page).toHaveURL(/q=weighs/);
  await page.getByRole("button", { name: /^tool/ }).click();
  await expect(page.getByText("No matching cards")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  // A key pressed before the rows are there has no row to go to.
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press("j");
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Use this card in a launch" }).click();
  await expect(page).toHaveURL(/launch=1&cards=/);
  await expect(page.getByRole("dialog", { name: "Launch a turn" })).toBeVisible();
});

test("agents show what they are doing", async ({ product, page }) => {
  const project = await makeProject(product.url, "Agents at work");
  await page.goto(`${product.url}/p/${project}/agents`);
  await expect(page.getByText("No agents yet")).toBeVisible();
  await launchLead(product.url, project);
  const hands = page.locator(".list-row", { hasText: "Hand" });
  await expect(hands).toHaveCount(2);
  await expect(hands.filter({ hasText: /running|waits/ }).first()).toBeVisible();
  await runEnds(product.url, project);
  await expect(hands.filter({ hasText: "idle" })).toHaveCount(2);
  await hands.first().getByRole("link").click();
  await expect(page.getByRole("complementary")).toContainText("Made by");
  await expect(page.locator(".list-row [data-row]")).toHaveCount(1);
});

test("unknown agents and cards say so and offer a way on", async ({ product, page, expectedErrors }) => {
  expectedErrors.push(/404/);
  const project = await makeProject(product.url, "Gone box");
  for (const [path, what] of [
    ["agents/nobody", "agent"],
    ["cards/nothing", "card"],
    ["boxes/nowhere", "box"],
  ]) {
    await page.goto(`${product.url}/p/${project}/${path}`);
    await expect(page.getByRole("heading", { level: 1, name: `${what} not found` })).toBeVisible();
    await page.getByRole("link", { name: new RegExp(`^All ${what}`) }).click();
    await expect(page).toHaveURL(new RegExp(`/${path?.split("/")[0]}$`));
  }
});

test("on a phone a card fills the screen, and closing it shows the list again", async ({ product, page }) => {
  const { project, lead } = await endedRun(product.url, "On a phone");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${product.url}/p/${project}/boxes/${lead.output_box_id}`);
  await expect(page.getByRole("article")).toBeHidden();
  await page.getByRole("option").nth(1).click();
  await expect(page.getByRole("article")).toBeVisible();
  await expect(page.getByRole("listbox")).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("button", { name: /^All \d+ cards$/ }).click();
  await expect(page.getByRole("listbox")).toBeVisible();
  await expect(page.getByRole("article")).toBeHidden();
});

test("the content of a card is deleted after a confirmation, for everybody, and its place stays", async ({
  product,
  page,
  context,
}) => {
  const { project, lead } = await endedRun(product.url, "Deleting a card");
  type Card = { card_id: string; type: string };
  const cards = await api<Card[]>(product.url, "GET", `/projects/${project}/boxes/${lead.context_box_id}/cards`);
  const card_id = cards.find(({ type }) => type === "task.instruction")?.card_id;
  await page.goto(`${product.url}/p/${project}/cards/${card_id}`);
  const card = page.getByRole("article", { name: "Card task.instruction" });
  await expect(card).toContainText("Weigh the whole thing");
  const button = card.getByRole("button", { name: "Delete the content of this card" });
  await button.click();
  const question = page.getByRole("dialog", { name: "Hide the content of this card?" });
  await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(card).toContainText("Weigh the whole thing");
  // Somebody else has the card, its box and the list open.
  const others = await Promise.all(
    [`cards/${card_id}`, `boxes/${lead.context_box_id}?card=${card_id}`, "cards"].map(async (path) => {
      const other = await context.newPage();
      await other.goto(`${product.url}/p/${project}/${path}`);
      await expect(other.getByText("Weigh the whole thing").first()).toBeVisible();
      return other;
    }),
  );
  await button.click();
  await question.getByRole("button", { name: "Hide content" }).click();
  // The list shows the card without its first words; the other two say what happened to it.
  for (const other of others.slice(0, 2))
    await expect(other.getByText("The content of this card was deleted")).toBeVisible();
  await expect(card).toContainText("The content of this card was deleted");
  await expect(card).not.toContainText("Weigh the whole thing");
  await expect(question).toBeHidden();
  await expect(button).toBeHidden();
  await page.goto(`${product.url}/p/${project}/boxes/${lead.context_box_id}`);
  await expect(page.getByRole("option")).toHaveCount(cards.length);
});
