// The path of somebody who is here for the first time: a plan like that of docs/composer.md is drawn, checked and launched. Each thing
// that a person does is counted: a click, a drag, a key, or a text that is typed.
import type { Page } from "@playwright/test";
import { canvas, inspector, projectWith, step, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { heardBy } from "./heard";
import { api } from "./scenes";

test.describe.configure({ timeout: 120_000 });

const AT_MOST = 12;

/** From the shelf onto a wagon. */
async function dropOn(page: Page, name: RegExp, place: string): Promise<void> {
  const entry = page.getByRole("region", { name: "Shelf" }).getByRole("button", { name }).first();
  await expect(entry).toBeVisible();
  const [from, to] = [await entry.boundingBox(), await wagon(page, place).boundingBox()];
  if (!from || !to) throw new Error(`${name} cannot be dropped on ${place}`);
  await page.mouse.move(from.x + 30, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
  await page.mouse.up();
}

test("a plan of a fork, a gate and a writer is drawn, checked and launched in at most 12 actions", async ({
  product,
  page,
}) => {
  const { project, box } = await projectWith(product.url, "First plan");
  let actions = 0;
  const add = async (name: string) => {
    actions++;
    await page.keyboard.press("n");
    await page.keyboard.type(name);
    await expect(page.getByRole("option", { name: new RegExp(`^${name}`) }).first()).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(canvas(page)).toBeFocused();
  };
  const write = async (text: string) => {
    actions++;
    await page.keyboard.press("Enter");
    await page.keyboard.type(text);
    await page.keyboard.press("Escape");
  };
  await page.goto(`/p/${project}/compose`);
  await heardBy(page);
  await canvas(page).focus();
  await add("Searcher");
  await write("Search for how others do it.");
  actions++;
  await page.keyboard.press("t");
  await write("Search for what failed.");
  // What is added now follows the fork, not the task that was drawn last.
  actions++;
  await page.keyboard.press("n");
  await expect(page.getByRole("dialog", { name: /^Add after the fork / })).toBeVisible();
  await page.keyboard.type("Planner");
  await expect(page.getByRole("option", { name: /^Planner/ }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(canvas(page)).toBeFocused();
  await write("Write one page from both.");
  actions++;
  await dropOn(page, /House style|[0-9A-F]{4}/, "planner");
  await expect(page.locator(".crate")).toHaveCount(1);
  actions++;
  await canvas(page).focus();
  await page.keyboard.press("d");
  await expect(page.getByRole("region", { name: "Dry run" })).toContainText(/Checked \d/);
  await expect(page.getByText("No problems", { exact: true })).toBeVisible();
  actions++;
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/[?&]run=/);
  await expect(wagon(page, "planner").getByRole("img", { name: /success/ })).toBeVisible({ timeout: 30_000 });
  expect(actions).toBeLessThanOrEqual(AT_MOST);

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
