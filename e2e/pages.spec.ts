// Every page in both themes, at desktop and phone width: no violation of WCAG A and AA, a heading, a title; and the promised
// keys.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { batchEnds, endlessTwo, five, fork, makeForkProject, queueBehind, stopFork } from "./fork-scenes";
import { atRest } from "./heard";
import { api, launchLead, makeProject, runEnds } from "./scenes";

test.describe.configure({ timeout: 90_000 });

let project = "";
let addresses: Record<string, string> = {};
let clear = async () => {};
test.afterAll(() => clear());

test.beforeAll(async ({ product }) => {
  project = await makeProject(product.url, "Pages", { isBrisk: true });
  const { root_turn_id, child } = await launchLead(product.url, project);
  await api(product.url, "PUT", `/projects/${project}/env/${root_turn_id}/task`, {
    short_description: "What is to be weighed",
    value: { whole: true },
  });
  await runEnds(product.url, project);
  const turn = await api<{ context_box_id: string; instruction_card_id: string; agent_id: string }>(
    product.url,
    "GET",
    `/projects/${project}/turns/${child}`,
  );
  const forks = await makeForkProject(product.url, "Pages of forks", { isBrisk: true });
  const { batch_id } = await fork(product.url, forks, five);
  await batchEnds(product.url, forks, batch_id, "partial");
  const open = await fork(product.url, forks, endlessTwo, { max_parallel: 1, deadline_seconds: 900 });
  await queueBehind(product.url, forks, open);
  clear = () => stopFork(product.url, forks, open);
  await api(product.url, "POST", `/projects/${project}/plans?user=ann`, {
    switchyard: "plan/1",
    name: "Look",
    inputs: [
      { name: "what", kind: "text" },
      { name: "book", kind: "box", required: false },
    ],
    nodes: [{ id: "a", target: { ref: "Lead" }, instruction: "Look at {input.what}", load: [{ input: "book" }] }],
  });
  await api(product.url, "POST", `/projects/${project}/pmo/launch_plan:call`, {
    user: "ann",
    args: { plan: "Look", inputs: { what: "smoke" }, is_stepped: true },
  });
  const empty = await api<{ project_id: string }>(product.url, "POST", "/projects", { title: "Pages of nothing" });
  const at = `/p/${project}`;
  addresses = {
    projects: "/",
    yard: at,
    "yard with a turn": `${at}?turn=${child}`,
    runs: `${at}/runs`,
    transcript: `${at}/runs/${root_turn_id}/transcript`,
    "transcript of a turn": `${at}/runs/${root_turn_id}/transcript?turn=${child}`,
    tree: `${at}?view=tree&run=${root_turn_id}`,
    "tree with a turn": `${at}?view=tree&run=${root_turn_id}&turn=${child}`,
    boxes: `${at}/boxes`,
    box: `${at}/boxes/${turn.context_box_id}`,
    cards: `${at}/cards`,
    card: `${at}/cards/${turn.instruction_card_id}`,
    agents: `${at}/agents`,
    agent: `${at}/agents/${turn.agent_id}`,
    profiles: `${at}/profiles`,
    profile: `${at}/profiles/Lead`,
    "environment data": `${at}/env?run=${root_turn_id}&key=task`,
    composer: `${at}?launch=new`,
    "composer of a fork": `${at}?launch=1&kind=fork&target=new:Lead`,
    packing: `${at}?pack=1&for=Lead`,
    "box with chosen cards": `${at}/boxes/${turn.context_box_id}`,
    "unknown box": `${at}/boxes/nowhere`,
    batches: `/p/${forks}/batches`,
    batch: `/p/${forks}/batches/${batch_id}`,
    "batch that runs": `/p/${forks}/batches/${open.batch_id}`,
    "batch with a task": `/p/${forks}/batches/${batch_id}?task=4`,
    inbox: `/p/${forks}/inbox?ended=true`,
    "requests to people": `/p/${forks}/inbox?view=people`,
    turn: `${at}/turns/${child}`,
    search: `${at}/search?q=half`,
    "search that cannot be read": `${at}/search?q=half+autor:x`,
    "nothing searched yet": `${at}/search`,
    workspaces: `${at}/packs/workspaces`,
    legend: `${at}?legend=1`,
    tour: `${at}?tour=2`,
    import: `${at}?import=1`,
    "new profile": `${at}/profiles?new=1`,
    "profile being edited": `${at}/profiles/Lead?edit=1`,
    "palette without a hit": at,
    shortcuts: `${at}/boxes`,
    plans: `${at}/plans`,
    plan: `${at}/plans/Look`,
    "plan with problems": `${at}/plans?new=1`,
    "plan being launched": `${at}/plans/Look?start=1`,
    "plan being drawn": `${at}/compose/Look`,
    "plan being drawn, as a list": `${at}/compose/Look?view=list`,
    "nothing drawn yet": `${at}/compose`,
    health: "/health",
    "first run": `/p/${empty.project_id}`,
  };
});

