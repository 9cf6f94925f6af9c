import { expect, test } from "./fixtures";

test("a fresh instance serves its first page", async ({ page }) => {
  const response = await page.goto("/");
  expect(response?.status()).toBe(200);
});
