// Nothing that was drawn is lost: not when two browsers go on with one draft, when one of them publishes it, when an answer is lost, or
// when what the browser kept cannot be read.
import type { Browser, Page } from "@playwright/test";
import { Client } from "pg";
import { canvas, inspector, projectWith, saved, step, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { heardBy } from "./heard";
import { api } from "./scenes";

test.describe.configure({ timeout: 120_000 });

const NAME = "Kept";

async function published(url: string, title: string, more: object = {}): Promise<{ project: string; address: string }> {
  const { project } = await projectWith(url, title);
  const nodes = [step("one"), step("two", { load: [{ from: "one" }] })];
  await api(url, "POST", `/projects/${project}/plans?user=local`, { switchyard: "plan/1", name: NAME, nodes, ...more });
  return { project, address: `/p/${project}/compose/${NAME}` };
}

/** Another browser of the same person. */
async function elsewhere(browser: Browser, url: string, address: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: url })).newPage();
  await page.goto(address);
  await heardBy(page);
  // A key that is pressed before the drawing is there is nobody's.
  await expect(wagon(page, "one")).toBeVisible();
  return page;
}

async function write(page: Page, place: string, text: string): Promise<void> {
  await wagon(page, place).click();
  await inspector(page).getByLabel("Instruction").fill(text);
}

const instruction = (page: Page) => inspector(page).getByLabel("Instruction");
const changed = (page: Page) => page.getByText("This draft was changed in another tab or browser.").first();

async function drafts(url: string, project: string): Promise<{ body: { nodes: { instruction: string }[] } }[]> {
  const { items } = await api<{ items: { draft_id: string }[] }>(
    url,
    "GET",
    `/projects/${project}/plan-drafts?user=local`,
  );
  return Promise.all(
    items.map(({ draft_id }) => api<never>(url, "GET", `/projects/${project}/plan-drafts/${draft_id}?user=local`)),
  );
}

test("saves that wait for a slow one go one after the other, and none is refused", async ({
  product: { url },
  page,
}) => {
  const { project, address } = await published(url, "Slow saves");
  await page.goto(address);
  await write(page, "one", "Drawn first");
  await saved(page);
  await page.route(/plan\.save_draft/, async (route) => {
    await new Promise((done) => setTimeout(done, 3_000));
    await route.continue();
  });
  // Each rests long enough to ask for a save of its own while the first is on its way.
  for (const text of ["second", "third", "fourth"]) {
    await write(page, "one", `Drawn ${text}`);
    await page.waitForTimeout(800);
  }
  await write(page, "two", "Drawn last");
  await expect(async () => {
    const [draft] = await drafts(url, project);
    expect(draft?.body.nodes.map((node) => node.instruction)).toEqual(["Drawn fourth", "Drawn last"]);
  }).toPass({ timeout: 60_000 });
  await saved(page);
  await expect(changed(page)).toHaveCount(0);
});

test("a draft that went on elsewhere stays when an older page publishes", async ({
  product: { url },
  page,
  browser,
  expectedErrors,
}) => {
  expectedErrors.push(/409/);
  const { project, address } = await published(url, "Stale page publishes");
  await page.goto(address);
  await write(page, "one", "From the first browser");
  await saved(page);
  const other = await elsewhere(browser, url, address);
  await write(other, "two", "The work of an hour");
  await saved(other);
  await page.keyboard.press("Control+s");
  await page.getByRole("button", { name: "Publish version 2" }).click();
  await expect(page.getByText("Published, but the draft stays").first()).toBeVisible();
  expect((await drafts(url, project)).map(({ body }) => body.nodes[1]?.instruction)).toEqual(["The work of an hour"]);
});

test("a draft that was published elsewhere goes on as a draft of its own", async ({
  product: { url },
  page,
  browser,
  expectedErrors,
}) => {
  expectedErrors.push(/404/);
  const { address } = await published(url, "Published under it");
  await page.goto(address);
  await write(page, "one", "First");
  await saved(page);
  const other = await elsewhere(browser, url, address);
  await other.keyboard.press("Control+s");
  await other.getByRole("button", { name: "Publish version 2" }).click();
  await expect(other.getByText("Kept has version 2").first()).toBeVisible();
  await write(page, "two", "After it was published");
  await saved(page);
  await page.reload();
  await wagon(page, "two").click();
  await expect(instruction(page)).toHaveValue("After it was published");
});

