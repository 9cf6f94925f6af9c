// Many turns as one wagon: by keyboard alone, found while folded, named by a link, and on a phone.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test.describe.configure({ timeout: 90_000 });

const canvas = (page: Page) => page.getByRole("application", { name: /Track plan/ });
const wagon = (page: Page) => canvas(page).getByRole("group", { name: /^20 turns of Worker/ });
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

/** An orchestrator that calls a worker twenty times. */
async function manyCalls(url: string, title: string): Promise<{ project: string; run: string }> {
  const { project_id: project } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  const history = [{ role: "human", content: "begin" }];
  for (let i = 0; i < 20; i++)
    history.push(
      { role: "Orchestrator (-> Worker)", content: `Read page ${i + 1}` },
      { role: "Worker", content: `Page ${i + 1} is read` },
    );
  const { root_turn_id: run } = await api<{ root_turn_id: string }>(url, "POST", `/projects/${project}/imports`, {
    format: "who-and-when",
    data: { question: "Which page", history },
  });
  return { project, run };
}

test("calls alike are one wagon, which unfolds and folds by keyboard, with the focus kept", async ({
  product,
  page,
}) => {
  const { project, run } = await manyCalls(product.url, "Twenty calls");
  await page.goto(`${product.url}/p/${project}?run=${run}`);
  await expect(wagon(page)).toBeVisible();
  await expect(canvas(page).locator(".react-flow__node")).toHaveCount(2);
  expect(param(page, "fold")).toBeNull();

  await canvas(page).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("complementary", { name: "The folded wagon" })).toContainText("20 turns of Worker");
  await page.keyboard.press("Enter");
  // It unfolds where it stands; all of it is seen once it is asked for.
  await page.keyboard.press("0");
  await expect(canvas(page).locator(".react-flow__node")).toHaveCount(22);
  await expect(wagon(page)).toHaveCount(0);
  await expect.poll(() => param(page, "fold")).toMatch(/^-turn_.*~import:Worker$/);
  await expect(canvas(page)).toBeFocused();
  await expect(page.getByRole("complementary", { name: /^Inspector of / })).toBeVisible();

  await page.keyboard.press("z");
  await expect(wagon(page)).toBeVisible();
  await expect.poll(() => param(page, "fold")).toBeNull();
  await expect(canvas(page)).toBeFocused();
  // The turn that was selected is still so, in its wagon.
  await expect(page.getByRole("button", { name: /is in the folded Worker, unfold/ })).toBeVisible();

  await page.keyboard.press(">");
  await expect(canvas(page).locator(".react-flow__node")).toHaveCount(22);
  await expect.poll(() => param(page, "fold")).toBe("none");
  await page.keyboard.press("<");
  await expect(wagon(page)).toBeVisible();
  await expect.poll(() => param(page, "fold")).toBe("all");
});

test("all that a turn called folds into it and out again", async ({ product, page }) => {
  const { project, run } = await manyCalls(product.url, "Folded into its caller");
  await page.goto(`${product.url}/p/${project}?run=${run}`);
  await expect(wagon(page)).toBeVisible();
  await canvas(page).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Shift+Z");
  const tag = canvas(page).getByRole("button", { name: /^Unfold 20 turns that \S+ called/ });
  await expect(tag).toBeVisible();
  await expect(wagon(page)).toHaveCount(0);
  await page.keyboard.press("Shift+Z");
  await expect(wagon(page)).toBeVisible();
  await expect(tag).toHaveCount(0);
});

test("a folded wagon says how many of its turns the filter finds, and a link leads past it", async ({
  product,
  page,
}) => {
  const { project, run } = await manyCalls(product.url, "Found while folded");
  await page.goto(`${product.url}/p/${project}?run=${run}&q=%22page+1%22`);
  await expect(wagon(page)).toHaveAccessibleName(/\d+ of 20 match/);
  await expect(wagon(page)).toContainText(/\d+ of 20 match/);
  await page.getByRole("option").filter({ hasText: "2W01" }).click();
  await expect(wagon(page)).toBeVisible();
  const turn = await expect
    .poll(() => param(page, "turn"))
    .toMatch(/^turn_/)
    .then(() => param(page, "turn"));
  await page.goto(`${product.url}/p/${project}?run=${run}&turn=${turn}`);
  await expect(canvas(page).getByRole("img", { name: /2W01/ })).toBeVisible();
  await expect(wagon(page)).toHaveCount(0);
});

for (const theme of ["light", "dark"] as const)
  test(`a folded wagon has no faults of access in the ${theme} theme`, async ({ product, page }) => {
    const { project, run } = await manyCalls(product.url, `Folded and ${theme}`);
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(`${product.url}/p/${project}?run=${run}`);
    await expect(wagon(page)).toBeVisible();
    await wagon(page).click();
    await expect(page.getByRole("complementary", { name: "The folded wagon" })).toBeVisible();
    expect((await axeOf(page).analyze()).violations).toEqual([]);
  });

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("calls alike are one line, which unfolds", async ({ product, page }) => {
    const { project, run } = await manyCalls(product.url, "Twenty on a phone");
    await page.goto(`${product.url}/p/${project}?run=${run}`);
    const line = page.getByRole("button", { name: /^Unfold 20 turns of Worker/ });
    await expect(line).toBeVisible();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect((await axeOf(page).analyze()).violations).toEqual([]);
    await line.tap();
    await expect(line).toHaveCount(0);
    await expect(page.getByRole("button", { name: /Worker, success/ }).first()).toBeVisible();
  });
});
