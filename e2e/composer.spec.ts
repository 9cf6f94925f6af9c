// The composer as a person uses it: a plan is drawn by mouse and by keys, taken back step by step, kept over a reload, and launched.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test.describe.configure({ timeout: 120_000 });

const profiles = ["Planner", "Searcher", "Expert", "Reader"];

async function projectWith(url: string, title: string): Promise<{ project: string; box: string }> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  for (const name of profiles)
    await api(
      url,
      "POST",
      `/projects/${project_id}/profiles`,
      `name: ${name}\nllm_config: { provider: script, script: [{ deliver: "{instruction}" }] }\n`,
      "text/yaml",
    );
  const { box_id } = await api<{ box_id: string }>(url, "POST", `/projects/${project_id}/boxes`, {
    cards: [{ type: "context.pack", role: "user", content: { kind: "text", text: "House style: short sentences." } }],
  });
  return { project: project_id, box: box_id };
}

const plate = (box: string) => box.slice(-4).toUpperCase();
const canvas = (page: Page) => page.getByRole("application", { name: /^Plan of / });
const wagon = (page: Page, place: string) => page.locator(`.react-flow__node[data-id="${place}"]`);
const inspector = (page: Page) => page.getByRole("complementary", { name: "Inspector" });
const saved = (page: Page) => expect(page.getByText(/^saved \d/)).toBeVisible();

/** From the shelf to a point of the canvas, from its upper left corner. */
async function dragUp(page: Page, name: string, to: { x: number; y: number }): Promise<void> {
  const entry = page
    .getByRole("region", { name: "Shelf" })
    .getByRole("button", { name: new RegExp(name) })
    .first();
  const from = await entry.boundingBox();
  const ground = await canvas(page).boundingBox();
  if (!from || !ground) throw new Error(`${name} is not on the shelf`);
  await page.mouse.move(from.x + 30, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(ground.x + to.x, ground.y + to.y, { steps: 8 });
  await page.mouse.up();
}

async function couple(page: Page, from: string, to: string, keys: readonly string[] = []): Promise<void> {
  await wagon(page, from).hover();
  const handle = await page.locator(`[data-coupling="${from}"]`).boundingBox();
  const target = await wagon(page, to).boundingBox();
  if (!handle || !target) throw new Error(`${from} to ${to} cannot be drawn`);
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 10 });
  await page.mouse.up();
  for (const key of keys) await page.keyboard.up(key);
}

async function bodyOf(page: Page, url: string, project: string): Promise<Record<string, unknown>> {
  await saved(page);
  const draft = new URL(page.url()).searchParams.get("draft") ?? "";
  const { body } = await api<{ body: Record<string, unknown> }>(
    url,
    "GET",
    `/projects/${project}/plan-drafts/${draft}`,
  );
  return body;
}

