// Help for newcomers: one key, one button or one word in the palette explains every sign of the yard.
import { expect, test } from "./fixtures";
import { launchLead, makeProject } from "./scenes";

test("the legend opens by key, button and palette, and names every lamp, role and word", async ({ page, product }) => {
  const project = await makeProject(product.url, "Signs");
  const { root_turn_id } = await launchLead(product.url, project);
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
  await expect(page.getByRole("img", { name: /1L01, Lead/ })).toBeVisible();
  const legend = page.getByRole("dialog", { name: "Legend" });
  await page.keyboard.press("?");
  await expect(legend).toBeVisible();
  for (const name of ["Parts of a wagon", "Lamps: the state of a turn", "Roles: the colour of a card", "Words"])
    await expect(legend.getByRole("region", { name })).toBeVisible();
  for (const term of ["suspended", "timeout", "tool", "withheld", "headcode", "gate", "left out"])
    await expect(legend.locator("dt b").filter({ hasText: new RegExp(`^${term}$`) })).toBeAttached();
  // A short row next to a long one used to be stretched, far from its meaning to its name. A sign may contain its own `b`.
  const drops = await legend
    .locator("dl > div")
    .evaluateAll((lines) =>
      lines.map(
        (line) =>
          (line.querySelector("dd")?.getBoundingClientRect().top ?? 0) -
          (line.querySelector("dt > b")?.getBoundingClientRect().top ?? 0),
      ),
    );
  expect(drops.filter((drop) => drop > 24)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(legend).toBeHidden();
  await page.getByRole("button", { name: "Legend", exact: true }).click();
  await expect(legend).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("legend");
  await page.getByRole("option", { name: /Show the legend/ }).click();
  await expect(legend).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });
  test("the legend has a button and fits the screen", async ({ page, product }) => {
    const project = await makeProject(product.url, "Signs on a phone");
    const { root_turn_id } = await launchLead(product.url, project);
    await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
    await page.getByRole("button", { name: "Legend", exact: true }).click();
    const legend = page.getByRole("dialog", { name: "Legend" });
    await expect(legend.getByRole("region", { name: "Words" })).toBeAttached();
    expect(await legend.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  });
});

test("hovering a part of a wagon says what it is, in the legend's words", async ({ page, product }) => {
  const project = await makeProject(product.url, "Parts");
  const { root_turn_id } = await launchLead(product.url, project);
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
  const lead = page.getByRole("img", { name: /1L01, Lead, success/ });
  await expect(lead).toBeVisible();
  await expect(lead).toHaveAttribute("aria-description", "Ended with a deliverable.");
  for (const part of [
    "success: Ended with a deliverable.",
    /^The agent\. /,
    /^Lead: The agent, /,
    /^Headcode: /,
    /^The cards it holds/,
  ])
    await expect(lead.getByTitle(part)).toBeVisible();
  const tracks = page.locator(".yard-tracks path title");
  await expect(tracks.filter({ hasText: "The hand-over was delivered." })).toHaveCount(1);
});
