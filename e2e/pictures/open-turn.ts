// What a person does on every page of the walk through the debugger: opens a turn by its headcode.
import type { Page } from "@playwright/test";
import { heardBy } from "../heard";
import { expect } from "./studio";

/** By the palette, as on any page: several runs have the same headcodes. The pointer goes where nothing opens under it. */
export async function openTurn(page: Page, headcode: string, run = "run 1"): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.keyboard.type(headcode);
  const row = page
    .getByRole("option", { name: new RegExp(headcode) })
    .filter({ hasText: run })
    .first();
  await expect(row).toBeVisible();
  await row.click();
  await expect(page).toHaveURL(/\/turns\/[^/]+$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(headcode);
  // The palette has the keys until it is gone.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await heardBy(page);
  await page.mouse.move(700, 795);
}
