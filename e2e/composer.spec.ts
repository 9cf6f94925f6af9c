// The composer as a person uses it: a plan is drawn by mouse and by keys, taken back step by step, kept over a reload, and launched.
import { bodyOf, canvas, couple, dragUp, inspector, plate, projectWith, saved, wagon } from "./drawing";
import { expect, test } from "./fixtures";

test.describe.configure({ timeout: 120_000 });

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
  // The same elements go live where they were drawn.
  const places = ["planner", "searcher.task-1", "searcher.task-2", "reader"];
  const before = await Promise.all(places.map((place) => wagon(page, place).boundingBox()));
  const elements = await Promise.all(places.map((place) => wagon(page, place).elementHandle()));
  await inspector(page)
    .getByRole("button", { name: /^Launch/ })
    .click();
  await page.waitForURL(/[?&]run=/);
  await expect(wagon(page, "planner").getByRole("img", { name: /^Fix the frame, success/ })).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByText(/3 done/)).toBeVisible({ timeout: 30_000 });
  await expect(wagon(page, "reader").getByRole("img", { name: /a person must let it start/ })).toBeVisible();
  expect(await Promise.all(places.map((place) => wagon(page, place).boundingBox()))).toEqual(before);
  for (const [i, place] of places.entries())
    expect(await wagon(page, place).evaluate((now, was) => now === was, elements[i]), place).toBe(true);
  await wagon(page, "planner").click();
  await expect(inspector(page)).toContainText("As drawn, as it ran");
  await expect(inspector(page).getByRole("link", { name: "Open the turn" })).toBeVisible();
  // What is packed is fixed, and the drawing is as it was.
  await canvas(page).press("x");
  await expect(page.getByText("Fix the frame is packed.", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Back to the drawing" }).click();
  await expect(inspector(page).getByRole("button", { name: /^Launch/ })).toBeVisible();
  expect(await bodyOf(page, product.url, project)).toEqual(drawn);
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
  await page.keyboard.press("t");
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
  await expect(page.getByRole("region", { name: "Dry run" })).toContainText(/Checked \d/);
  await expect(page.getByText("No problems", { exact: true })).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/[?&]run=/);
});

test("a problem stands on its wagon with its remedy; F8 leads to it", async ({ product, page }) => {
  const { project } = await projectWith(product.url, "Problems");
  await page.goto(`/p/${project}/compose`);
  await dragUp(page, "Planner", { x: 180, y: 300 });
  await expect(wagon(page, "planner")).toContainText("no instruction");
  await expect(inspector(page).getByRole("button", { name: /^Launch/ })).toHaveAttribute("aria-disabled", "true");
  await inspector(page).getByLabel("Instruction").fill("Say {input.word}");
  await expect(inspector(page)).toContainText("uses input word, which the plan does not declare");
  await canvas(page).focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("F8");
  // The field itself: one types on where the problem is.
  await expect(inspector(page).getByLabel("Instruction")).toBeFocused();
  await inspector(page).getByRole("button", { name: "Do it" }).first().click();
  await expect(page.getByText("No problems", { exact: true })).toBeVisible();
  // An input that is not filled in: the launch leads to it instead.
  await inspector(page)
    .getByRole("button", { name: /^Launch/ })
    .click();
  await expect(inspector(page).getByLabel("Value of word for this launch")).toBeFocused();
  await page.keyboard.type("hello");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/[?&]run=/);
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
