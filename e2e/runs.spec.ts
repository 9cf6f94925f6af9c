// The list of runs as a person uses it: found, sorted, with the columns one wants, live; several stopped with a reason or run again;
// by keyboard, in both themes and on a phone.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

const profiles = [
  { name: "Quick", llm_config: { provider: "script", script: [{ deliver: "Done.", wait_ms: 10 }] } },
  { name: "Breaker", llm_config: { provider: "script", script: [{ fail: "the scales are broken" }] } },
  {
    name: "Endless",
    llm_config: { provider: "script", script: [{ think: "Hm.", wait_ms: 600_000 }, { deliver: "x" }] },
  },
];

async function makeRuns(url: string, title: string): Promise<string> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  for (const profile of profiles) await api(url, "POST", `/projects/${project_id}/profiles`, profile);
  return project_id;
}

const launch = (url: string, project_id: string, target_ref: string, instruction: string) =>
  api<{ root_turn_id: string; result: { agent_turn_id: string } }>(
    url,
    "POST",
    `/projects/${project_id}/pmo/delegate_async:call`,
    { args: { target_strategy: "new", target_ref, instruction } },
  );

async function untilStatus(url: string, project_id: string, root_turn_id: string, status: string) {
  await expect
    .poll(
      async () =>
        (
          await api<{ items: { root_turn_id: string; status: string }[] }>(url, "GET", `/projects/${project_id}/runs`)
        ).items.find((line) => line.root_turn_id === root_turn_id)?.status,
      { timeout: 30_000 },
    )
    .toBe(status);
}

const rows = (page: Page) => page.locator(".run-row");
const titles = (page: Page) => page.locator(".run-row .run-title").allInnerTexts();
const head = (page: Page, name: string) => page.getByRole("columnheader", { name, exact: true });

