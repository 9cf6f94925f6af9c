// Two runs compared as a person does it: from a turn by keys alone, to where they part, one pair in full, both themes and a phone.
import type { Page } from "@playwright/test";
import { expectSound } from "./axe";
import { expect, test } from "./fixtures";
import { makeCompareProject, runLead } from "./run-scenes";
import { api } from "./scenes";

const answers = { "iron-air": "41 $/kWh", "flow batteries": "120 $/kWh", "compressed air": "62 $/kWh" };
const rows = (page: Page) => page.locator(".compare-row");
const pane = (page: Page) => page.getByRole("region", { name: "The chosen turns" });

async function twoRuns(url: string, title: string) {
  const project_id = await makeCompareProject(url, title);
  const a = await runLead(url, project_id, answers);
  const b = await runLead(url, project_id, { ...answers, "flow batteries": "95 $/kWh" });
  return { project_id, a, b };
}

test("from a turn to where its run parts from another, by keys alone", async ({ product: { url }, page }) => {
  const { project_id, a, b } = await twoRuns(url, "Compared by keys");
  const { items } = await api<{ items: { agent_turn_id: string; headcode: string }[] }>(
    url,
    "GET",
    `/projects/${project_id}/turns?root_turn_id=${b}&limit=100`,
  );
  const lead = items.find(({ headcode }) => headcode === "1L01");
  await page.goto(`${url}/p/${project_id}/turns/${lead?.agent_turn_id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Lead");
  await page.keyboard.press("d");
  await expect(page.getByRole("heading", { level: 1, name: "Compare two runs" })).toBeVisible();
  await expect(page.getByRole("searchbox", { name: "Find a run" })).toBeFocused();
  await expect(page.getByRole("list", { name: "Runs" }).getByRole("button")).toHaveCount(1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`a=${a}`));
  await expect(page.getByRole("heading", { level: 1, name: "Run 1 compared with run 2" })).toBeAttached();
  await expect(rows(page)).toHaveCount(5);

  // The first row is walked to and opened; the address names it.
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/pair=/);
  await expect(pane(page)).toContainText("Changed: fork_join answered differently");
  await page.keyboard.press("Escape");
  await expect(pane(page)).toBeHidden();

  await page.keyboard.press("p");
  await expect(pane(page)).toContainText("Changed: look_up answered differently, at step 2.");
  await expect(page.getByRole("combobox", { name: "Step" })).toHaveValue("3");
  await expect(pane(page)).toContainText("120 $/kWh");
  await expect(pane(page)).toContainText("95 $/kWh");
  await page.getByRole("tab", { name: "Requests" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(pane(page).getByRole("list", { name: "What they delivered" })).toContainText("Found 95 $/kWh");
  // A link opens it as it was.
  await page.reload();
  await expect(pane(page).getByRole("list", { name: "What they delivered" })).toContainText("Found 95 $/kWh");

  const filter = page.getByRole("group", { name: "Turns to show" });
  await filter.getByRole("button", { name: /^Changed 2/ }).press("Enter");
  await expect(rows(page)).toHaveCount(2);
  await page.keyboard.press("x");
  await expect(page).toHaveURL(new RegExp(`a=${b}`));
  await expect(
    page.getByRole("button", { name: /They part at 2S02, step 2: look_up answered differently/ }),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(new RegExp(`/p/${project_id}\\?run=${a}`));
});

test("a repetition is offered first, another run is found by search, and a run that is not there says so", async ({
  product: { url },
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ 404 /);
  const { project_id, a, b } = await twoRuns(url, "Compared by search");
  const { items } = await api<{ items: { agent_turn_id: string; headcode: string }[] }>(
    url,
    "GET",
    `/projects/${project_id}/turns?root_turn_id=${a}&limit=100`,
  );
  const leaf = items.find(({ headcode }) => headcode === "2S02")?.agent_turn_id ?? "";
  const again = await api<{ root_turn_id: string }>(url, "POST", `/projects/${project_id}/turns/${leaf}:rerun`, {});
  await page.goto(`${url}/p/${project_id}/turns/${leaf}`);
  await page.getByRole("link", { name: "Compare with…" }).click();
  const list = page.getByRole("list", { name: "Runs" });
  await expect(list.getByRole("button").first()).toContainText("Repetition of it: 1S01");
  await list.getByRole("button").first().click();
  await expect(page).toHaveURL(new RegExp(`a=${again.root_turn_id}`));
  await expect(page.getByRole("group", { name: "Turns to show" })).toContainText(/Only in run 1/);
  await page.getByRole("button", { name: "Choose another run than Run 3" }).click();
  await page.getByRole("searchbox", { name: "Find a run" }).fill("2");
  await page
    .getByRole("list", { name: "Runs" })
    .getByRole("button", { name: /^Run 2/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`a=${b}`));
  await page.goto(`${url}/p/${project_id}/compare?a=nothing&b=${b}`);
  await expect(page.getByText("run nothing not found")).toBeVisible();
});

test("axe finds nothing in either theme, and nothing is wider than a phone", async ({ product: { url }, page }) => {
  const { project_id, a, b } = await twoRuns(url, "Compared in both themes");
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.goto(`${url}/p/${project_id}/compare?b=${b}`);
  await expect(page.getByRole("list", { name: "Runs" }).getByRole("button")).toHaveCount(1);
  await expectSound(page, "choice of a run");
  await page.goto(`${url}/p/${project_id}/compare?a=${a}&b=${b}`);
  await expect(rows(page)).toHaveCount(5);
  await expectSound(page, "two runs");
  await page.keyboard.press("p");
  await expect(pane(page)).toContainText("95 $/kWh");
  await expectSound(page, "a pair");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page, "a pair on a phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("an address without ids leads to the choice of two runs, and one with odd numbers to the runs", async ({
  product: { url },
  page,
}) => {
  const { project_id, a, b } = await twoRuns(url, "Compared by odd addresses");
  await page.goto(`${url}/p/${project_id}/compare?a=&b=&like=`);
  await expect(page.getByRole("heading", { level: 1, name: "Compare two runs" })).toBeVisible();
  await page.getByRole("list", { name: "Runs" }).getByRole("button").first().click();
  await expect(page).toHaveURL(/[?&]b=turn_/);
  await page.goto(`${url}/p/${project_id}/compare?a=${a}&b=${b}&from=-1&verdict=__proto__&pair=x&step=1e99&tab=`);
  await expect(rows(page)).toHaveCount(5);
  const turns = await api<{ items: { context_box_id: string }[] }>(url, "GET", `/projects/${project_id}/turns?limit=2`);
  const [one, other] = turns.items.map(({ context_box_id }) => context_box_id);
  const far = "9".repeat(30);
  await page.goto(`${url}/p/${project_id}/boxes/${one}?tab=diff&with=${other}&from=${far}`);
  await expect(page.getByRole("group", { name: "Cards to show" })).toBeVisible();
  // Past the last row: it says so, and leads back.
  await expect(page.getByRole("heading", { name: "No card 10,000,001" })).toBeVisible();
  await page.getByRole("button", { name: "Show the last page" }).click();
  await expect(page.locator(".diff-row").first()).toBeVisible();
  await page.goto(`${url}/p/${project_id}/compare?a=${a}&b=${b}&from=500`);
  await expect(page.getByText("The address asks for turn 501, and there are 5 turns.")).toBeVisible();
  await page.getByRole("button", { name: "Show the last page" }).click();
  await expect(rows(page)).toHaveCount(5);
});
