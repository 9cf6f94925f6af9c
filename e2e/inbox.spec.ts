// The inbox as a person reads it: what waits, why, what would help, and what has waited before.
import pg from "pg";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { delegate, endlessTwo, fork, makeForkProject, queueBehind, stopFork } from "./fork-scenes";
import { serveOwn } from "./own-product";
import { type Product, stop } from "./serve";

test.describe.configure({ timeout: 90_000 });

test("a turn queued behind another one of its agent names it; both are links", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Queued");
  await page.goto(`${product.url}/p/${project}/inbox`);
  await expect(page.getByRole("heading", { level: 1, name: "No messages" })).toBeVisible();
  const forked = await fork(product.url, project, endlessTwo);
  const agent = await queueBehind(product.url, project, forked);
  await page.getByRole("link", { name: "See what runs" }).waitFor({ state: "detached" });
  const row = page.locator(".list-row").filter({ hasText: "queued" });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(/queued behind \d\w\d\d/);
  await expect(row.getByRole("link", { name: /is (running|dispatched)/ })).toHaveAttribute("href", /turn=turn_/);
  await expect(page.getByRole("region", { name: agent }).getByRole("heading").getByRole("link")).toHaveAttribute(
    "href",
    new RegExp(`/agents/${agent}$`),
  );
  await page.getByRole("radio", { name: "By target" }).click();
  await expect(page).toHaveURL(/group=target/);
  await page.getByRole("button", { name: "deferred" }).click();
  await expect(page.getByText("No matching messages")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await stopFork(product.url, project, forked);
  await page.getByRole("button", { name: "Include ended" }).click();
  await expect(page).toHaveURL(/ended=true/);
  await expect(page.getByRole("region", { name: "Ended" }).locator(".list-row").first()).toBeVisible();
});

test("a row on which the watchdog fails is shown with its error, in its own project only", async ({
  product,
  page,
}) => {
  const project = await makeForkProject(product.url, "Failing");
  const other = await makeForkProject(product.url, "Fine");
  const client = new pg.Client(product.database_url);
  await client.connect();
  await client.query(
    `INSERT INTO state.watchdog_failures (project_id, rule, row_key, error_code, last_error, next_try_at)
     VALUES ($1, 'expire-tools', 'tc_bad', 'XX001', 'this row is broken', now() + interval '1 hour')`,
    [project],
  );
  await page.goto(`${product.url}/p/${project}/inbox`);
  const note = page.getByRole("region", { name: "Watchdog" });
  await expect(note).toContainText("The watchdog cannot handle 1 row");
  await expect(note).toContainText("expire-tools of tc_bad: this row is broken (XX001, tried 1 time, again at");
  const { violations } = await axeOf(page).analyze();
  expect(violations).toEqual([]);
  await page.goto(`${product.url}/p/${other}/inbox`);
  await expect(page.getByRole("heading", { level: 1, name: "No messages" })).toBeVisible();
  await expect(note).toHaveCount(0);
  await client.query("DELETE FROM state.watchdog_failures WHERE project_id = $1", [project]);
  await client.end();
});

test.describe("with a worker that takes one target only", () => {
  test.describe.configure({ timeout: 180_000, mode: "serial" });
  let own: Product;
  let project = "";
  test.beforeAll(async () => {
    own = await serveOwn({ SWITCHYARD_WORKER_TARGETS: "worker_generic" });
    project = await makeForkProject(own.url, "Starved");
    await delegate(own.url, project, { target_strategy: "new", target_ref: "Elsewhere" });
  });
  test.afterAll(() => stop(own));

  test("a row that no worker takes says so, with the command that helps", async ({ page }) => {
    await page.goto(`${own.url}/p/${project}/inbox?group=target`);
    const row = page.locator(".list-row");
    await expect(row).toHaveCount(1);
    await expect(row).toContainText("waits for a worker of worker_elsewhere, and no worker serves it");
    await expect(page.getByText("SWITCHYARD_WORKER_TARGETS=worker_elsewhere npm run worker")).toBeVisible();
    await expect(page.getByRole("region", { name: "worker_elsewhere" })).toContainText("1 waiting");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\?run=turn_.*&turn=turn_/);
  });

  test("on a phone rows fold and nothing is cut off", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${own.url}/p/${project}/inbox`);
    await expect(page.locator(".list-row")).toHaveCount(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
