// The inbox as a person reads it: what waits, why, what would help, and what has waited.
import { expect, test } from "./fixtures";
import { endlessTwo, fork, makeForkProject, stopBatch } from "./fork-scenes";
import { api } from "./scenes";

test.describe.configure({ timeout: 90_000 });

async function delegate(url: string, project: string, args: { target_strategy: string; target_ref: string }) {
  const instruction = `for ${args.target_ref}`;
  return api<{ result: { agent_id: string; agent_turn_id: string } }>(
    url,
    "POST",
    `/projects/${project}/pmo/delegate_async:call`,
    { args: { ...args, instruction } },
  );
}

test("what no worker takes says so, with the command that helps", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Starved");
  await page.goto(`${product.url}/p/${project}/inbox`);
  await expect(page.getByRole("heading", { level: 1, name: "Nothing waits" })).toBeVisible();
  await delegate(product.url, project, { target_strategy: "new", target_ref: "Elsewhere" });
  const row = page.locator(".list-row");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("waits for a worker of worker_elsewhere, and no worker serves it");
  await expect(page.getByText("SWITCHYARD_WORKER_TARGETS=worker_elsewhere npm run worker")).toBeVisible();
  await page.getByRole("radio", { name: "By target" }).click();
  await expect(page).toHaveURL(/group=target/);
  await expect(page.getByRole("region", { name: "worker_elsewhere" })).toContainText("1 waiting");
  await page.getByRole("button", { name: "queued" }).click();
  await expect(page.getByText("Nothing waits that fits")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(row).toHaveCount(1);
});

test("a turn behind another of its agent names it; both lead to the yard", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Queued");
  const { batch_id } = await fork(product.url, project, endlessTwo);
  const { tasks } = await api<{ tasks: { agent_id: string; agent_turn_id: string }[] }>(
    product.url,
    "GET",
    `/projects/${project}/batches/${batch_id}`,
  );
  const agent = tasks[0]?.agent_id ?? "";
  await delegate(product.url, project, { target_strategy: "reuse", target_ref: agent });
  await page.goto(`${product.url}/p/${project}/inbox?status=queued`);
  const row = page.locator(".list-row");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(/queued behind \d\w\d\d/);
  await expect(row.getByRole("link", { name: /is (running|dispatched)/ })).toHaveAttribute(
    "href",
    new RegExp(`turn=${tasks[0]?.agent_turn_id}`),
  );
  await expect(page.getByRole("link", { name: /Patience|patience/ }).first()).toHaveAttribute("href", /\/agents\//);
  await stopBatch(product.url, project, batch_id);
  await page.goto(`${product.url}/p/${project}/inbox`);
  await page.getByRole("button", { name: "with what has ended" }).click();
  await expect(page).toHaveURL(/ended=true/);
  await expect(page.getByRole("region", { name: "Ended" }).locator(".list-row").first()).toContainText(
    /taken up|skipped/,
  );
});

test("on a phone rows fold and nothing is cut off", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "An inbox on a phone");
  await delegate(product.url, project, { target_strategy: "new", target_ref: "Elsewhere" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${product.url}/p/${project}/inbox`);
  await expect(page.locator(".list-row")).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
