// A gate that does not wait for all: chosen in the composer and in the launch dialog, refused where it cannot be met, and followed to
// its outcome on the live drawing and on the batch board.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { canvas, inspector, saved, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test.describe.configure({ timeout: 120_000 });

const profiles = {
  Quick: `[{ deliver: "{instruction}", wait_ms: 300 }]`,
  Slow: `[{ think: "A long review.", wait_ms: 2500 }, { deliver: "Too late: {instruction}", wait_ms: 4000 }]`,
};

/** Three tasks, the second of which is slow. */
async function scene(url: string, title: string): Promise<string> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  for (const [name, script] of Object.entries(profiles))
    await api(
      url,
      "POST",
      `/projects/${project_id}/profiles`,
      `name: ${name}\nllm_config: { provider: script, script: ${script} }\n`,
      "text/yaml",
    );
  const task = (id: string, ref: string) => ({ id, title: id, target: { ref }, instruction: `Search ${id}` });
  await api(url, "POST", `/projects/${project_id}/plans`, {
    switchyard: "plan/1",
    name: "Searches",
    nodes: [
      {
        id: "searches",
        kind: "fork",
        title: "Searches",
        tasks: [task("iron", "Quick"), task("heat", "Slow"), task("flow", "Quick")],
      },
      { id: "brief", title: "Brief", target: { ref: "Quick" }, instruction: "Write it", load: [{ from: "searches" }] },
    ],
  });
  return project_id;
}

async function axe(page: Page, what: string): Promise<void> {
  // Colours fade in; while they do they are not what is read.
  await page.waitForTimeout(600);
  const { violations } = await axeOf(page).exclude(".react-flow__attribution").analyze();
  expect(violations.map(({ id, nodes }) => `${what}: ${id} ${nodes.map(({ html }) => html.slice(0, 120))}`)).toEqual(
    [],
  );
}

const board = (page: Page) => page.getByRole("region", { name: "Tasks" }).getByRole("listitem");

