// The batch board as a person follows it: from the fork to the join, by keyboard, by link, on a phone, and stopped.
import { expect, test } from "./fixtures";
import { batchEnds, endlessTwo, five, fork, makeForkProject, stopFork } from "./fork-scenes";

test.describe.configure({ timeout: 90_000 });

test("a fork is followed to its join without reloading", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Followed");
  const { batch_id } = await fork(product.url, project, five, { deadline_seconds: 900 });
  await page.goto(`${product.url}/p/${project}/batches/${batch_id}`);
  const rows = page.getByRole("region", { name: "Tasks" }).getByRole("listitem");
  await expect(rows).toHaveCount(5);
  await expect(page.getByText("left of 15:00")).toBeVisible();
  await expect(page.getByRole("heading", { name: /^What \S+ will receive/ })).toBeVisible();
  await expect(page.getByRole("list", { name: "Possible outcomes" })).toContainText("timeout");
  await expect(rows.nth(0)).toContainText("Iron-air: cheaper above 24 hours only.");
  await expect(rows.nth(4)).toContainText("the electrolyser report cannot be read");
  await batchEnds(product.url, project, batch_id, "partial");
  await expect(page.getByRole("heading", { name: /^What \S+ received/ })).toBeVisible();
  await expect(rows.nth(3)).toContainText("Packed beds are cheap");
  const result = page.getByRole("article", { name: "The result of the join" });
  await expect(result.getByRole("listitem")).toHaveCount(5);
  await expect(result.getByRole("listitem").nth(4)).toContainText("the electrolyser report cannot be read");
  await result.getByRole("radio", { name: "JSON" }).click();
  await expect(page).toHaveURL(/view=json/);
  await expect(result).toContainText('"partial"');
  await expect(page.getByRole("region", { name: "Events" })).toContainText("joined as partial, 4 of 5 delivered");
  await expect(page.getByRole("button", { name: "Stop" })).toHaveCount(0);
});

