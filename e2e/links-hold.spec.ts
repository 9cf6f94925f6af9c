// A link shows tomorrow what it shows today: it names the selection together with its run, and a newer run changes nothing for
// a person who looks at an older one.
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";

test.describe.configure({ timeout: 90_000 });

const run = (page: Page) => page.getByRole("search", { name: "Filter of the yard" }).getByRole("button").first();
const inspector = (page: Page, headcode: string) =>
  page.getByRole("complementary", { name: `Inspector of ${headcode}` });
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

async function makeEndedRun(url: string, title: string) {
  const project = await makeProject(url, title, { isBrisk: true });
  const launched = await launchLead(url, project);
  await runEnds(url, project);
  return { project, ...launched };
}

/** The page has noticed it: the menu of runs says that there is a newer one. */
async function newerRun(page: Page, url: string, project: string) {
  await launchLead(url, project);
  await expect(page.getByRole("button", { name: "Run 2 is newer" })).toBeVisible();
}

test("a link that names only a turn opens the run of that turn, not the newest", async ({ page, product }) => {
  const { project, root_turn_id, child } = await makeEndedRun(product.url, "Only a turn");
  await launchLead(product.url, project);
  await page.goto(`${product.url}/p/${project}?turn=${child}`);
  await expect(inspector(page, "1L01")).toBeVisible();
  await expect(run(page)).toContainText("Run 1");
  await expect.poll(() => param(page, "run")).toBe(root_turn_id);
});

test("a link to an unknown turn says so, and offers a way on", async ({ page, product }) => {
  const { project } = await makeEndedRun(product.url, "A missing turn");
  await page.goto(`${product.url}/p/${project}?turn=turn_of-elsewhere`);
  await expect(page.getByRole("heading", { name: "Turn not found" })).toBeVisible();
  await page.getByRole("button", { name: "Show the newest run" }).click();
  await expect(run(page)).toContainText("Run 1");
});

test("a link to a run with an unknown turn says so, and shows the run", async ({ page, product }) => {
  const { project, root_turn_id } = await makeEndedRun(product.url, "A missing turn of a run");
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}&turn=turn_nope`);
  const said = page.getByRole("status").filter({ hasText: "Turn not found" });
  await expect(said).toContainText("This run has no such turn");
  await expect(run(page)).toContainText("Run 1");
  await said.getByRole("button", { name: "Show the run" }).click();
  await expect(said).toBeHidden();
  await expect.poll(() => param(page, "turn")).toBeNull();
});

test("a turn of another project is not found in this one", async ({ page, product }) => {
  const { project } = await makeEndedRun(product.url, "Here");
  const { child } = await makeEndedRun(product.url, "Elsewhere");
  await page.goto(`${product.url}/p/${project}?turn=${child}`);
  await expect(page.getByRole("heading", { name: "Turn not found" })).toBeVisible();
  await expect(page.getByRole("complementary", { name: /^Inspector of/ })).toBeHidden();
});

test("the selection in the newest run stays when a newer one begins, here and by the URL", async ({
  page,
  context,
  product,
}) => {
  const { project, root_turn_id } = await makeEndedRun(product.url, "Selected");
  await page.goto(`${product.url}/p/${project}`);
  await page.getByRole("option", { name: /^2H01/ }).click();
  await expect(inspector(page, "2H01")).toBeVisible();
  await expect.poll(() => param(page, "run")).toBe(root_turn_id);
  await newerRun(page, product.url, project);
  await expect(inspector(page, "2H01")).toBeVisible();
  await expect(run(page)).toContainText("Run 1");
  await expect(page.getByRole("listbox").getByRole("option")).toHaveCount(3);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(inspector(other, "2H01")).toBeVisible();
  await expect(run(other)).toContainText("Run 1");
  await other.close();
  await page.reload();
  await expect(inspector(page, "2H01")).toBeVisible();
});

test("a filter belongs to the run it was typed in", async ({ page, context, product }) => {
  const { project, root_turn_id } = await makeEndedRun(product.url, "Filtered run");
  await page.goto(`${product.url}/p/${project}`);
  await page.getByRole("searchbox", { name: /Find turns/ }).fill("second half");
  await expect(page.getByText("1 of 4 turns")).toBeVisible();
  await expect.poll(() => param(page, "run")).toBe(root_turn_id);
  await newerRun(page, product.url, project);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(run(other)).toContainText("Run 1");
  await expect(other.getByText("1 of 4 turns")).toBeVisible();
});

test("without any choice the newest run is shown, and a newer one is only offered", async ({ page, product }) => {
  const { project } = await makeEndedRun(product.url, "Unchosen");
  await page.goto(`${product.url}/p/${project}`);
  await expect(run(page)).toContainText("Run 1");
  await newerRun(page, product.url, project);
  await expect(run(page)).toContainText("Run 1");
  expect(param(page, "run")).toBeNull();
  await page.getByRole("button", { name: "Run 2 is newer" }).click();
  await expect(run(page)).toContainText("Run 2");
});

test("shared values that somebody is looking at stay when a newer run stores its first", async ({ page, product }) => {
  const { project, root_turn_id } = await makeEndedRun(product.url, "Values");
  const put = (of: string, key: string) =>
    api(product.url, "PUT", `/projects/${project}/env/${of}/${key}`, { short_description: key, value: key });
  await put(root_turn_id, "first");
  await page.goto(`${product.url}/p/${project}/env`);
  await expect(page.getByRole("button", { name: /^first/ })).toBeVisible();
  await expect.poll(() => param(page, "run")).toBe(root_turn_id);
  const newer = await launchLead(product.url, project);
  await put(newer.root_turn_id, "second");
  // A key of the shown run still arrives live, so the page has also heard of what was stored before it.
  await put(root_turn_id, "third");
  await expect(page.getByRole("button", { name: /^third/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /^second/ })).toBeHidden();
});