for (const scheme of ["dark", "light"] as const)
  test(`a quorum is chosen at a gate, and its outcome is seen where it was drawn, ${scheme}`, async ({
    product,
    page,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    const project = await scene(product.url, `Quorum ${scheme}`);
    await page.goto(`/p/${project}/compose/Searches`);
    await page.locator("[data-gate=searches]").click();
    const panel = inspector(page);
    await panel.getByLabel("Waits for").selectOption("quorum");
    const k = panel.getByLabel("Tasks, of 3");
    for (const wrong of ["0", "4"]) {
      await k.fill(wrong);
      await expect(k).toHaveAttribute("aria-invalid", "true");
      await expect(panel.getByRole("alert")).toHaveText("Give a whole number from 1 to 3.");
    }
    await k.fill("2");
    await expect(panel.getByRole("alert")).toHaveCount(0);
    await panel.getByLabel("Tasks still running then").selectOption("run");
    await expect(page.locator(".batch-head[data-fork=searches]")).toContainText("waits for 2 of 3 to deliver");
    await axe(page, "gate");
    await saved(page);
    await expect(page.getByText("No problems", { exact: true })).toBeVisible();

    await canvas(page).focus();
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(/[?&]run=/);
    const count = page.locator("[data-gate-count=searches]");
    await expect(count).toHaveText(/2\/2\s*of 3/, { timeout: 30_000 });
    const late = wagon(page, "searches.heat").getByRole("img", { name: /late/ });
    await expect(late).toBeVisible();
    for (const place of ["searches.iron", "searches.flow"])
      await expect(wagon(page, place).getByRole("img", { name: /counted, (1st|2nd)/ })).toBeVisible();
    await expect(wagon(page, "brief").getByRole("img", { name: /success/ })).toBeVisible({ timeout: 30_000 });
    await page.locator("[data-gate=searches]").click();
    const arrived = inspector(page).getByRole("list", { name: "Tasks at the gate" });
    await expect(arrived.getByRole("listitem").nth(1)).toContainText("late");
    // Its notice fades in and out, and is then paler than it is to be read.
    await expect(page.getByText("Launched", { exact: true })).toHaveCount(0, { timeout: 20_000 });
    await axe(page, "gate of a run");

    await inspector(page).getByRole("link", { name: "Open the batch" }).click();
    await page.waitForURL(/\/batches\//);
    await expect(board(page)).toHaveCount(3);
    await expect(board(page).filter({ hasText: "heat" })).toContainText("late");
    await expect(board(page).filter({ hasText: "iron" })).toContainText(/counted, (1st|2nd)/);
    await axe(page, "board");
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(board(page).filter({ hasText: "heat" })).toContainText("late");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

test("a gate that needs more tasks than there are is a problem at its gate, with its remedy", async ({
  product,
  page,
}) => {
  const project = await scene(product.url, "Too many");
  await page.goto(`/p/${project}/compose/Searches`);
  await page.locator("[data-gate=searches]").click();
  await inspector(page).getByLabel("Waits for").selectOption("quorum");
  await inspector(page).getByLabel("Tasks, of 3").fill("3");
  await wagon(page, "searches.flow").click();
  await canvas(page).focus();
  await page.keyboard.press("Control+Delete");
  await expect(wagon(page, "searches.flow")).toHaveCount(0);
  await page.locator("[data-gate=searches]").click();
  await expect(
    inspector(page).getByText("Searches waits for 3 of 2 tasks. Wait for fewer, or add tasks."),
  ).toBeVisible();
});

test("the gate is reached by keyboard, from the list and the panel of its fork", async ({ product, page }) => {
  const project = await scene(product.url, "Reached");
  await page.goto(`/p/${project}/compose/Searches?view=list`);
  await page.getByRole("rowheader").getByRole("button", { name: "Searches", exact: true }).press("Enter");
  await inspector(page).getByRole("button", { name: "Change the gate" }).press("Enter");
  await expect(inspector(page).getByRole("heading", { name: "Gate of Searches" })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("a berth in the frame takes the next task, by mouse and by keyboard", async ({ product, page }) => {
  const project = await scene(product.url, "Berth");
  await page.goto(`/p/${project}/compose/Searches`);
  const berth = page.getByRole("button", { name: "Add a task to Searches" });
  await berth.click();
  await expect(wagon(page, "searches.task-4")).toBeVisible();
  await berth.focus();
  await page.keyboard.press("Enter");
  await expect(wagon(page, "searches.task-5")).toBeVisible();
});

test("the launch dialog forks with a quorum, by keyboard alone", async ({ product, page }) => {
  const project = await scene(product.url, "Launched quorum");
  await page.goto(`/p/${project}?launch=1&kind=fork&target=new:Quick`);
  const dialog = page.getByRole("dialog", { name: "Launch a turn" });
  await dialog.getByLabel("Instruction", { exact: true }).fill("First");
  for (const text of ["Second", "Third"]) {
    await dialog.getByRole("button", { name: "Add task" }).press("Enter");
    await dialog.getByLabel("Instruction", { exact: true }).fill(text);
  }
  const waits = dialog.getByLabel("Waits for");
  await waits.focus();
  await page.keyboard.type("a n");
  await expect(waits).toHaveValue("quorum");
  const k = dialog.getByLabel("Tasks, of 3");
  await k.focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("4");
  await expect(dialog.getByText("Give a whole number from 1 to 3.")).toBeVisible();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("1");
  await expect(dialog.getByText("Give a whole number from 1 to 3.")).toHaveCount(0);
  await expect(dialog.locator(".launch-gate")).toContainText("waits for 1 of 3 to deliver");
  await axe(page, "launch dialog");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/run=/);
  const { items } = await api<{ items: { batch_id: string }[] }>(product.url, "GET", `/projects/${project}/batches`);
  await page.goto(`/p/${project}/batches/${items[0]?.batch_id}`);
  await expect(board(page).filter({ hasText: "counted, 1st" })).toHaveCount(1);
});