test("the keyboard moves through tasks, the URL names the current one, Enter opens its turn", async ({
  product,
  page,
}) => {
  const project = await makeForkProject(product.url, "Walked", { isBrisk: true });
  const { batch_id } = await fork(product.url, project, five);
  await batchEnds(product.url, project, batch_id, "partial");
  const board = `${product.url}/p/${project}/batches/${batch_id}`;
  await page.goto(board);
  await expect(page.getByRole("region", { name: "Tasks" }).getByRole("listitem")).toHaveCount(5);
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/[?&]task=0/);
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/[?&]task=1/);
  const chosen = page.getByRole("region", { name: "Task 2", exact: true });
  await expect(chosen).toContainText("Flow batteries");
  await expect(chosen.getByRole("link", { name: /in the yard/ })).toHaveAttribute("href", /\?run=turn_.*&turn=turn_/);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/task=/);
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/[?&]task=2/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/p/${project}\\?run=turn_.*&turn=turn_`));
  await page.goto(`${board}?task=77`);
  await expect(page.getByRole("heading", { name: "No task 78" })).toBeVisible();
});

test("the order of the rows is in the URL; the join keeps its own", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Sorted");
  const { batch_id } = await fork(product.url, project, five);
  await batchEnds(product.url, project, batch_id, "partial");
  await page.goto(`${product.url}/p/${project}/batches/${batch_id}`);
  const rows = page.getByRole("region", { name: "Tasks" }).getByRole("listitem");
  // A choice made before React has hydrated the page has no effect.
  await expect(async () => {
    await page.getByRole("combobox", { name: "Order of the tasks" }).selectOption("status");
    await expect(page).toHaveURL(/sort=status/, { timeout: 3_000 });
  }).toPass();
  await expect(rows.first()).toContainText("Hydrogen");
  await page.reload();
  await expect(rows.first()).toContainText("Hydrogen");
  await expect(async () => {
    await page.getByRole("combobox", { name: "Order of the tasks" }).selectOption("time");
    await expect(rows.first()).toContainText("Thermal storage", { timeout: 3_000 });
  }).toPass();
  const result = page.getByRole("article", { name: "The result of the join" });
  await expect(result.getByRole("listitem").first()).toContainText("Iron-air");
});

test("a held back task says so; a stop says what it does, and does it", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Stopped");
  const { batch_id } = await fork(product.url, project, endlessTwo, { max_parallel: 1 });
  await page.goto(`${product.url}/p/${project}/batches/${batch_id}`);
  const rows = page.getByRole("region", { name: "Tasks" }).getByRole("listitem");
  await expect(rows.nth(1)).toContainText("Waiting for a free slot");
  await expect(page.getByText("at most 1 at once").first()).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Stop B1?" });
  await expect(dialog).toContainText(/Stops \S+ and 1 task that has not started\. Their cards stay\./);
  await dialog.getByRole("button", { name: "Stop B1" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("banner").or(page.locator(".board-head")).last()).toContainText("canceled");
  await batchEnds(product.url, project, batch_id, "canceled");
  await expect(rows.nth(0)).toContainText("batch stopped by");
});

test("only one branch is still open: the batch is closed with the results so far", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Closed");
  const tasks = [
    { target_ref: "Search", instruction: "Iron-air" },
    { target_ref: "Patience", instruction: "Wait for ever" },
  ];
  const { batch_id } = await fork(product.url, project, tasks);
  await page.goto(`${product.url}/p/${project}/batches/${batch_id}`);
  await expect(page.getByRole("heading", { level: 1, name: "2 tasks for Search and Patience" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Breadcrumbs" })).toContainText("B1");
  await page.getByRole("button", { name: "Close as partial" }).click();
  const dialog = page.getByRole("dialog", { name: "Close B1 as partial?" });
  await expect(dialog).toContainText(/Stops \S+\. Its cards stay\. B1 closes as partial, 1 of 2/);
  await dialog.getByRole("button", { name: "Close B1" }).click();
  await expect(dialog).toBeHidden();
  await batchEnds(product.url, project, batch_id, "partial");
  await expect(page.locator(".board-head")).toContainText("partial");
  await expect(page.getByRole("button", { name: "Close as partial" })).toHaveCount(0);
});

test("a failed branch is retried by key while another one runs, and its first attempt stays linked", async ({
  product,
  page,
}) => {
  const project = await makeForkProject(product.url, "Retried");
  const forked = await fork(product.url, project, [
    { target_ref: "Patience", instruction: "Wait for ever" },
    { target_ref: "Hydrogen", instruction: "Read the report" },
  ]);
  await page.goto(`${product.url}/p/${project}/batches/${forked.batch_id}?task=1`);
  const rows = page.getByRole("region", { name: "Tasks" }).getByRole("listitem");
  const side = page.getByRole("complementary", { name: "The join" });
  await expect(rows.nth(1)).toContainText("the electrolyser report cannot be read");
  await expect(side).toContainText(/Retrying \S+ makes attempt 2 of task 2\. It gets the same box and a new turn/);
  await expect(page.getByRole("button", { name: /^Retry / })).toBeVisible();
  await page.keyboard.press("r");
  await expect(page.getByText(/is tried again$/)).toBeVisible();
  // It fails again, and can be tried a third time.
  await expect(side).toContainText(/makes attempt 3 of task 2/, { timeout: 20_000 });
  const before = side.getByRole("link", { name: "failed, retried by local" });
  await expect(before).toHaveCount(1);
  await before.click();
  await expect(page).toHaveURL(/\/turns\/turn_/);
  await stopFork(product.url, project, forked);
});

test("the list shows forks as they start and end, and links to the board", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Listed");
  await page.goto(`${product.url}/p/${project}/batches`);
  await expect(page.getByText("No batches yet")).toBeVisible();
  const { batch_id } = await fork(product.url, project, five);
  const row = page.locator(".list-row");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("of 5 still running");
  await batchEnds(product.url, project, batch_id, "partial");
  await expect(row).toContainText("4 of 5 delivered");
  await page.getByRole("button", { name: "failed", exact: true }).click();
  await expect(page.getByText("No matching batches")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(row).toHaveCount(1);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/batches/${batch_id}`));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("an unknown batch says so and offers a way on", async ({ product, page, expectedErrors }) => {
  expectedErrors.push(/404/);
  const project = await makeForkProject(product.url, "A missing batch");
  await page.goto(`${product.url}/p/${project}/batches/nowhere`);
  await expect(page.getByRole("heading", { level: 1, name: "Batch not found" })).toBeVisible();
  await page.getByRole("link", { name: "All batches" }).click();
  await expect(page).toHaveURL(/\/batches$/);
});

test("on a phone a branch is a block and nothing is cut off", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "A board on a phone");
  const forked = await fork(product.url, project, endlessTwo);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${product.url}/p/${project}/batches/${forked.batch_id}`);
  await expect(page.getByRole("region", { name: "Tasks" }).getByRole("listitem")).toHaveCount(2);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("heading", { name: /^What \S+ will receive/ }).scrollIntoViewIfNeeded();
  await expect(page.getByRole("heading", { name: /^What \S+ will receive/ })).toBeInViewport();
  await stopFork(product.url, project, forked);
});
