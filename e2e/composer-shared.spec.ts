// The composer with others and in other forms: two tabs, two people, text and list, work that was done, a phone.
import { axeOf } from "./axe";
import { canvas, couple, dragUp, inspector, projectWith, saved, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test.describe.configure({ timeout: 120_000 });

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
  await expect(page.getByText("This draft was changed in another tab or browser.").first()).toBeVisible();
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

test("copied, pasted, dragged as a copy; a plan as text becomes one; what is no plan changes nothing", async ({
  product,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { project } = await projectWith(product.url, "Clipboard");
  await page.goto(`/p/${project}/compose`);
  const yaml = `switchyard: plan/1
nodes:
  - { id: a, title: First, target: { ref: Planner }, instruction: One }
  - { id: b, title: Second, target: { ref: Reader }, instruction: Two, load: [{ from: a }] }
`;
  const put = (text: string) => page.evaluate((given) => navigator.clipboard.writeText(given), text);
  await put(yaml);
  await canvas(page).focus();
  await page.keyboard.press("Control+v");
  await expect(wagon(page, "b")).toContainText("Second");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  await expect(page.getByText("Copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("switchyard: fragment/1");
  await page.keyboard.press("Control+v");
  await expect(wagon(page, "b-2")).toContainText("Second");

  await put("nodes: [\n  a: {");
  await page.keyboard.press("Control+v");
  await expect(
    page
      .getByText(/^This is no plan|^It is no plan/)
      .or(page.locator(".react-flow__node", { hasText: "nodes:" }))
      .first(),
  ).toBeVisible();

  const at = await wagon(page, "a").boundingBox();
  if (!at) throw new Error("a is not drawn");
  await page.keyboard.press("Escape");
  await page.mouse.move(at.x + 60, at.y + 30);
  await page.mouse.down();
  await page.keyboard.down("Alt");
  await page.mouse.move(at.x + 60, at.y + 330, { steps: 8 });
  await page.mouse.up();
  await page.keyboard.up("Alt");
  await expect(page.locator(".react-flow__node", { hasText: "First" })).toHaveCount(3);
});

test("drafts are found again on the page of plans, and can be deleted", async ({ product, page }) => {
  const { project } = await projectWith(product.url, "Drafts");
  await page.goto(`/p/${project}/compose`);
  await dragUp(page, "Planner", { x: 180, y: 300 });
  await saved(page);
  await page.goto(`/p/${project}/plans`);
  await page.getByText("1 draft of yours, not published").click();
  await page.getByRole("link", { name: "Without a name" }).click();
  await expect(wagon(page, "planner")).toBeVisible();
  await page.goto(`/p/${project}/plans`);
  await page.getByText("1 draft of yours, not published").click();
  await page.getByRole("button", { name: "Delete the draft Without a name" }).click();
  await page
    .getByRole("alertdialog")
    .or(page.getByRole("dialog"))
    .getByRole("button", { name: "Delete draft" })
    .click();
  await expect(page.getByText("1 draft of yours, not published")).toBeHidden();
});

test("work that was done, and what the launch dialog holds, are drawn as plans", async ({ product, page }) => {
  const { project } = await projectWith(product.url, "Like this one");
  const { root_turn_id } = await api<{ root_turn_id: string }>(
    product.url,
    "POST",
    `/projects/${project}/pmo/delegate_async:call`,
    { args: { target_strategy: "new", target_ref: "Reader", instruction: "Read it once" } },
  );
  await page.goto(`/p/${project}?run=${root_turn_id}`);
  await page.getByRole("button", { name: /^Run 1/ }).click();
  await page.getByRole("menuitem", { name: "Change it, then run again" }).click();
  await expect(page.locator(".react-flow__node", { hasText: "Read it once" })).toContainText("Reader");
  await saved(page);

  await page.goto(`/p/${project}`);
  await page.keyboard.press("l");
  const dialog = page.getByRole("dialog", { name: "Launch a turn" });
  await dialog.getByLabel("Instruction").fill("Not ready yet");
  await dialog.getByRole("button", { name: "Open in composer" }).click();
  await page.waitForURL(/\/compose/);
  const begun = page.locator(".react-flow__node", { hasText: "Not ready yet" });
  await expect(begun).toContainText("no target");
  // Whoever hears it gets the whole sentence, and no weight of what is not packed.
  await expect(begun.getByRole("img", { name: /has no target\. Choose a profile or an agent\.$/ })).toBeVisible();
  await expect(begun.getByRole("img", { name: /tokens held/ })).toHaveCount(0);
});

test("on a phone a plan is read, edited and launched", async ({ product, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { project } = await projectWith(product.url, "Phone");
  await page.goto(`/p/${project}/compose`);
  await page.getByRole("button", { name: "Add a wagon" }).click();
  await page
    .getByRole("option", { name: /^Planner/ })
    .first()
    .click();
  await page.getByRole("textbox", { name: "Instruction" }).fill("From a phone");
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: /^From a phone, .*no problems/ }).click();
  // The bar below has a launch of its own.
  await page
    .locator(".composer-foot")
    .getByRole("button", { name: /^Launch/ })
    .click();
  await page.waitForURL(/\/p\/[^/]+\?run=/);
});

for (const scheme of ["dark", "light"] as const)
  test(`nothing is in the way of anybody, ${scheme}`, async ({ product, page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    const { project } = await projectWith(product.url, `Axe ${scheme}`);
    await page.goto(`/p/${project}/compose`);
    const check = async () => {
      const { violations } = await axeOf(page).exclude(".react-flow__attribution").analyze();
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