const names = [
  "projects",
  "yard",
  "yard with a turn",
  "runs",
  "transcript",
  "transcript of a turn",
  "tree",
  "tree with a turn",
  "boxes",
  "box",
  "cards",
  "card",
  "agents",
  "agent",
  "profiles",
  "profile",
  "environment data",
  "composer",
  "composer of a fork",
  "packing",
  "box with chosen cards",
  "unknown box",
  "batches",
  "batch",
  "batch that runs",
  "batch with a task",
  "inbox",
  "requests to people",
  "turn",
  "search",
  "search that cannot be read",
  "nothing searched yet",
  "workspaces",
  "legend",
  "tour",
  "import",
  "new profile",
  "profile being edited",
  "palette without a hit",
  "shortcuts",
  "plans",
  "plan",
  "plan with problems",
  "plan being launched",
  "plan being drawn",
  "plan being drawn, as a list",
  "nothing drawn yet",
  "health",
  "first run",
];

/** What a URL does not open. */
const then: Record<string, (page: Page) => Promise<void>> = {
  "box with chosen cards": async (page) => {
    await page.getByRole("button", { name: "Choose cards" }).click();
    await page.getByRole("option").first().click();
    await expect(page.getByRole("region", { name: "Chosen cards" })).toContainText("1 card chosen");
  },
  "palette without a hit": async (page) => {
    await page.keyboard.press("Control+k");
    await expect(page.getByPlaceholder("Search, or run a command")).toBeFocused();
    await page.keyboard.type("nothing is called this");
    await expect(page.getByText(/^No results for/)).toBeVisible();
  },
  shortcuts: (page) => page.keyboard.press("?"),
  "plan with problems": async (page) => {
    await page.getByRole("textbox", { name: "Plan", exact: true }).fill("switchyard: plan/1\nnodes:\n  - id: a\n");
    await expect(page.getByRole("list", { name: "Problems" })).toBeVisible();
  },
};

for (const name of names)
  test(name, async ({ product, page, expectedErrors }) => {
    expectedErrors.push(/ 400 |404/);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.goto(`${product.url}${addresses[name]}`);
    // A URL may open a dialog, which hides the page behind it from queries by role.
    await expect(page.getByRole("main").or(page.getByRole("dialog")).first()).toBeVisible();
    await atRest(page);
    expect(await page.title()).not.toBe("");
    await then[name]?.(page);
    const root = page.locator("html");
    await expect(root).toHaveAttribute("data-theme", "dark");
    await expectNoViolations(page);
    // A theme is colours and nothing else.
    await page.emulateMedia({ colorScheme: "light" });
    await expect(root).toHaveAttribute("data-theme", "light");
    await atRest(page);
    await expectNoViolations(page, "color-contrast");
    await page.setViewportSize({ width: 390, height: 844 });
    await atRest(page);
    await expectNoViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(root).toHaveAttribute("data-theme", "dark");
    await atRest(page);
    await expectNoViolations(page, "color-contrast");
  });

async function expectNoViolations(page: Page, rule?: string) {
  const axe = axeOf(page);
  if (rule === undefined) axe.withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]);
  else axe.withRules(rule);
  const { violations } = await axe.analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(" | ")}`)).toEqual([]);
}

test("keys: palette, help, launch, sections, and back out", async ({ product, page }) => {
  await page.goto(`${product.url}${addresses.yard}`);
  await atRest(page);
  const dialog = page.getByRole("dialog");
  // A dialog that has just opened or gone may still have the keys, and its code may be on its way.
  const opens = (key: string, name?: RegExp) =>
    expect(async () => {
      if (!(await dialog.isVisible())) await page.keyboard.press(key);
      await expect(page.getByRole("dialog", { name })).toBeVisible({ timeout: 3_000 });
    }).toPass();
  const closes = () =>
    expect(async () => {
      if (await dialog.isVisible()) await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden({ timeout: 3_000 });
    }).toPass();
  await opens("Control+k");
  await closes();
  await opens("?");
  await closes();
  await opens("l", /launch/i);
  await closes();
  await expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("b");
    await expect(page).toHaveURL(/\/boxes/, { timeout: 3_000 });
  }).toPass();
});

test("moving through the yard by keyboard selects callers and callees, in the URL too", async ({ product, page }) => {
  await page.goto(`${product.url}${addresses["yard with a turn"]}`);
  await atRest(page);
  const before = new URL(page.url()).searchParams.get("turn");
  await page.getByRole("application", { name: /Track plan/ }).focus();
  await page.keyboard.press("o");
  await expect.poll(() => new URL(page.url()).searchParams.get("turn")).not.toBe(before);
  await page.keyboard.press("i");
  await expect.poll(() => new URL(page.url()).searchParams.get("turn")).toBe(before);
});
