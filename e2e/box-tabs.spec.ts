// The tabs of a box beside its cards: each is sound for axe, and the transcript is read by keyboard.
import type { Page } from "@playwright/test";
import { expectSound } from "./axe";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";

type Turn = {
  agent_turn_id: string;
  agent_id: string;
  headcode: string;
  context_box_id: string;
  output_box_id: string;
};

async function boxesOf(url: string, title: string) {
  const project = await makeProject(url, title, { isBrisk: true });
  const { child } = await launchLead(url, project);
  await runEnds(url, project);
  const lead = await api<Turn>(url, "GET", `/projects/${project}/turns/${child}`);
  return { lead, project, at: `${url}/p/${project}/boxes` };
}

async function expectFit(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  );
}

test("each tab is sound for axe in both themes, on a desk and on a phone", async ({ product, page }) => {
  test.setTimeout(120_000);
  const { lead, at } = await boxesOf(product.url, "Tabs in both themes");
  await page.emulateMedia({ colorScheme: "dark" });
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    // In its corner the pointer lies over the rail, where a tooltip opens.
    await page.mouse.move(size.width / 2, size.height - 8);
    for (const [tab, there] of [
      ["sent", page.getByRole("list", { name: "Messages" })],
      ["tokens", page.getByRole("listbox", { name: "Cards" })],
      ["lineage", page.getByRole("region", { name: "Used by turns" })],
    ] as const) {
      await page.goto(`${at}/${lead.context_box_id}?tab=${tab}`);
      await expect(there).toBeVisible();
      await expectSound(page, tab, "all");
      await expectFit(page);
      const shots = process.env.E2E_SHOTS;
      if (shots) await page.screenshot({ path: `${shots}/box-${tab}-${size.width}.png` });
    }
  }
});

test("the transcript has the reader's prompt, and a message leads to its card by the keyboard", async ({
  product,
  page,
}) => {
  const { lead, at } = await boxesOf(product.url, "Transcript");
  await page.goto(`${at}/${lead.context_box_id}`);
  await page.getByRole("tab", { name: "Cards" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/[?&]tab=sent/);
  const transcript = page.getByRole("region", { name: "Transcript" });
  await expect(transcript).toContainText("System prompt");
  await expect(transcript.getByRole("link", { name: new RegExp(lead.headcode) })).toBeVisible();
  const messages = page.getByRole("list", { name: "Messages" });
  await expect(messages).toContainText("Weigh the whole thing");
  await page.keyboard.press("j");
  await expect(messages.getByRole("link").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/[?&]tab=cards&card=\d/);
  await expect(page.getByRole("option", { selected: true })).toBeVisible();
});

test("an output is sent in its writer's voice, with its tool calls folded", async ({ product, page }) => {
  const { lead, at } = await boxesOf(product.url, "Own voice");
  await page.goto(`${at}/${lead.output_box_id}?tab=sent`);
  const messages = page.getByRole("list", { name: "Messages" });
  await expect(messages.getByText(/\. assistant$/).first()).toBeVisible();
  const call = messages.locator("details").first();
  await expect(call).toContainText("delegate_async");
  await expect(call.getByText("target_strategy")).toBeHidden();
  await call.locator("summary").press("Enter");
  await expect(call.getByText("target_strategy")).toBeVisible();
});

test("a tile of the treemap chooses its card, and the list beside it does the same", async ({ product, page }) => {
  const { lead, at } = await boxesOf(product.url, "Treemap");
  await page.goto(`${at}/${lead.output_box_id}?tab=tokens`);
  const rows = page.getByRole("option");
  const heaviest = await rows.first().locator(".box-place").textContent();
  const tiles = page.locator(".treemap-tile");
  // Cards without tokens have none.
  await expect(tiles).not.toHaveCount(0);
  await tiles.nth(1).click();
  await expect(page).toHaveURL(/[?&]card=\d/);
  await expect(rows.nth(1)).toHaveAttribute("aria-selected", "true");
  await page.getByRole("listbox", { name: "Cards" }).focus();
  await page.keyboard.press("Home");
  await expect(page).toHaveURL(new RegExp(`[?&]card=${heaviest}(&|$)`));
  await expect(tiles.first().locator("[data-selected]")).toHaveCount(1);
});

test("the lineage leads from a box to the box that inherited from it, and back, by the keyboard", async ({
  product,
  page,
}) => {
  const { lead, project, at } = await boxesOf(product.url, "Lineage");
  const { result } = await api<{ result: { agent_turn_id: string } }>(
    product.url,
    "POST",
    `/projects/${project}/pmo/delegate_async:call`,
    {
      args: {
        ...{ target_strategy: "new", target_ref: "Hand", instruction: "Weigh it again" },
        context_box_id: lead.output_box_id,
      },
    },
  );
  const heir = await api<Turn>(product.url, "GET", `/projects/${project}/turns/${result.agent_turn_id}`);
  await page.goto(`${at}/${lead.output_box_id}?tab=lineage`);
  const heirs = page.getByRole("region", { name: "Inherited by boxes" });
  await expect(heirs.getByRole("link")).toHaveAttribute("href", new RegExp(`/boxes/${heir.context_box_id}$`));
  await expect(page.locator(".lineage-drawing a")).not.toHaveCount(0);
  await page.keyboard.press("k");
  await expect(heirs.getByRole("link")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/boxes/${heir.context_box_id}`));
  await page.getByRole("tab", { name: "Lineage" }).click();
  await expect(
    page.getByRole("region", { name: "Came from" }).getByRole("link", { name: /inherited from/ }),
  ).toHaveAttribute("href", new RegExp(`/boxes/${lead.output_box_id}$`));
});