async function clean(page: Page) {
  const { violations } = await axeOf(page).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(" | ")}`)).toEqual([]);
}

test.describe(() => {
  test.use({ expectedErrors: [/run\.list/] });
  test("runs are listed, filtered, sorted and saved as a view; the address holds all of it", async ({
    product: { url },
    page,
  }) => {
    const project = await makeRuns(url, "Runs to look at");
    await page.goto(`${url}/p/${project}/runs`);
    await expect(page.getByRole("heading", { name: "No runs yet" })).toBeVisible();
    const one = await launch(url, project, "Quick", "Weigh the alpha");
    const two = await launch(url, project, "Breaker", "Weigh the gamma");
    const three = await launch(url, project, "Quick", "Weigh the beta");
    // They arrive in the open page, and end there.
    await expect(rows(page)).toHaveCount(3);
    for (const [run, status] of [
      [one, "success"],
      [two, "failed"],
      [three, "success"],
    ] as const)
      await untilStatus(url, project, run.root_turn_id, status);
    await expect(rows(page).filter({ hasText: "gamma" })).toContainText("Failed");
    await expect(rows(page).filter({ hasText: "gamma" })).toContainText("local");

    await expect(head(page, "Started")).toHaveAttribute("aria-sort", "descending");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(page).toHaveURL(/sort=title/);
    await expect(head(page, "Run")).toHaveAttribute("aria-sort", "ascending");
    await expect
      .poll(() => titles(page))
      .toEqual([/alpha/, /beta/, /gamma/].map((word) => expect.stringMatching(word)));
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(page).toHaveURL(/sort=-title/);
    await expect.poll(async () => (await titles(page))[0]).toMatch(/gamma/);

    await page.getByLabel("Status", { exact: true }).selectOption({ label: "Failed" });
    await expect(page).toHaveURL(/status=failed/);
    await expect(rows(page)).toHaveCount(1);

    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Cost" }).click();
    await page.keyboard.press("Escape");
    await expect(head(page, "Cost")).toHaveCount(0);
    await expect(page).toHaveURL(/cols=[^&]*status/);

    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Save this view" }).click();
    const dialog = page.getByRole("dialog", { name: "Save this view" });
    await expect(dialog).toContainText("Status failed; by title, downwards; columns");
    await dialog.getByLabel("Name").fill("Broken");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();

    await page.goto(`${url}/p/${project}/runs`);
    await expect(rows(page)).toHaveCount(3);
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: /^Broken/ }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(head(page, "Cost")).toHaveCount(0);
    await expect(head(page, "Run")).toHaveAttribute("aria-sort", "descending");

    await page.getByLabel("Status", { exact: true }).selectOption({ label: "Any status" });
    await page.getByLabel("Search in runs").fill("beta");
    await expect(rows(page)).toHaveCount(1);
    await page.getByLabel("Search in runs").fill("tokens:>5");
    await expect(page.getByRole("alert").filter({ hasText: "Column 1" })).toContainText("does not apply to runs");
    await page.getByLabel("Search in runs").fill("nothing-like-it");
    await expect(page.getByText("No matching runs")).toBeVisible();
  });
});

test("two runs are stopped with a reason and one is run again, by keys alone", async ({ product: { url }, page }) => {
  const project = await makeRuns(url, "Runs by keys");
  const ended = await launch(url, project, "Quick", "Weigh it once");
  await untilStatus(url, project, ended.root_turn_id, "success");
  const open = [
    await launch(url, project, "Endless", "Weigh on"),
    await launch(url, project, "Endless", "Weigh further"),
  ];
  await page.goto(`${url}/p/${project}`);
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page).toHaveURL(/\/runs$/);
  await expect(rows(page)).toHaveCount(3);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  const bar = page.getByRole("region", { name: "Chosen runs" });
  await expect(bar).toContainText("3 runs chosen, 2 of them not ended");
  await bar.getByRole("button", { name: /^Stop/ }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Stop: 2 runs" });
  await expect(dialog.getByLabel("Reason")).toBeFocused();
  await expect(dialog.getByRole("button", { name: "Stop 2 runs" })).toBeDisabled();
  await page.keyboard.type("The scales are out");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(bar).toBeHidden();
  await expect(rows(page).filter({ hasText: "Canceled" })).toHaveCount(2);
  await expect(rows(page).first().getByRole("link").first()).toBeFocused();
  for (const { result } of open) {
    const turn = await api<{ error: string }>(url, "GET", `/projects/${project}/turns/${result.agent_turn_id}`);
    expect(turn.error).toBe("stopped by local: The scales are out");
  }

  await rows(page).filter({ hasText: "Weigh it once" }).getByRole("link").first().focus();
  await page.keyboard.press("x");
  await bar.getByRole("button", { name: "Run again" }).press("Enter");
  const again = page.getByRole("dialog", { name: "Run again: 1 run" });
  await again.getByRole("button", { name: "Run again 1 run" }).press("Enter");
  await expect(again).toBeHidden();
  await expect(rows(page).filter({ hasText: "Weigh it once" })).toHaveCount(2);

  // What was started can be followed by keys: Alt+T leads to what is said, Tab to its link.
  const link = page.getByRole("link", { name: "Open the new run" });
  await expect(link).toBeVisible();
  await page.keyboard.press("Alt+T");
  for (let i = 0; i < 3 && !(await link.evaluate((one) => one === document.activeElement)); i++)
    await page.keyboard.press("Tab");
  await expect(link).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\?run=turn_/);
  expect(page.url()).not.toContain(ended.root_turn_id);
  // The same words and the same act in the yard.
  await page.getByRole("button", { name: /^Run \d+ / }).click();
  await page.getByRole("menuitem", { name: "Run again", exact: true }).click();
  await again.getByRole("button", { name: "Run again 1 run" }).press("Enter");
  await expect(again).toBeHidden();
  await expect(link).toBeVisible();
});

test("a fork is run again whole; what cannot be run again is listed by run, and the others are started", async ({
  product: { url },
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/400/);
  const project = await makeRuns(url, "Runs again");
  const made = await api<{ root_turn_id: string }>(url, "POST", `/projects/${project}/pmo/provision_agent:call`, {
    args: { action: "ensure", agent_id: "kept", profile_name: "Quick" },
  });
  await untilStatus(url, project, made.root_turn_id, "success");
  const tasks = [1, 2].map((n) => ({ target_strategy: "new", target_ref: "Quick", instruction: `Weigh part ${n}` }));
  const fork = await api<{ root_turn_id: string }>(url, "POST", `/projects/${project}/pmo/fork_join:call`, {
    args: { tasks },
  });
  await untilStatus(url, project, fork.root_turn_id, "success");
  await page.goto(`${url}/p/${project}/runs`);
  await page.getByRole("checkbox", { name: "Choose run 2" }).click();
  await page.getByRole("checkbox", { name: "Choose run 1" }).click({ modifiers: ["Shift"] });
  const bar = page.getByRole("region", { name: "Chosen runs" });
  await expect(bar.getByRole("button", { name: "Stop" })).toBeDisabled();
  await bar.getByRole("button", { name: "Run again" }).click();
  const dialog = page.getByRole("dialog", { name: "Run again: 2 runs" });
  await dialog.getByRole("button", { name: "Run again 2 runs" }).click();
  await expect(dialog.getByRole("alert")).toContainText("1 run of 2 not started again");
  await expect(dialog.getByRole("listitem")).toContainText("it only made an agent");
  await clean(page);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).first()).toContainText("Fork of 2");
});

for (const theme of ["dark", "light"])
  test(`no violation of WCAG A and AA with rows and chosen ones (${theme}), and on a phone`, async ({
    product: { url },
    page,
  }) => {
    const project = await makeRuns(url, `Runs ${theme}`);
    for (const [who, what] of [
      ["Quick", "Weigh the first half of the whole delivery and say in a sentence what is missing from it"],
      ["Breaker", "Weigh the second half"],
    ] as const) {
      const { root_turn_id } = await launch(url, project, who, what);
      await untilStatus(url, project, root_turn_id, who === "Quick" ? "success" : "failed");
    }
    await page.addInitScript((value) => localStorage.setItem("switchyard-theme", value), theme);
    await page.goto(`${url}/p/${project}/runs`);
    await expect(rows(page)).toHaveCount(2);
    await page.getByRole("checkbox", { name: "Choose run 1" }).click();
    await clean(page);
    const shots = process.env.E2E_SHOTS;
    if (shots) await page.screenshot({ path: `${shots}/runs-${theme}.png` });
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByLabel("Order")).toBeVisible();
    await clean(page);
    if (shots) await page.screenshot({ path: `${shots}/runs-${theme}-390.png` });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
