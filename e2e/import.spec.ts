// Runs of other systems are imported from files: dropped or chosen, counted, linked; a bad file is reported with the place.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { api } from "./scenes";
import { expect, test } from "./verbs";

test.describe.configure({ timeout: 60_000 });

const log = {
  name: "kitchen.json",
  text: JSON.stringify({
    question: "What is for dinner?",
    ground_truth: "Soup",
    mistake_agent: "Cook",
    mistake_step: "2",
    mistake_reason: "It forgot the salt.",
    history: [
      { role: "human", content: "What is for dinner?" },
      { role: "Orchestrator (-> Cook)", content: "Look what is there" },
      { role: "Cook", content: "Leeks and potatoes" },
      { role: "Orchestrator (termination condition)", content: "Soup" },
    ],
  }),
};

const panel = (page: Page) => page.getByRole("dialog", { name: "Import runs" });

/** As the browser does it: enter, over, drop, with files that exist in its memory only. */
type Dropped = { name: string; text?: string; bytes?: number };

/** A page that React has not hydrated yet ignores dropped files: they are dropped again until the panel shows. */
async function dropFiles(page: Page, files: Dropped[]): Promise<void> {
  await expect(async () => {
    await drop(page, files);
    await expect(panel(page)).toBeVisible({ timeout: 3_000 });
  }).toPass();
}

async function drop(page: Page, files: Dropped[]): Promise<void> {
  await page.evaluate((given) => {
    const data = new DataTransfer();
    for (const { name, text, bytes } of given)
      data.items.add(new File([bytes === undefined ? (text ?? "") : new ArrayBuffer(bytes)], name));
    const fire = (type: string) =>
      window.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    fire("dragenter");
    fire("dragover");
    fire("drop");
  }, files);
}

test("a file dropped on the yard is imported, counted and linked to its run", async ({ page, openYard }) => {
  await openYard();
  await expect(page.getByRole("heading", { name: "The yard is empty" })).toBeVisible();
  await dropFiles(page, [log]);
  const row = panel(page).getByRole("listitem").filter({ hasText: "kitchen.json" });
  await expect(row).toContainText(/\d+ turns, \d+ cards, \d+ edges/);
  await row.getByRole("link", { name: "Open the run" }).click();
  await expect(panel(page)).toBeHidden();
  await expect(page.getByRole("option", { name: /Cook/ })).toBeVisible();
  await expect(page.getByText("It forgot the salt.")).toBeVisible();
});

test("the same file twice is one run, and several files go one after another", async ({
  product,
  project,
  openYard,
  importFile,
}) => {
  await openYard();
  const dialog = await importFile(
    log,
    { ...log, name: "again.json" },
    { name: "other.json", text: log.text.replace("Soup", "Stew") },
  );
  const rows = dialog.getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("Already imported");
  await expect(rows.nth(2).getByRole("link", { name: "Open the run" })).toBeVisible();
  const { run_count } = await api<{ run_count: number }>(product.url, "GET", `/projects/${project.project_id}`);
  expect(run_count).toBe(2);
});

test("a malformed file is reported with the place, leaves nothing behind, and does not stop the others", async ({
  product,
  project,
  openYard,
  importFile,
  expectedErrors,
}) => {
  expectedErrors.push(/400|422/);
  await openYard();
  const dialog = await importFile(
    { name: "broken.json", text: '{"history": [\n  {"role": "human", "content": }\n]}' },
    { name: "shape.json", text: '{"question": "?", "history": [{"role": 7, "content": "x"}]}' },
    log,
  );
  const rows = dialog.getByRole("listitem");
  await expect(rows.nth(0)).toContainText("line 2");
  await expect(rows.nth(1)).toContainText("history.0");
  await expect(rows.nth(2)).toContainText(/\d+ turns/);
  await expect(rows.nth(0).getByRole("button", { name: "Again" })).toBeVisible();
  const { run_count } = await api<{ run_count: number }>(product.url, "GET", `/projects/${project.project_id}`);
  expect(run_count).toBe(1);
});

test("a file over the limit is refused before it is sent", async ({ page, openYard }) => {
  await openYard();
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().includes("/imports")) sent += 1;
  });
  await dropFiles(page, [{ name: "huge.json", bytes: 67_108_865 }, { name: "empty.json" }]);
  const rows = panel(page).getByRole("listitem");
  await expect(rows.nth(0)).toContainText("at most 64 MiB");
  await expect(rows.nth(1)).toContainText("empty");
  expect(sent).toBe(0);
});

test("on the projects page the import asks for a project, and creates one", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Projects", exact: true })).toBeVisible();
  await dropFiles(page, [log]);
  await expect(panel(page).getByText("Not imported yet").first()).toBeVisible();
  await panel(page).getByRole("button", { name: "Import", exact: true }).click();
  await expect(panel(page).getByRole("link", { name: "Open the run" })).toBeVisible();
  await panel(page).getByRole("link", { name: "Open the run" }).click();
  await page.waitForURL(/\/p\/imported-runs.*run=/);
  await expect(page.getByRole("option", { name: /Cook/ })).toBeVisible();
});

for (const theme of ["dark", "light"] as const)
  test(`axe finds no fault in the import panel, ${theme}`, async ({ page, openYard, importFile, expectedErrors }) => {
    expectedErrors.push(/400/);
    await page.addInitScript((name) => localStorage.setItem("switchyard-theme", name), theme);
    await openYard();
    const dialog = await importFile({ name: "broken.json", text: "{" }, log);
    await expect(dialog.getByRole("link", { name: "Open the run" })).toBeVisible();
    expect((await axeOf(page).include("[role=dialog]").analyze()).violations).toEqual([]);
  });
