// The path of somebody who is here for the first time: a plan like that of docs/composer.md is drawn, checked and launched. Each thing
// that a person does is counted where it is done: a click, a drag, a key, or a text that is typed.
import type { Locator, Page } from "@playwright/test";
import { canvas, inspector, projectWith, step, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { heardBy } from "./heard";
import { api } from "./scenes";

test.describe.configure({ timeout: 120_000 });

const AT_MOST = 12;

/** The hands of a person: nothing is done to the page but through them, and they count. */
function handsOn(page: Page) {
  const shelf = page.getByRole("region", { name: "Shelf" });
  const hands = {
    actions: 0,
    shelf: (name: RegExp) => shelf.getByRole("button", { name }).first(),
    async click(what: Locator) {
      hands.actions++;
      await what.click();
    },
    async press(key: string) {
      hands.actions++;
      await page.keyboard.press(key);
    },
    /** Into what has the focus, which must be a field by then. */
    async type(text: string) {
      hands.actions++;
      await expect(inspector(page).getByRole("textbox", { name: "Instruction" })).toBeFocused();
      await page.keyboard.type(text);
    },
    /** From the shelf onto a wagon. */
    async drop(name: RegExp, place: string) {
      hands.actions++;
      await expect(hands.shelf(name)).toBeVisible();
      const [from, to] = [await hands.shelf(name).boundingBox(), await wagon(page, place).boundingBox()];
      if (!from || !to) throw new Error(`${name} cannot be dropped on ${place}`);
      await page.mouse.move(from.x + 30, from.y + 12);
      await page.mouse.down();
      await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
      await page.mouse.up();
    },
  };
  return hands;
}

// The ground once lay over them: they were seen and could not be clicked.
test("the ways to begin an empty plan can be clicked", async ({ product, page }) => {
  const { project } = await projectWith(product.url, "Ways to begin");
  await page.goto(`/p/${project}/compose`);
  await heardBy(page);
  await page.getByRole("button", { name: /^Fork of three/ }).click();
  await expect(page.locator(".drawn-gate")).toHaveCount(1);
  await expect(page.getByRole("button", { name: /^Fork of three/ })).toBeHidden();
});

test("a plan of a fork, a gate and a writer is drawn, checked and launched in at most 12 actions", async ({
  product,
  page,
}) => {
  const { project, box } = await projectWith(product.url, "First plan");
  const hands = handsOn(page);
  await page.goto(`/p/${project}/compose`);
  await heardBy(page);
  await hands.click(hands.shelf(/Searcher/));
  await hands.type("Search for how others do it.");
  // From the field back to the ground, where T makes a fork of it.
  await hands.press("Escape");
  await expect(canvas(page)).toBeFocused();
  await hands.press("t");
  await expect(page.locator(".drawn-gate")).toHaveCount(1);
  await hands.press("Enter");
  await hands.type("Search for what failed.");
  // What is added now follows the fork, not the task that was drawn last.
  await hands.click(hands.shelf(/Planner/));
  await hands.type("Write one page from both.");
  // Where a crate lands in what a wagon is given is known once that has been weighed.
  await expect(wagon(page, "planner").locator(".wagon-tokens")).toBeVisible();
  await hands.drop(/House style/, "planner");
  await expect(page.locator(".crate")).toHaveCount(1);
  await hands.click(inspector(page).getByRole("button", { name: /^Dry run/ }));
  await expect(page.getByRole("region", { name: "Dry run" })).toContainText(/Checked \d/);
  await expect(page.getByText("No problems", { exact: true })).toBeVisible();
  await hands.click(inspector(page).getByRole("button", { name: /^Launch/ }));
  await page.waitForURL(/[?&]run=/);
  await expect(wagon(page, "planner").getByRole("img", { name: /success/ })).toBeVisible({ timeout: 30_000 });
  expect(hands.actions).toBeLessThanOrEqual(AT_MOST);

  const root = new URL(page.url()).searchParams.get("run");
  const { items } = await api<{ items: { root_turn_id: string; body?: unknown; plan_run_id: string }[] }>(
    product.url,
    "GET",
    `/projects/${project}/plan-runs`,
  );
  const run = items.find((one) => one.root_turn_id === root);
  expect(await api(product.url, "GET", `/projects/${project}/plan-runs/${run?.plan_run_id}`)).toMatchObject({
    body: { nodes: [{ kind: "fork" }, { load: [{ box }, { from: "searcher" }] }] },
  });
});

test("three steps in a row are drawn, checked and launched with the mouse and what is typed, in eight actions", async ({
  product,
  page,
}) => {
  const { project } = await projectWith(product.url, "Three steps");
  const hands = handsOn(page);
  await page.goto(`/p/${project}/compose`);
  await heardBy(page);
  // Of what is refused nothing is known: no sum is shown until it can be packed.
  await hands.click(hands.shelf(/Planner/));
  await expect(wagon(page, "planner")).toContainText("no instruction");
  await expect(inspector(page)).toContainText("not known yet");
  await expect(page.locator(".composer-counts")).not.toContainText("tokens");
  await hands.type("Plan it.");
  await hands.click(hands.shelf(/Searcher/));
  await hands.type("Search.");
  await hands.click(hands.shelf(/Reader/));
  await hands.type("Check what was found.");
  await hands.click(inspector(page).getByRole("button", { name: /^Dry run/ }));
  await expect(page.getByText("No problems", { exact: true })).toBeVisible();
  await expect(page.locator(".composer-counts")).toContainText("tokens to start");
  // There is one Launch on the page, and it is that of the plan.
  await hands.click(page.getByRole("button", { name: /^Launch/ }));
  await page.waitForURL(/[?&]run=/);
  await expect(wagon(page, "reader").getByRole("img", { name: /success/ })).toBeVisible({ timeout: 30_000 });
  expect(hands.actions).toBe(8);
});

test("a version that is launched as it stands is a run of its plan; what is selected by keys is said", async ({
  product,
  page,
}) => {
  const { project } = await projectWith(product.url, "Run of a version");
  const nodes = [step("one"), step("two", { load: [{ from: "one" }] })];
  await api(product.url, "POST", `/projects/${project}/plans`, { switchyard: "plan/1", name: "Ready", nodes });
  await page.goto(`/p/${project}/compose/Ready`);
  // What is said of a wagon is what is known of it.
  await expect(page.getByText("No problems", { exact: true })).toBeVisible();
  await expect(wagon(page, "one").getByRole("img", { name: /no problems$/ })).toBeVisible();
  await canvas(page).focus();
  await page.keyboard.press("Home");
  const said = page.locator('p.sr-only[role="status"]').filter({ hasText: /^one/ });
  await expect(said).toHaveText(/^one, 1\w\d\d, .*no problems$/);
  await page.keyboard.press("o");
  await expect(page.locator('p.sr-only[role="status"]').filter({ hasText: /^two/ })).toHaveText(/starts after one/);
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/[?&]run=/);
  await page.keyboard.press("Escape");
  await expect(inspector(page)).toContainText("Ready v1");
  await page.goto(`/p/${project}/plans/Ready`);
  await expect(page.getByText(/^version 1, \d+s ago|2 of 2 steps delivered/).first()).toBeVisible();
});

