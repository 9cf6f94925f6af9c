// A run leaves the product as a file and comes back: from the yard's menu and from the page of runs, by keyboard, and as a report that
// opens from disk without network.
import fs from "node:fs";
import path from "node:path";
import type { Download, Page } from "@playwright/test";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { expectSound } from "./axe";
import { expect, test } from "./fixtures";
import { api, launchLead, makeProject, runEnds } from "./scenes";

type Run = { project: string; root_turn_id: string };

async function ended(url: string, title: string): Promise<Run> {
  const project = await makeProject(url, title, { isBrisk: true });
  const { root_turn_id } = await launchLead(url, project);
  await runEnds(url, project);
  return { project, root_turn_id };
}

/** What `act` makes the browser keep, in a folder that goes with the test. */
async function kept(page: Page, act: () => Promise<void>): Promise<{ name: string; file: string; folder: string }> {
  const [download] = await Promise.all([page.waitForEvent("download") as Promise<Download>, act()]);
  const folder = makeScratch();
  const file = path.join(folder, download.suggestedFilename());
  await download.saveAs(file);
  return { name: download.suggestedFilename(), file, folder };
}

const dialog = (page: Page) => page.getByRole("dialog", { name: /^Export/ });

test("from the yard, by keyboard: a bundle that another project imports with its ids", async ({
  product: { url },
  page,
}) => {
  const { project, root_turn_id } = await ended(url, "Leaves as a bundle");
  await page.goto(`${url}/p/${project}?run=${root_turn_id}`);
  await page.getByRole("button", { name: /^Run 1/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: /^Export/ }).press("Enter");
  await expect(dialog(page)).toContainText("What looks like a secret is replaced");
  await dialog(page).getByText("As it is").click();
  await expect(dialog(page)).toContainText("the file holds every secret that the run has seen");
  const link = dialog(page).getByRole("link", { name: /^Download run 1/ });
  const { name, file, folder } = await kept(page, () => link.press("Enter"));
  expect(name).toBe(`${project}-run-1.tar.gz`);
  const other = (await api<{ project_id: string }>(url, "POST", "/projects", { title: "Takes it in" })).project_id;
  await page.goto(`${url}/p/${other}?import=1`);
  await page.getByRole("dialog").locator("input[type=file]").setInputFiles(file);
  await expect
    .poll(
      async () =>
        (await api<{ items: { root_turn_id: string }[] }>(url, "GET", `/projects/${other}/runs`)).items.map(
          (run) => run.root_turn_id,
        ),
      { timeout: 30_000 },
    )
    .toEqual([root_turn_id]);
  await page.goto(`${url}/p/${other}?run=${root_turn_id}`);
  await expect(page.getByText("3 of 3 turns").or(page.getByText("4 of 4 turns")).first()).toBeVisible();
  await removeScratch(folder);
});

test("several runs of the page Runs, one file each, and the dialog is sound in both themes and on a phone", async ({
  product: { url },
  page,
}) => {
  const { project } = await ended(url, "Leaves twice");
  await launchLead(url, project);
  await page.goto(`${url}/p/${project}/runs`);
  await expect(page.locator(".run-row")).toHaveCount(2);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page
    .getByRole("region", { name: "Chosen runs" })
    .getByRole("button", { name: /^Export/ })
    .press("Enter");
  await expect(dialog(page)).toContainText("2 runs");
  const links = dialog(page).getByRole("list", { name: "Files" }).getByRole("link");
  await expect(links).toHaveCount(2);
  for (const link of await links.all()) await expect(link).toHaveAttribute("href", /\/bundle\?redact=1$/);
  await expectSound(page, "export");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page, "export on a phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("a report opens from disk without network, with and without scripts, and is searched", async ({
  product: { url },
  page,
  browser,
}) => {
  const { project, root_turn_id } = await ended(url, "Leaves to be read");
  await page.goto(`${url}/p/${project}?run=${root_turn_id}`);
  await page.getByRole("button", { name: /^Run 1/ }).click();
  await page.getByRole("menuitem", { name: /^Export/ }).click();
  await dialog(page).getByText("Report", { exact: true }).click();
  const { file, folder } = await kept(page, () => dialog(page).getByRole("link").click());
  expect(fs.statSync(file).size).toBeGreaterThan(2_000);
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({
      javaScriptEnabled,
      offline: true,
      viewport: { width: 390, height: 844 },
    });
    const report = await context.newPage();
    const asked: string[] = [];
    const said: string[] = [];
    report.on("request", (request) => asked.push(request.url()));
    report.on("console", (message) => said.push(message.text()));
    await report.goto(`file://${file}`);
    await expect(report.getByText("Both halves are on their way.").first()).toBeAttached();
    expect(await report.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    if (javaScriptEnabled) {
      await report.getByRole("searchbox").fill("no such words in it");
      await expect(report.getByText("Both halves are on their way.").first()).toBeHidden();
    }
    expect(asked.filter((one) => !one.startsWith("file://"))).toEqual([]);
    expect(said).toEqual([]);
    await context.close();
  }
  await removeScratch(folder);
});
