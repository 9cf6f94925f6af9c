// Tracks, wires and crates as things of their own: selected, moved by an end, taken away; and the menu of a right click.
import type { Page } from "@playwright/test";
import { canvas, inspector, projectWith, saved, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

const nodes = (box: string) => [
  { id: "frame", title: "Frame", target: { ref: "Planner" }, instruction: "Fix one frame." },
  {
    id: "search",
    title: "Search",
    target: { ref: "Searcher" },
    instruction: "Search.",
    load: [{ box }, { from: "frame" }],
  },
  { id: "brief", title: "Brief", target: { ref: "Reader" }, instruction: "Write.", load: [{ from: "search" }] },
  { id: "check", title: "Check", target: { ref: "Reader" }, instruction: "Check.", load: [{ from: "frame" }] },
];

async function open(page: Page, url: string, title: string): Promise<{ project: string; box: string }> {
  const made = await projectWith(url, title);
  const body = { switchyard: "plan/1", name: "Linked", nodes: nodes(made.box) };
  await api(url, "POST", `/projects/${made.project}/plans`, body);
  await page.goto(`/p/${made.project}/compose/Linked`);
  await expect(wagon(page, "brief")).toBeVisible();
  await expect(page.locator(".crate")).toHaveCount(1);
  // Wires and views have come to rest.
  await page.waitForTimeout(700);
  return made;
}

/** Between two wagons of one row, in the gap before the second. */
async function between(page: Page, to: string): Promise<{ x: number; y: number }> {
  const box = await wagon(page, to).boundingBox();
  if (!box) throw new Error(`${to} is not drawn`);
  return { x: box.x - 14, y: box.y + box.height };
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 10 });
  await page.mouse.up();
}

async function middleOf(page: Page, place: string): Promise<{ x: number; y: number }> {
  const box = await wagon(page, place).boundingBox();
  if (!box) throw new Error(`${place} is not drawn`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const loadsOf = async (page: Page, url: string, project: string) => {
  await saved(page);
  const { items } = await api<{ items: { draft_id: string }[] }>(url, "GET", `/projects/${project}/plan-drafts`);
  const { body } = await api<{ body: { nodes: { id: string; load?: object[] }[] } }>(
    url,
    "GET",
    `/projects/${project}/plan-drafts/${items[0]?.draft_id ?? ""}`,
  );
  return Object.fromEntries(body.nodes.map(({ id, load }) => [id, load ?? []]));
};

test("a track is selected, led elsewhere by its end, and dropped on open ground it is gone; undo brings it back", async ({
  product,
  page,
}) => {
  const { project } = await open(page, product.url, "Tracks by their ends");
  await page.mouse.click((await between(page, "brief")).x, (await between(page, "brief")).y);
  await expect(inspector(page).getByRole("heading", { name: "Search to Brief" })).toBeVisible();
  await expect(inspector(page)).toContainText("Search, deliverable");
  await expect(page).toHaveURL(/sel=track/);

  // Its far end to another wagon.
  await drag(page, await between(page, "brief"), await middleOf(page, "check"));
  await expect(inspector(page).getByRole("heading", { name: "Search to Check" })).toBeVisible();
  expect((await loadsOf(page, product.url, project)).brief).toEqual([]);
  await canvas(page).focus();
  await page.keyboard.press("Control+z");
  await expect.poll(() => loadsOf(page, product.url, project)).toMatchObject({ brief: [{ from: "search" }] });

  // To where it may not lead: refused with the reason, and nothing is changed.
  await drag(page, await between(page, "brief"), await middleOf(page, "frame"));
  await expect(page.getByText("ends before Search starts", { exact: false }).first()).toBeVisible();
  expect(await loadsOf(page, product.url, project)).toMatchObject({ brief: [{ from: "search" }] });

  // To open ground: it is taken away.
  const at = await between(page, "brief");
  await drag(page, at, { x: at.x, y: at.y + 190 });
  await expect(page.getByText("Search no longer leads to Brief")).toBeVisible();
  await canvas(page).focus();
  await page.keyboard.press("Control+z");
  await expect.poll(() => loadsOf(page, product.url, project)).toMatchObject({ brief: [{ from: "search" }] });

  // By keys: the track is a row of the inspector.
  await page.keyboard.press("Escape");
  await wagon(page, "brief").click();
  await inspector(page).getByRole("button", { name: "Search", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(inspector(page).getByRole("heading", { name: "Search to Brief" })).toBeVisible();
  await inspector(page).getByLabel("What it waits for").selectOption("check");
  await expect(inspector(page).getByRole("heading", { name: "Check to Brief" })).toBeVisible();
  await canvas(page).focus();
  await page.keyboard.press("Control+Backspace");
  await expect.poll(() => loadsOf(page, product.url, project)).toMatchObject({ brief: [] });
});

test("a wire and its crate are selected, led to another wagon, and hidden when asked", async ({ product, page }) => {
  const { project, box } = await open(page, product.url, "Wires by their ends");
  await page.locator(".crate").click();
  await expect(inspector(page).getByRole("link", { name: "Read the box" })).toBeVisible();
  await expect(inspector(page).getByRole("button", { name: "Search" })).toBeVisible();
  await inspector(page).getByRole("button", { name: "Search" }).click();
  await expect(inspector(page)).toContainText("loaded by Search");
  await inspector(page).getByLabel("Who loads it instead").selectOption("brief");
  await expect
    .poll(() => loadsOf(page, product.url, project))
    .toMatchObject({
      search: [{ from: "frame" }],
      brief: [{ from: "search" }, { box }],
    });
  await expect(page.locator(".drawn-wire")).toHaveCount(1);
  await page.getByRole("button", { name: "Wires, all", exact: true }).click();
  await page.getByRole("menuitemradio", { name: "None" }).click();
  await expect(page.locator(".drawn-wire")).toHaveCount(0);
});

test("a right click offers what the keys do, for what lies there", async ({ product, page }) => {
  await open(page, product.url, "Right clicks");
  await wagon(page, "brief").click({ button: "right" });
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem", { name: /Hand-over/ })).toBeVisible();
  await menu.getByRole("menuitem", { name: /Hold, or let pass/ }).click();
  await expect(page.locator(".hold-signal")).toHaveCount(1);
  await expect(menu).toHaveCount(0);
  await canvas(page).focus();
  await page.keyboard.press("Control+z");
  const at = await between(page, "brief");
  await page.mouse.click(at.x, at.y, { button: "right" });
  await menu.getByRole("menuitem", { name: /Add between/ }).click();
  await expect(page.getByRole("option", { name: /^Expert/ }).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await canvas(page).click({ position: { x: 60, y: 470 }, button: "right" });
  await expect(menu.getByRole("menuitem", { name: /Show all/ })).toBeVisible();
  await page.keyboard.press("Escape");
});
