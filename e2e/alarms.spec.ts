// Alarms as a person meets them: found a moment after a turn ended, listed with what and where, muted with a reason, marked in the
// yard and on the turn's page; by keyboard, in both themes and on a phone.
import type { Page } from "@playwright/test";
import { expectSound } from "./axe";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

const narrow = {
  name: "Narrow",
  llm_config: { provider: "script", context_window: 100, script: [{ deliver: "Done.", wait_ms: 10 }] },
};

async function makeNarrow(url: string, title: string): Promise<string> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  await api(url, "POST", `/projects/${project_id}/profiles`, narrow);
  return project_id;
}

async function launchNarrow(url: string, project_id: string) {
  const args = { target_strategy: "new", target_ref: "Narrow", instruction: "Weigh the whole thing" };
  return api<{ root_turn_id: string; result: { agent_turn_id: string } }>(
    url,
    "POST",
    `/projects/${project_id}/pmo/delegate_async:call`,
    { args },
  );
}

/** The watchdog looks every few seconds. */
const untilFound = (url: string, project_id: string) =>
  expect
    .poll(async () => (await api<{ items: unknown[] }>(url, "GET", `/projects/${project_id}/alarms`)).items.length, {
      timeout: 30_000,
    })
    .toBeGreaterThan(0);

const rows = (page: Page) => page.locator(".alarm-row");

test("an alarm arrives in the open list, leads to its turn, and is muted by keys alone", async ({
  product: { url },
  page,
}) => {
  const project_id = await makeNarrow(url, "Alarms by keys");
  await page.goto(`${url}/p/${project_id}/alarms`);
  await expect(page.getByRole("heading", { name: "No alarms" })).toBeVisible();
  const { root_turn_id, result } = await launchNarrow(url, project_id);
  await expect(rows(page)).toHaveCount(1, { timeout: 30_000 });
  await expect(rows(page)).toContainText("Window nearly full");
  await expect(rows(page)).toContainText(/A request of \d+ tokens fills \d+% of a window of 100 tokens/);

  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/turns/${result.agent_turn_id}$`));
  const note = page.getByRole("link", { name: /^Window nearly full\./ });
  await expect(note).toBeVisible();
  await note.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/alarms\\?subject=${result.agent_turn_id}`));

  await page.getByRole("button", { name: /^Mute: Window nearly full/ }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Mute: Window nearly full" });
  await expect(dialog.getByLabel("Reason")).toBeFocused();
  await expect(dialog.getByRole("button", { name: "Mute" })).toBeDisabled();
  await page.keyboard.type("A script needs no room");
  await dialog.getByRole("button", { name: "Mute" }).press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("No matching alarms")).toBeVisible();
  await page.getByRole("button", { name: "Show muted" }).press("Enter");
  await expect(rows(page)).toContainText("Muted by local: A script needs no room");

  // The yard no longer counts it; heard again, it does.
  await page.goto(`${url}/p/${project_id}?run=${root_turn_id}`);
  await expect(page.getByRole("group", { name: "Run figures" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Alarms by rule" })).toHaveCount(0);
  await page.goto(`${url}/p/${project_id}/alarms?muted=true`);
  await page.getByRole("button", { name: /^Unmute: Window nearly full/ }).press("Enter");
  await expect(rows(page)).not.toContainText("Muted by");
  await page.goto(`${url}/p/${project_id}?run=${root_turn_id}`);
  const counts = page.getByRole("navigation", { name: "Alarms by rule" });
  await expect(counts).toContainText("1 Window nearly full");
  await expect(page.getByRole("img", { name: /alarm: Window nearly full/ })).toBeVisible();
  await counts.getByRole("link").first().press("Enter");
  await expect(page).toHaveURL(/alarms\?rule=pressure&run=/);
  await expect(rows(page)).toHaveCount(1);
});

test("axe finds nothing in either theme, and a phone shows each alarm whole", async ({ product: { url }, page }) => {
  const project_id = await makeNarrow(url, "Alarms seen");
  const { result } = await launchNarrow(url, project_id);
  await untilFound(url, project_id);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.goto(`${url}/p/${project_id}/alarms`);
  await expect(rows(page)).toHaveCount(1);
  await expectSound(page, "alarms");
  await page.getByRole("button", { name: /^Mute:/ }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectSound(page, "mute");
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page, "alarms on a phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expect(page.getByRole("button", { name: /^Mute:/ })).toBeVisible();
  for (const path of [`/turns/${result.agent_turn_id}`, ""]) {
    await page.goto(`${url}/p/${project_id}${path}`);
    await expect(page.getByText(/Window nearly full|alarm/).first()).toBeVisible();
    await expectSound(page, "page of the alarm's turn or yard");
  }
});

const limitsOf = (url: string, project_id: string) =>
  api<{ own: Record<string, number> }>(url, "GET", `/projects/${project_id}/alarm-limits`);

test("the limits are read, corrected, saved and set back by keys alone", async ({ product: { url }, page }) => {
  const project_id = await makeNarrow(url, "Limits by keys");
  await page.goto(`${url}/p/${project_id}/alarms`);
  await page.getByRole("button", { name: "Limits", exact: true }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Limits" });
  await expect(page).toHaveURL(/limits=true/);
  const part = dialog.getByRole("textbox", { name: "Part of the window" });
  await expect(part).toBeFocused();
  await expect(part).toHaveValue("80");
  await expect(part).toHaveAccessibleDescription(/fills more than this much of the model's window/);
  const save = dialog.getByRole("button", { name: "Save", exact: true });
  await expect(save).toHaveAccessibleDescription("Nothing is changed.");

  await part.fill("140");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toHaveText("Write a number between 0 and 100.");
  await expect(part).toHaveAttribute("aria-invalid", "true");
  // Saved from further down, the field that is wrong has the focus again.
  await save.press("Enter");
  await expect(part).toBeFocused();
  await part.fill("95");
  await dialog.getByRole("textbox", { name: "Times delegated" }).fill("5");
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(save).toHaveAccessibleDescription("2 limits changed.");
  await save.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page).not.toHaveURL(/limits=/);
  expect((await limitsOf(url, project_id)).own).toEqual({ pressure_share: 0.95, loop_times: 5 });

  // A link opens it; one limit goes back to the default, then all.
  await page.goto(`${url}/p/${project_id}/alarms?limits=true`);
  await expect(part).toHaveValue("95");
  await dialog.getByRole("button", { name: "Reset to default: Window nearly full, Part of the window" }).press("Enter");
  await expect(part).toHaveValue("80");
  await save.press("Enter");
  await expect(dialog).toBeHidden();
  expect((await limitsOf(url, project_id)).own).toEqual({ loop_times: 5 });
  await page.getByRole("button", { name: "Limits", exact: true }).press("Enter");
  await dialog.getByRole("button", { name: "All to default" }).press("Enter");
  await save.press("Enter");
  await expect(dialog).toBeHidden();
  expect((await limitsOf(url, project_id)).own).toEqual({});
});

test("axe finds nothing in the limits in either theme, also on a phone", async ({ product: { url }, page }) => {
  const project_id = await makeNarrow(url, "Limits seen");
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.goto(`${url}/p/${project_id}/alarms?limits=true`);
  const dialog = page.getByRole("dialog", { name: "Limits" });
  await dialog.getByRole("textbox", { name: "Part of the window" }).fill("none");
  await dialog.getByRole("textbox", { name: "Times delegated" }).fill("5");
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expectSound(page, "limits");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page, "limits on a phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expect(dialog.getByRole("button", { name: "Save", exact: true })).toBeVisible();
});
