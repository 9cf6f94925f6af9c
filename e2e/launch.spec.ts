// A person starts work by hand: sees what would be sent before it is sent, and lands on the new turn.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { serveOwn } from "./own-product";
import { api } from "./scenes";
import { type Product, stop } from "./serve";
import { expect, test } from "./verbs";

test.describe.configure({ timeout: 90_000 });

type Turn = { agent_turn_id: string; context_box_id: string; output_box_id: string; status: string };

const composer = (page: Page) => page.getByRole("dialog", { name: "Launch a turn" });
const launchButton = (page: Page) => composer(page).getByRole("button", { name: /^Launch/ });
const preview = (page: Page) => composer(page).getByRole("region", { name: "What it will see" });

async function turnOf(url: string, project_id: string, agent_turn_id: string): Promise<Turn> {
  return api<Turn>(url, "GET", `/projects/${project_id}/turns/${agent_turn_id}`);
}

async function endsWell(url: string, project_id: string, agent_turn_id: string): Promise<Turn> {
  await expect.poll(async () => (await turnOf(url, project_id, agent_turn_id)).status).toBe("success");
  return turnOf(url, project_id, agent_turn_id);
}

const runCount = async (url: string, project_id: string) =>
  (await api<{ run_count: number }>(url, "GET", `/projects/${project_id}`)).run_count;

