// Context packs as a person builds, reads, rebuilds and compares them.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

const TOKEN = `ghp_${"a1B2".repeat(9)}`;
const text = (words: string) => ({ type: "note", author_id: "t", content: { kind: "text", text: words } });

/** One box with more than fits, one card by itself. */
async function notes(url: string, title: string) {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  const at = `/projects/${project_id}`;
  const many = Array.from({ length: 240 }, (_, i) => text(`# Retry ${i}\n\n${"backoff of the client ".repeat(40)}`));
  const { box_id } = await api<{ box_id: string }>(url, "POST", `${at}/boxes`, { cards: many });
  const { cards } = await api<{ cards: { card_id: string }[] }>(url, "POST", `${at}/cards`, {
    cards: [text("retry notes: wait, then try again")],
  });
  return { project_id, box_id, card_id: cards[0]?.card_id ?? "" };
}

const build = (url: string, project_id: string, body: object) =>
  api<{ sha256: string; code: string }>(url, "POST", `/projects/${project_id}/context-packs`, body);

async function clean(page: Page) {
  const { violations } = await axeOf(page).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(" | ")}`)).toEqual([]);
}

test("a pack is built in the form from a box, shows what did not fit, and is rebuilt to the same bytes", async ({
  product,
  page,
  expectedErrors,
}) => {
  // The form asks before it is complete.
  expectedErrors.push(/ 400 | 422 /);
  const { url } = product;
  const { project_id, box_id, card_id } = await notes(url, "Packs by hand");
  await page.goto(`${url}/p/${project_id}/packs`);
  await expect(page.getByRole("heading", { name: "No context packs yet" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Build a pack" }).last().click();
  await expect(page).toHaveURL(/\/packs\/new$/);

  const panel = page.getByRole("complementary", { name: "What it would be" });
  const submit = page.getByRole("button", { name: "Build the pack" });
  await expect(submit).toBeDisabled();
  await page.getByRole("textbox", { name: "Goal" }).fill("Retry the client with backoff.");
  // What the kernel refuses stands at its field, with the remedy.
  await expect(page.getByRole("group", { name: "Done when" }).getByRole("alert")).toBeVisible();
  await page.getByRole("textbox", { name: "Condition 1" }).fill("All tests pass");
  await page.getByRole("textbox", { name: "Condition 1" }).press("Enter");
  await expect(page.getByRole("textbox", { name: "Condition 2" })).toBeFocused();
  await page.keyboard.type("No new dependency");
  await expect(panel).toContainText("to spare");

  await page.getByRole("button", { name: /240 cards/ }).click();
  await expect(page).toHaveURL(new RegExp(`from=box:${box_id}`));
  await expect(panel).toContainText(/[1-9]\d* left out/);
  await page.getByLabel("Find a box or card").fill("retry notes");
  await page.getByRole("button", { name: /retry notes/ }).click();
  await expect(page).toHaveURL(new RegExp(`card:${card_id}`));

  await page.getByLabel("Constraints").fill("{ no");
  await expect(page.getByRole("alert").filter({ hasText: "This is not JSON" })).toBeVisible();
  await expect(submit).toBeDisabled();
  await page.getByLabel("Constraints").fill(`{ "deployWith": "${TOKEN}" }`);
  await expect(panel).toContainText("1 redacted");

  // What is typed survives a reload, what is chosen is in the address.
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Goal" })).toHaveValue("Retry the client with backoff.");
  await expect(page.getByRole("list", { name: "Chosen" }).getByRole("listitem")).toHaveCount(2);
  await expect(panel).toContainText("1 redacted");
  await expect(panel).toContainText(/[1-9]\d* left out/);
  await submit.click();

  await expect(page.getByRole("heading", { level: 1, name: "Retry the client with backoff." })).toBeVisible();
  const budget = page.getByRole("region", { name: "Budget" });
  await expect(budget.getByRole("img")).toHaveAccessibleName(/tokens of at most 6,000; [\d,]+ found/);
  const sheet = page.getByRole("article", { name: "Pack" });
  await expect(sheet.locator("s").first()).toBeVisible();
  await expect(sheet.locator(`a[href$="/cards/${card_id}"]`)).toBeVisible();
  const receipt = page.getByRole("complementary", { name: "Receipt" });
  await expect(receipt).toContainText("Remove excerpts of documents");
  await expect(receipt).toContainText("Drop documents of low priority");
  await expect(receipt).toContainText("github token");
  await expect(page.getByText(TOKEN)).toHaveCount(0);
  await clean(page);

  await page.getByRole("button", { name: "Rebuild" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Rebuilt, same bytes" })).toBeVisible();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  await page.getByRole("menuitem", { name: "The pack, these bytes" }).click();
  expect((await download).suggestedFilename()).toMatch(/^pack-[0-9a-f]{16}\.json$/);
});

test("two packs are compared by section; a pack is found by its number in the list and in the palette", async ({
  product,
  page,
}) => {
  const { url } = product;
  const { project_id, card_id } = await notes(url, "Packs compared");
  const old = await build(url, project_id, { goal: "Retry at once.", definition_of_done: ["All tests pass"] });
  const young = await build(url, project_id, {
    goal: "Retry with backoff.",
    definition_of_done: ["All tests pass", "No new dependency"],
    from_cards: [card_id],
  });
  await page.goto(`${url}/p/${project_id}/packs?q=${young.code.toLowerCase()}`);
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await clean(page);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Retry with backoff." })).toBeVisible();
  await page.getByRole("tab", { name: "Compare" }).click();
  await page.getByLabel("Compare with").selectOption(old.sha256);
  await expect(page).toHaveURL(new RegExp(`view=compare&with=${old.sha256}`));
  const goal = page.getByRole("region", { name: /^Goal/ });
  await expect(goal).toContainText("- removed: Retry at once.");
  await expect(goal).toContainText("+ added: Retry with backoff.");
  await expect(page.getByRole("region", { name: /^Done when/ })).toContainText("No new dependency");
  await expect(page.getByRole("region", { name: /^Documents/ })).toContainText(`card://${card_id}`);
  await clean(page);
  await page.getByRole("tab", { name: "JSON" }).click();
  await expect(page.getByText('"definitionOfDone"')).toBeVisible();

  await page.keyboard.press("Control+k");
  await page.keyboard.type(old.code);
  await page.getByRole("option", { name: /Retry at once/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Retry at once." })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true });

  test("the three columns are shown one at a time, and the form has its button in sight", async ({ product, page }) => {
    const { url } = product;
    const { project_id, box_id } = await notes(url, "Packs on a phone");
    const { sha256 } = await build(url, project_id, {
      goal: "Retry with backoff.",
      definition_of_done: ["All tests pass"],
      from_boxes: [box_id],
    });
    await page.goto(`${url}/p/${project_id}/packs`);
    await clean(page);
    await page.locator("[data-row]").click();
    await expect(page).toHaveURL(new RegExp(sha256));
    await expect(page.getByRole("article", { name: "Pack" })).toBeVisible();
    await expect(page.getByRole("complementary", { name: "Receipt" })).toBeHidden();
    await clean(page);
    await page.getByRole("radio", { name: "Receipt" }).click();
    await expect(page.getByRole("complementary", { name: "Receipt" })).toContainText("Trimmed, in order");
    await expect(page.getByRole("article", { name: "Pack" })).toBeHidden();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    await page.goto(`${url}/p/${project_id}/packs/new`);
    await expect(page.getByRole("button", { name: "Build the pack" })).toBeInViewport();
    await clean(page);
  });
});

test("a pack that is not there says so, and leads to the others", async ({ product, page, expectedErrors }) => {
  expectedErrors.push(/ 404 /);
  const { url } = product;
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title: "Without packs" });
  await page.goto(`${url}/p/${project_id}/packs/P-0000`);
  await expect(page.getByRole("heading", { name: "Context pack not found" })).toBeVisible();
  await page.getByRole("link", { name: "All context packs" }).click();
  await expect(page.getByRole("heading", { name: "No context packs yet" })).toBeVisible();
});