test("what was drawn offline is put on what was drawn elsewhere, and only that", async ({
  product: { url },
  page,
  browser,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/409|ERR_INTERNET_DISCONNECTED|Failed to (fetch|load)/);
  const { project, address } = await published(url, "Offline");
  await page.goto(address);
  await write(page, "one", "Before");
  await saved(page);
  // The steps of before are kept across a reload, and are no part of what is put on top later.
  await page.reload();
  await context.setOffline(true);
  await write(page, "two", "Offline for an hour");
  await expect(page.getByText(/^kept in this browser/)).toBeVisible();
  const other = await elsewhere(browser, url, address);
  await write(other, "one", "Rewritten elsewhere");
  await saved(other);
  await context.setOffline(false);
  await page.reload();
  await expect(changed(page)).toBeVisible();
  await wagon(page, "two").click();
  await expect(instruction(page)).toHaveValue("Offline for an hour");
  // A version is the version, whatever was drawn since.
  await page.goto(`${address}?v=1&sel=two`);
  await expect(instruction(page)).toHaveValue("two");
  await page.goto(address);
  // Loaded again it is still not taken for what the server has.
  await page.reload();
  await expect(changed(page)).toBeVisible();
  await page.getByRole("button", { name: "Edit here" }).click();
  await saved(page);
  expect((await drafts(url, project))[0]?.body.nodes.map((node) => node.instruction)).toEqual([
    "Rewritten elsewhere",
    "Offline for an hour",
  ]);
});

test("a first save whose answer is lost makes one draft", async ({ product: { url }, page, expectedErrors }) => {
  expectedErrors.push(/409|Failed to (fetch|load)|net::/);
  const { project } = await projectWith(url, "Lost answers");
  const loseAnswers = async (path: RegExp) =>
    page.route(path, async (route) => {
      await route.fetch();
      await route.abort();
    });
  await loseAnswers(/plan\.create_draft/);
  await page.goto(`/p/${project}/compose`);
  await canvas(page).focus();
  await page.keyboard.press("n");
  await page.keyboard.type("Planner");
  await expect(page.getByRole("option", { name: /^Planner/ }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^kept in this browser/)).toBeVisible();
  await page.unroute(/plan\.create_draft/);
  await page.reload();
  await expect(wagon(page, "planner")).toBeVisible();
  await saved(page);
  expect(await drafts(url, project)).toHaveLength(1);
});

test("what cannot be read is said and set aside, and does not stop the drawing", async ({
  product: { url, database_url },
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/409/);
  const { project, address } = await published(url, "Broken", {
    inputs: [{ name: "constructor", kind: "text", required: false }],
  });
  await page.goto(address);
  for (const garbage of [
    "garbage",
    5,
    {},
    { plan: { switchyard: "plan/2", nodes: [{ kind: "teleport" }] }, draft: null },
  ]) {
    await page.evaluate(
      ([key, value]) =>
        new Promise((done, failed) => {
          const open = indexedDB.open("switchyard-composer");
          open.onupgradeneeded = () => open.result.createObjectStore("drawings");
          open.onerror = failed;
          open.onsuccess = () => {
            const put = open.result
              .transaction("drawings", "readwrite")
              .objectStore("drawings")
              .put(value, key as string);
            put.onsuccess = () => {
              open.result.close();
              done(0);
            };
          };
        }),
      [`${project} ${NAME}`, garbage],
    );
    await page.reload();
    await expect(wagon(page, "one")).toBeVisible();
  }
  await write(page, "one", "Drawn all the same");
  await saved(page);
  const client = new Client({ connectionString: database_url });
  await client.connect();
  await client.query(`UPDATE resource.plan_drafts SET body = '{"nodes":"no"}' WHERE project_id = $1`, [project]);
  await client.end();
  await page.evaluate(() => indexedDB.deleteDatabase("switchyard-composer"));
  await page.reload();
  await expect(page.getByRole("heading", { name: "This draft cannot be read" })).toBeVisible();
  await page.getByRole("button", { name: "Delete the draft" }).click();
  await page.getByRole("button", { name: "Delete draft" }).click();
  await expect(wagon(page, "one")).toBeVisible();
  // A name that every object has is a name like others.
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/run=/);
});