test("a plan is drawn by mouse, taken back and done again, and launched; its wagons stand where they were drawn", async ({
  product,
  page,
}) => {
  const { project, box } = await projectWith(product.url, "By mouse");
  await page.goto(`/p/${project}/compose`);
  await expect(page.getByRole("heading", { name: "Draw the work, then watch it run" })).toBeVisible();

  await dragUp(page, "Planner", { x: 180, y: 300 });
  await expect(wagon(page, "planner")).toBeVisible();
  await inspector(page).getByLabel("Title").fill("Fix the frame");
  await inspector(page).getByLabel("Instruction").fill("Fix one frame for all searches.");

  await dragUp(page, "Searcher", { x: 620, y: 300 });
  await inspector(page).getByLabel("Title").fill("Iron-air");
  await inspector(page).getByLabel("Instruction").fill("Iron-air: sourced costs.");
  await couple(page, "planner", "searcher");
  await expect(page.getByText("1 card", { exact: true })).toBeVisible();

  // The wagon becomes a fork of two, and a third task is dropped into its frame.
  await wagon(page, "searcher").click();
  await page.keyboard.press("t");
  await expect(wagon(page, "searcher.task-1")).toBeVisible();
  await inspector(page).getByLabel("Title").fill("Flow batteries");
  await inspector(page).getByLabel("Instruction").fill("Flow batteries: mark every figure.");
  await page.keyboard.press("Escape");
  await page.keyboard.press("0");
  await page.waitForTimeout(500);

  // A crate for the second task.
  const frame = await wagon(page, "searcher.task-2").boundingBox();
  const ground = await canvas(page).boundingBox();
  if (!frame || !ground) throw new Error("the fork is not in view");
  await dragUp(page, plate(box), { x: frame.x - ground.x + 40, y: frame.y - ground.y + 20 });
  await expect(page.locator(".crate")).toHaveCount(1);

  // What is to follow the gate: its coupling opens the list where it is let go.
  await page.locator("[data-gate=searcher]").click();
  await page.locator("[data-coupling=searcher]").click();
  await page.getByPlaceholder("A profile, an agent, fork, ask or a plan").fill("Reader");
  await expect(page.getByRole("option", { name: /^Reader/ }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(wagon(page, "reader")).toBeVisible();
  await inspector(page).getByLabel("Instruction").fill("Check every figure.");
  await page.keyboard.press("Escape");
  await page.keyboard.press("p");
  await expect(page.getByText("hold", { exact: true })).toBeVisible();

  const drawn = await bodyOf(page, product.url, project);
  expect(drawn).toMatchObject({
    nodes: [
      { id: "planner", title: "Fix the frame" },
      {
        id: "searcher",
        kind: "fork",
        load: [{ from: "planner" }],
        tasks: [
          { id: "task-1", title: "Iron-air" },
          { id: "task-2", title: "Flow batteries", load: [{ box }] },
        ],
      },
      { id: "reader", hold: true, load: [{ from: "searcher" }] },
    ],
  });

  // Each step taken back, and done again, is exactly what was there.
  const undo = page.getByRole("button", { name: "Undo" });
  let steps = 0;
  for (; (await undo.getAttribute("aria-disabled")) === "false" && steps < 60; steps++)
    await page.keyboard.press("Control+z");
  expect(steps).toBeGreaterThan(8);
  await expect(page.getByRole("heading", { name: "Draw the work, then watch it run" })).toBeVisible();
  for (let i = 0; i < steps; i++) await page.keyboard.press("Control+Shift+z");
  await page.waitForTimeout(1_500);
  expect(await bodyOf(page, product.url, project)).toEqual(drawn);

  await page.keyboard.press("0");
  await page.waitForTimeout(500);
  const before = await wagon(page, "reader").boundingBox();
  const frameBefore = await wagon(page, "planner").boundingBox();
  await inspector(page)
    .getByRole("button", { name: /^Launch/ })
    .click();
  await page.waitForURL(/\/p\/[^/]+\?run=/);
  await page.getByRole("application", { name: /^Track plan/ }).press("0");
  await page.waitForTimeout(800);
  const after = await page.locator('.react-flow__node[data-id$=".reader"]').boundingBox();
  const frameAfter = await page.locator('.react-flow__node[data-id$=".planner"]').boundingBox();
  if (!before || !after || !frameBefore || !frameAfter) throw new Error("a wagon is not drawn");
  // The two views are zoomed alike or not: what is the same is how many wagons' widths apart they stand.
  const apart = (a: { x: number; width: number }, b: { x: number }) => Math.round((10 * (b.x - a.x)) / a.width);
  expect(apart(frameAfter, after)).toBe(apart(frameBefore, before));
});

test("the same with keys alone: add, name, load, send, hold, dry run, launch", async ({ product, page }) => {
  const { project, box } = await projectWith(product.url, "By keys");
  await page.goto(`/p/${project}/compose`);
  await canvas(page).focus();
  const add = async (keys: string, words: string) => {
    await page.keyboard.press(keys);
    await page.keyboard.type(words);
    await expect(page.getByRole("option", { name: new RegExp(`^${words}`) }).first()).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(canvas(page)).toBeFocused();
  };
  const write = async (title: string, instruction: string) => {
    await page.keyboard.press("F2");
    await page.keyboard.type(title);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await page.keyboard.type(instruction);
    await page.keyboard.press("Escape");
    await expect(canvas(page)).toBeFocused();
  };
  await add("n", "Planner");
  await write("Fix the frame", "Fix one frame.");
  await add("n", "Searcher");
  await write("Iron-air", "Iron-air costs.");
  await page.keyboard.press("t");
  await write("Flow batteries", "Flow battery costs.");
  await page.keyboard.press("t");
  await write("Thermal", "Thermal costs.");
  await page.keyboard.press("w");
  await page.keyboard.type(plate(box));
  await expect(page.getByRole("option", { name: new RegExp(plate(box)) }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.locator(".crate")).toHaveCount(1);
  // The fork as a whole is what follows waits for.
  await page.keyboard.press("g");
  await page.keyboard.press("l");
  await add("n", "Planner");
  await write("Write the brief", "Write the brief.");
  await add("n", "Reader");
  await write("Check the tables", "Check every figure.");
  await page.keyboard.press("p");
  // From the third task straight to the last wagon.
  await page.keyboard.press("Home");
  for (let i = 0; i < 3; i++) await page.keyboard.press("]");
  await page.keyboard.press("Shift+W");
  await page.keyboard.type("Check");
  await expect(page.getByRole("option", { name: /^Check the tables/ })).toBeVisible();
  await page.keyboard.press("Enter");

  expect(await bodyOf(page, product.url, project)).toMatchObject({
    nodes: [
      { title: "Fix the frame" },
      {
        kind: "fork",
        tasks: [{ title: "Iron-air" }, { title: "Flow batteries" }, { title: "Thermal", load: [{ box }] }],
      },
      { title: "Write the brief" },
      { title: "Check the tables", hold: true },
    ],
  });
  await page.keyboard.press("d");
  await expect(page.getByRole("region", { name: "Dry run" })).toContainText("by the kernel");
  await expect(page.getByText("No problems")).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/p\/[^/]+\?run=/);
});

test("a problem stands on its wagon with its remedy; F8 leads to it", async ({ product, page }) => {
  const { project } = await projectWith(product.url, "Problems");
  await page.goto(`/p/${project}/compose`);
  await dragUp(page, "Planner", { x: 180, y: 300 });
  await expect(wagon(page, "planner")).toContainText("has no instruction");
  await expect(inspector(page).getByRole("button", { name: /^Launch/ })).toHaveAttribute("aria-disabled", "true");
  await inspector(page).getByLabel("Instruction").fill("Say {input.word}");
  await expect(inspector(page)).toContainText("uses input word, which the plan does not declare");
  await canvas(page).focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("F8");
  await inspector(page).getByRole("button", { name: "Do it" }).first().click();
  await expect(page.getByText("No problems")).toBeVisible();
  // An input that is not filled in: the launch leads to it instead.
  await inspector(page)
    .getByRole("button", { name: /^Launch/ })
    .click();
  await expect(inspector(page).getByLabel("Value of word for this launch")).toBeFocused();
  await page.keyboard.type("hello");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/p\/[^/]+\?run=/);
});

test("a reload loses nothing, and the steps can still be taken back", async ({ product, page, expectedErrors }) => {
  // The page that is left may have saved without hearing so.
  expectedErrors.push(/409/);
  const { project } = await projectWith(product.url, "Reload");
  await page.goto(`/p/${project}/compose`);
  await dragUp(page, "Planner", { x: 180, y: 300 });
  await saved(page);
  await page.waitForURL(/draft=/);
  await inspector(page).getByLabel("Instruction").fill("Not sent to anybody yet");
  // Before it has been saved.
  await page.reload();
  await expect(wagon(page, "planner")).toContainText("Not sent to anybody yet");
  await saved(page);
  await canvas(page).focus();
  await page.keyboard.press("Control+z");
  await expect(wagon(page, "planner")).not.toContainText("Not sent to anybody yet");
});

test("a draft that goes on in another tab is read only here, until it is taken over with what was drawn here", async ({
  product,
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/409/);
  const { project } = await projectWith(product.url, "Two tabs");
  await page.goto(`/p/${project}/compose`);
  await dragUp(page, "Planner", { x: 180, y: 300 });
  await saved(page);
  await page.waitForURL(/draft=/);
  const other = await context.newPage();
  await other.goto(page.url());
  await wagon(other, "planner").click();
  await inspector(other).getByLabel("Instruction").fill("From the other tab");
  await saved(other);
  await inspector(page).getByLabel("Title").fill("From here");
  await expect(page.getByText("This draft goes on in another tab.").first()).toBeVisible();
  await page.getByRole("button", { name: "Edit here" }).click();
  await expect(inspector(page).getByLabel("Instruction")).toHaveValue("From the other tab");
  await expect(inspector(page).getByLabel("Title")).toHaveValue("From here");
});

test("a refused target is dim while a track is drawn, and says why", async ({ product, page }) => {
  const { project } = await projectWith(product.url, "Refused");
  await page.goto(`/p/${project}/compose`);
  await dragUp(page, "Planner", { x: 180, y: 300 });
  await inspector(page).getByLabel("Title").fill("First");
  await dragUp(page, "Reader", { x: 620, y: 300 });
  await inspector(page).getByLabel("Title").fill("Second");
  await couple(page, "planner", "reader");
  await saved(page);
  await wagon(page, "reader").hover();
  const handle = await page.locator("[data-coupling=reader]").boundingBox();
  const first = await wagon(page, "planner").boundingBox();
  if (!handle || !first) throw new Error("nothing to drag");
  await page.mouse.move(handle.x + 12, handle.y + 12);
  await page.mouse.down();
  await page.mouse.move(first.x + 60, first.y + 30, { steps: 8 });
  await expect(page.locator("[data-place=planner][data-dim]")).toContainText("ends before Second starts");
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await expect(page.locator("[data-dim]")).toHaveCount(0);
});

test("plan, list and text are one; the text says its problems at their lines, and the drawing follows it", async ({
  product,
  page,
}) => {
  const { project } = await projectWith(product.url, "Views");
  await page.goto(`/p/${project}/compose`);
  await dragUp(page, "Planner", { x: 180, y: 300 });
  await inspector(page).getByLabel("Instruction").fill("Begin");
  await page.getByRole("radio", { name: "List" }).click();
  await expect(page.getByRole("row", { name: /Begin Planner/ })).toBeVisible();
  await page.getByRole("radio", { name: "YAML" }).click();
  const text = page.getByRole("textbox", { name: "Plan as YAML" });
  await expect(text).toHaveValue(/ref: Planner/);
  const yaml = await text.inputValue();
  await text.fill(`# kept\n${yaml.replace("Begin", "Begin with care")}`);
  await text.press("End");
  await expect(inspector(page)).toBeVisible();
  await text.fill(`${await text.inputValue()}\n  - nonsense`);
  await expect(page.getByRole("list", { name: "Problems" })).toContainText("Line");
  await page.getByRole("radio", { name: "Plan" }).click();
  await expect(wagon(page, "planner")).toContainText("Begin with care");
});

test("published as a version, opened again, and merged with what somebody else published meanwhile", async ({
  product,
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/409/);
  const { project } = await projectWith(product.url, "Publish");
  await page.goto(`/p/${project}/compose`);
  await dragUp(page, "Planner", { x: 180, y: 300 });
  await inspector(page).getByLabel("Instruction").fill("Begin");
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: /^Publish/ });
  await dialog.getByLabel("Name").fill("drawn");
  await dialog.getByRole("button", { name: "Publish version 1" }).click();
  await page.waitForURL(/\/compose\/drawn/);
  await expect(page.getByText("draft on v1")).toBeVisible();
  await wagon(page, "planner").click();
  await inspector(page).getByLabel("Title").fill("Mine");
  await api(product.url, "POST", `/projects/${project}/plans/drawn/versions?user=bob`, {
    base_version: 1,
    body: { switchyard: "plan/1", nodes: [{ id: "planner", target: { ref: "Planner" }, instruction: "Theirs" }] },
  });
  await page.keyboard.press("Control+s");
  await dialog.getByRole("button", { name: "Publish version 2" }).click();
  await expect(dialog.getByRole("region", { name: "Merge" })).toContainText("Version 2 was published meanwhile");
  await dialog.getByRole("button", { name: "Take it into the drawing" }).click();
  await dialog.getByRole("button", { name: "Publish version 3" }).click();
  await expect(page.getByText("draft on v3")).toBeVisible();
  await expect(inspector(page).getByLabel("Instruction")).toHaveValue("Theirs");
  await expect(inspector(page).getByLabel("Title")).toHaveValue("Mine");
});

for (const scheme of ["dark", "light"] as const)
  test(`nothing is in the way of anybody, ${scheme}`, async ({ product, page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    const { project } = await projectWith(product.url, `Axe ${scheme}`);
    await page.goto(`/p/${project}/compose`);
    const check = async () => {
      const { violations } = await new AxeBuilder({ page }).exclude(".react-flow__attribution").analyze();
      expect(violations.map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target).join(" ")}`)).toEqual([]);
    };
    await check();
    await dragUp(page, "Planner", { x: 180, y: 300 });
    await saved(page);
    await page.waitForTimeout(3_000);
    await check();
    await page.keyboard.press("Escape");
    await page.getByRole("radio", { name: "List" }).click();
    await check();
    await page.getByRole("radio", { name: "YAML" }).click();
    await page.getByRole("textbox", { name: "Plan as YAML" }).waitFor();
    await check();
  });
