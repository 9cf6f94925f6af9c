// The name comes before the code: a headcode means nothing to someone who is here for the first time.
import type { Locator } from "@playwright/test";
import { expect, test } from "./fixtures";
import { launchLead, makeProject } from "./scenes";

/** Whether the name begins to the left of the code or above it. */
async function isNameFirst(name: Locator, code: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([name.boundingBox(), code.boundingBox()]);
  if (!a || !b) throw new Error("the name or the code is not drawn");
  return a.x < b.x || a.y + a.height <= b.y;
}

test("wagon, far view, turn page and palette show the name before the headcode", async ({ page, product }) => {
  const project = await makeProject(product.url, "Names");
  const { root_turn_id } = await launchLead(product.url, project);
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
  const lead = page.getByRole("img", { name: /1L01, Lead/ });
  await expect(lead).toBeVisible();
  expect(await isNameFirst(lead.getByText("Lead", { exact: true }), lead.getByText("1L01"))).toBe(true);
  // The picture is fitted again while the run grows, so a press may be undone by it.
  await expect(async () => {
    await page.keyboard.press("-");
    await expect(lead).toHaveAttribute("data-detail", "chip", { timeout: 500 });
  }).toPass();
  // How much fits on a chip depends on where the zoom came to rest, so the order of the two is read, not their places.
  await expect(lead.locator(".chip-who, .chip-task").filter({ visible: true }).first()).toBeVisible();
  await expect(lead.locator(".wagon-name ~ .plate")).toHaveText("1L01");

  await page.goto(`${product.url}/p/${project}/turns/${root_turn_id}`);
  const head = page.getByRole("heading", { level: 1 });
  const name = head.locator("span[dir=auto]");
  await expect(name).toBeVisible();
  expect(await isNameFirst(name, head.locator(".plate"))).toBe(true);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("1L01");
  const found = page.getByRole("option").filter({ has: page.locator(".plate", { hasText: "1L01" }) });
  await expect(found.first()).toBeVisible();
  expect(await isNameFirst(found.first().locator("span[dir=auto]").first(), found.first().locator(".plate"))).toBe(
    true,
  );
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });
  test("the line of a turn shows the name before the headcode", async ({ page, product }) => {
    const project = await makeProject(product.url, "Names on a phone");
    const { root_turn_id } = await launchLead(product.url, project);
    await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
    const lead = page.getByRole("button", { name: /^1L01, Lead/ });
    await expect(lead).toBeVisible();
    expect(await isNameFirst(lead.getByText("Lead", { exact: true }), lead.getByText("1L01"))).toBe(true);
  });
});
