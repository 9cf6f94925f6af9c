// The tabs of a box beside its cards: each is sound for axe, and the transcript is read by keyboard.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
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

async function expectSound(page: Page): Promise<void> {
  expect((await axeOf(page).analyze()).violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual(
    [],
  );
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  );
}

for (const scheme of ["dark", "light"] as const)
  test(`each tab is sound for axe in ${scheme}, on a desk and on a phone`, async ({ product, page }) => {
    test.setTimeout(120_000);
    const { lead, at } = await boxesOf(product.url, `Tabs in ${scheme}`);
    await page.emulateMedia({ colorScheme: scheme });
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      for (const [tab, there] of [
        ["sent", page.getByRole("list", { name: "Messages" })],
        ["tokens", page.getByRole("listbox", { name: "Cards" })],
        ["lineage", page.getByRole("region", { name: "Used by turns" })],
      ] as const) {
        await page.goto(`${at}/${lead.context_box_id}?tab=${tab}`);
        await expect(there).toBeVisible();
        await expectSound(page);
        const shots = process.env.E2E_SHOTS;
        if (shots) await page.screenshot({ path: `${shots}/box-${tab}-${scheme}-${size.width}.png` });
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