test("on a phone the tasks of a fork are put in another order by their handles", async ({ product, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { project } = await projectWith(product.url, "Handles");
  const tasks = ["alpha", "beta", "gamma"].map((id) => step(id));
  await api(product.url, "POST", `/projects/${project}/plans`, {
    switchyard: "plan/1",
    name: "Tasks",
    nodes: [{ id: "all", kind: "fork", tasks }],
  });
  await page.goto(`/p/${project}/compose/Tasks`);
  const list = page.getByRole("list", { name: "Tasks of all" });
  const order = () =>
    list.getByRole("button", { name: /^Move / }).evaluateAll((found) => found.map((one) => one.ariaLabel));
  const handle = list.getByRole("button", { name: /^Move alpha/ });
  const [from, to] = [
    await handle.boundingBox(),
    await list.getByRole("button", { name: /^Move gamma/ }).boundingBox(),
  ];
  if (!from || !to) throw new Error("no handles");
  expect(Math.min(from.width, from.height)).toBeGreaterThanOrEqual(44);
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + 20, { steps: 5 });
  await page.mouse.up();
  await expect
    .poll(async () => (await order()).map((words) => words?.split(/[ :]/)[1]))
    .toEqual(["beta", "gamma", "alpha"]);
  await list.getByRole("button", { name: /^Move gamma/ }).press("ArrowUp");
  await expect
    .poll(async () => (await order()).map((words) => words?.split(/[ :]/)[1]))
    .toEqual(["gamma", "beta", "alpha"]);
});