test("L opens the composer, it shows what would be sent, and the launch leads to its turn", async ({
  page,
  product,
  project,
  openYard,
}) => {
  await openYard();
  await page.keyboard.press("l");
  await expect(launchButton(page)).toHaveAttribute("aria-disabled", "true");
  await expect(composer(page).getByText("Choose a profile or an agent.").first()).toBeVisible();
  await composer(page)
    .getByRole("button", { name: /^Profile/ })
    .click();
  await page.keyboard.type("ech");
  await expect(page.getByRole("option", { name: /^Echo/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/target=new:Echo/);
  await composer(page).getByLabel("Instruction").fill("Say hello to the yard");
  const order = preview(page).getByRole("listitem");
  await expect(order.filter({ hasText: "task.instruction" })).toContainText("Say hello to the yard");
  await preview(page).getByRole("radio", { name: "As the model sees it" }).click();
  await expect(preview(page).getByRole("region", { name: "The first request" })).toContainText("Say hello to the yard");
  await expect(preview(page)).toContainText("1 worker takes worker_generic");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/run=.*turn=/);
  await expect(composer(page)).toBeHidden();
  const turn = new URL(page.url()).searchParams.get("turn") ?? "";
  await expect(page.getByRole("option", { name: /Echo/ })).toBeVisible();
  await endsWell(product.url, project.project_id, turn);
  await page.keyboard.press("l");
  await expect(composer(page).getByLabel("Instruction")).toHaveValue("");
});

test("boxes and single cards are handed over in the order they were added", async ({
  page,
  product,
  project,
  openYard,
  launch,
}) => {
  const { project_id } = project;
  await openYard();
  const first = await launch({ profile: "Echo", instruction: "The first" });
  const one = await endsWell(product.url, project_id, first.agent_turn_id);
  const second = await launch({ profile: "Echo", instruction: "The second" });
  const two = await endsWell(product.url, project_id, second.agent_turn_id);

  await openYard(`?launch=1&target=new:Echo&boxes=${one.output_box_id},${two.output_box_id}`);
  await composer(page).getByLabel("Instruction").fill("Join them");
  const rows = composer(page).getByRole("region", { name: "Hand over" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  const order = preview(page).getByRole("listitem");
  await expect(order.filter({ hasText: "task.deliverable" }).first()).toContainText("The first");
  await rows
    .nth(1)
    .getByRole("button", { name: /^Move box/ })
    .press("ArrowUp");
  await expect(order.filter({ hasText: "task.deliverable" }).first()).toContainText("The second");
  await expect(page).toHaveURL(new RegExp(`boxes=${two.output_box_id},${one.output_box_id}`));

  await composer(page).getByRole("searchbox", { name: "Find a box or card" }).fill("first");
  await composer(page)
    .getByRole("region", { name: "Sources" })
    .getByRole("button", { name: /user The first/ })
    .first()
    .click();
  await expect(rows).toHaveCount(3);
  await rows
    .nth(1)
    .getByRole("button", { name: /^Remove box/ })
    .click();
  await expect(rows).toHaveCount(2);
  await expect(order.filter({ hasText: "The first" })).toHaveCount(1);
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/turn=/);
  const third = await turnOf(product.url, project_id, new URL(page.url()).searchParams.get("turn") ?? "");
  const cards = await api<{ type: string; content: { text?: string } }[]>(
    product.url,
    "GET",
    `/projects/${project_id}/boxes/${third.context_box_id}/cards`,
  );
  const words = cards.filter((card) => !card.type.startsWith("meta.")).map((card) => card.content.text);
  expect(words).toEqual(["Heard: The second", "The first", "Join them"]);
});

test("a refusal is shown at its field before the launch, with the remedy", async ({ page, openYard }) => {
  await openYard("?launch=1&target=new:Nobody");
  await composer(page).getByLabel("Instruction").fill("x");
  const refusal = composer(page).getByRole("alert");
  await expect(refusal).toContainText("Nobody");
  await expect(launchButton(page)).toHaveAttribute("aria-disabled", "true");
  await refusal.getByRole("button", { name: "Change target" }).click();
  await page.getByPlaceholder("Find a profile").fill("Echo");
  await expect(page.getByRole("option", { name: /^Echo/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(refusal).toBeHidden();

  await openYard("?launch=1&target=new:Echo&boxes=box_of_nobody");
  await expect(refusal).toContainText("box_of_nobody");
  await refusal.getByRole("button", { name: "Remove it" }).click();
  await expect(refusal).toBeHidden();
  await expect(launchButton(page)).not.toHaveAttribute("aria-disabled", "true");
});

test.describe("with a worker that takes one target only", () => {
  test.describe.configure({ timeout: 180_000 });
  let own: Product;
  test.beforeAll(async () => {
    own = await serveOwn({ SWITCHYARD_WORKER_TARGETS: "worker_generic" });
  });
  test.afterAll(() => stop(own));

  test("a target that nobody serves is shown before, and can be launched anyway", async ({ page }) => {
    const { project_id } = await api<{ project_id: string }>(own.url, "POST", "/projects", { title: "Nobody home" });
    await api(
      own.url,
      "POST",
      `/projects/${project_id}/profiles`,
      "name: Quiet\nworker_target: nobody_home\nllm_config: {provider: script, script: [{deliver: Done}]}\n",
      "text/yaml",
    );
    await page.goto(`${own.url}/p/${project_id}`);
    await expect(page.getByRole("status").filter({ hasText: "No worker takes turns for nobody_home" })).toBeVisible();
    await page.goto(`${own.url}/p/${project_id}?launch=1&target=new:Quiet`);
    await composer(page).getByLabel("Instruction").fill("Wait for somebody");
    await expect(composer(page)).toContainText("no worker takes nobody_home");
    await expect(preview(page)).toContainText("it waits until one is started");
    await launchButton(page).click();
    await page.waitForURL(/turn=/);
    await expect(page.getByRole("option", { name: /Quiet/ })).toBeVisible();
  });
});

test("an instruction over its limit is counted and not sent", async ({ page, openYard }) => {
  await openYard("?launch=1&target=new:Echo");
  await composer(page).getByLabel("Instruction").fill("x".repeat(1_048_577));
  await expect(composer(page)).toContainText("1.0 MB of 1.0 MB");
  await expect(composer(page).getByRole("alert")).toContainText("longer than 1 MiB");
  await expect(launchButton(page)).toHaveAttribute("aria-disabled", "true");
});

test("a double click is one launch", async ({ page, product, project, openYard }) => {
  await openYard("?launch=1&target=new:Echo");
  await composer(page).getByLabel("Instruction").fill("Only once");
  await expect(launchButton(page)).not.toHaveAttribute("aria-disabled", "true");
  await launchButton(page).dblclick();
  await page.waitForURL(/turn=/);
  expect(await runCount(product.url, project.project_id)).toBe(1);
});

test("a lost answer neither loses the text nor makes a second run", async ({
  page,
  product,
  project,
  openYard,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED|Failed to (fetch|load)/);
  await openYard("?launch=1&target=new:Echo");
  // The server takes the launch; its answer never arrives.
  await page.route(/delegation\.launch/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await composer(page).getByLabel("Instruction").fill("Hold on to this");
  await expect(launchButton(page)).not.toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Control+Enter");
  await expect(composer(page).getByRole("alert")).toContainText("Not launched");
  await expect(composer(page).getByLabel("Instruction")).toHaveValue("Hold on to this");
  await page.unroute(/delegation\.launch/);
  await composer(page).getByRole("button", { name: "Try again" }).click();
  await page.waitForURL(/turn=/);
  expect(await runCount(product.url, project.project_id)).toBe(1);
});

test("a link opens the composer as it was; text survives a reload, Back and Escape close it", async ({
  page,
  openYard,
}) => {
  await openYard();
  await page.keyboard.press("l");
  await composer(page).getByLabel("Instruction").fill("Still here");
  await page.reload();
  await expect(composer(page).getByLabel("Instruction")).toHaveValue("Still here");
  await page.goBack();
  await expect(composer(page)).toBeHidden();
  await openYard("?launch=1&target=clone:agent_of_nobody");
  await expect(composer(page).getByRole("radio", { name: "Clone" })).toBeChecked();
  await expect(composer(page).getByLabel("Instruction")).toHaveValue("Still here");
  await page.keyboard.press("Escape");
  await expect(composer(page)).toBeHidden();
  await expect.poll(() => new URL(page.url()).search).toBe("");
});

for (const theme of ["dark", "light"] as const)
  test(`axe finds no fault in the composer, ${theme}`, async ({ page, openYard }) => {
    await page.addInitScript((name) => localStorage.setItem("switchyard-theme", name), theme);
    await openYard("?launch=1&target=new:Echo&boxes=box_of_nobody");
    await composer(page).getByLabel("Instruction").fill("Look at it");
    await expect(composer(page).getByRole("alert")).toBeVisible();
    const scan = () => axeOf(page).include("[role=dialog]").analyze();
    expect((await scan()).violations).toEqual([]);
    await composer(page).getByRole("button", { name: "Remove it" }).click();
    await expect(preview(page).getByRole("listitem").first()).toBeVisible();
    expect((await scan()).violations).toEqual([]);
  });

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the launch button is under the thumb, and every control can be reached and tapped", async ({
    page,
    openYard,
  }) => {
    await openYard();
    await page.getByRole("navigation", { name: "Sections" }).getByRole("button", { name: "Launch" }).tap();
    await composer(page)
      .getByRole("button", { name: /^Profile/ })
      .tap();
    await page.getByRole("option", { name: /^Echo/ }).tap();
    await composer(page).getByLabel("Instruction").fill("From the train");
    await composer(page).getByRole("radio", { name: "What it sees" }).tap();
    await expect(preview(page).getByRole("listitem").filter({ hasText: "From the train" })).toBeVisible();
    const small = await composer(page)
      .getByRole("button")
      .or(composer(page).getByRole("radio"))
      .evaluateAll((buttons) =>
        buttons
          .map((button) => ({ name: button.textContent, box: button.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.height < 39.9 || box.width < 39.9))
          .map(({ name, box }) => `${name} ${box.width}x${box.height}`),
      );
    expect(small).toEqual([]);
    await launchButton(page).tap();
    await page.waitForURL(/turn=/);
  });
});

test("a context limit is refused in words at its field, and what was typed goes on in the composer, into the run that was chosen", async ({
  page,
  product,
  project,
  openYard,
  launch,
}) => {
  const { project_id } = project;
  await api(product.url, "POST", `/projects/${project_id}/profiles`, {
    name: "Slow",
    llm_config: { provider: "script", script: [{ deliver: "Late.", wait_ms: 600_000 }] },
  });
  await openYard();
  const slow = await launch({ profile: "Slow", instruction: "Take your time" });
  await page.keyboard.press("l");
  await composer(page)
    .getByRole("button", { name: /^Profile/ })
    .click();
  await page.getByPlaceholder("Find a profile").fill("Echo");
  await page.getByRole("option", { name: /^Echo/ }).click();
  await composer(page).getByLabel("Instruction").fill("A question that takes more than three tokens to ask");
  const limit = composer(page).getByLabel("Context at most");
  await limit.fill("3");
  await expect(
    composer(page)
      .getByText(/^Echo is given \d+ tokens; its limit is 3\. Raise the limit, or load less\.$/)
      .first(),
  ).toBeVisible();
  await expect(limit).toHaveAttribute("aria-invalid", "true");
  await expect(launchButton(page)).toHaveAttribute("aria-disabled", "true");
  await limit.fill("few");
  await expect(limit).toHaveAttribute("aria-invalid", "true");
  await expect(
    composer(page)
      .getByText(/give a whole number of tokens above 0/)
      .first(),
  ).toBeVisible();
  await limit.fill("16000");
  await expect(launchButton(page)).not.toHaveAttribute("aria-disabled", "true");

  const run = composer(page).getByLabel("Run", { exact: true });
  await expect(run.locator("option")).toContainText(["A run of its own", /^Run \d+: /]);
  await run.selectOption(slow.root_turn_id);
  await expect(page).toHaveURL(new RegExp(`into=${slow.root_turn_id}`));
  // What an earlier dry run said is dim while the next one is on its way.
  await expect(composer(page).locator("[data-stale]")).toHaveCount(0);
  const checked = await axeOf(page).include('[role="dialog"]').analyze();
  expect(checked.violations).toEqual([]);

  await composer(page).getByRole("button", { name: "Open in composer" }).click();
  await page.waitForURL(/compose\?/);
  await expect(page.getByText(/^Launches into run \d+: /)).toBeVisible();
  await page.locator(".react-flow__node", { hasText: "A question that takes" }).click();
  await expect(page.getByLabel("Context at most")).toHaveValue("16000");
  const runs = await runCount(product.url, project_id);
  await page
    .locator(".composer-foot")
    .getByRole("button", { name: /^Launch/ })
    .click();
  await page.waitForURL(new RegExp(`run=${slow.root_turn_id}`));
  expect(await runCount(product.url, project_id)).toBe(runs);
});
