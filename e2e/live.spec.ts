// Two windows show the same live picture, and after any disconnect or restart both catch up with nothing missing.

import { execFileSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { startEmbedded } from "@/server/embedded/start";
import { stopEmbedded } from "@/server/embedded/stop";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { expect, test } from "./fixtures";
import { serveOwn } from "./own-product";
import { launchLead, makeProject, runEnds } from "./scenes";
import { type Product, stop } from "./serve";

const yardTurns = (page: Page) => page.getByRole("listbox", { name: /turns in the order/ }).getByRole("option");

/** What the picture shows of each turn; running times are left out, since they change all the time. */
async function picture(page: Page): Promise<string[]> {
  const labels = await yardTurns(page).evaluateAll((options) => options.map((o) => o.getAttribute("aria-label") ?? ""));
  return labels.map((label) => label.split(",").slice(0, 3).join(",").trim());
}

// The person who launched is the root and has no bar.
const ended = (picture: string[]) => picture.length === 3 && picture.every((line) => /succe|done/i.test(line));

test("two windows show the same moving run, and the same as the database at its end", async ({ product, browser }) => {
  const project = await makeProject(product.url, "Two windows");
  const contexts = await Promise.all([browser.newContext(), browser.newContext()]);
  const pages = await Promise.all(contexts.map((context) => context.newPage()));
  await launchLead(product.url, project);
  for (const page of pages) await page.goto(`${product.url}/p/${project}`);
  for (const page of pages) await expect(yardTurns(page)).toHaveCount(3, { timeout: 20_000 });
  const turns = await runEnds(product.url, project);
  for (const page of pages) await expect.poll(async () => ended(await picture(page))).toBe(true);
  const [one, two] = await Promise.all(pages.map(picture));
  expect(one).toEqual(two);
  expect(one?.map((line) => line.split(",")[0]).toSorted()).toEqual(
    turns.flatMap((t) => (t.headcode === "0H01" ? [] : t.headcode)).toSorted(),
  );
  await Promise.all(contexts.map((context) => context.close()));
});

test("a stream that was cut continues where it was", async ({ product, page, context, expectedErrors }) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED|Failed to fetch|network/i);
  const project = await makeProject(product.url, "Cut stream");
  await launchLead(product.url, project);
  await page.goto(`${product.url}/p/${project}`);
  await expect(yardTurns(page).first()).toBeVisible();
  await context.setOffline(true);
  await runEnds(product.url, project);
  await context.setOffline(false);
  await expect.poll(async () => ended(await picture(page)), { timeout: 25_000 }).toBe(true);
});

test.describe("an instance on its own database", () => {
  test.describe.configure({ mode: "serial", timeout: 120_000 });
  let folder: string;
  let own: Product;
  test.beforeAll(async () => {
    folder = makeScratch();
    const { url } = await startEmbedded({ dataDir: folder });
    own = await serveOwn({ DATABASE_URL: url });
  });
  test.afterAll(async () => {
    await stop(own);
    await removeScratch(folder);
  });

  test("the web server is killed during a run: the page catches up by itself", async ({ page, expectedErrors }) => {
    expectedErrors.push(/ERR_|Failed to (fetch|load)|network|502|503/i);
    const project = await makeProject(own.url, "Web killed");
    await launchLead(own.url, project);
    await page.goto(`${own.url}/p/${project}`);
    await expect(yardTurns(page).first()).toBeVisible();
    process.kill(webOf(own.pid), "SIGKILL");
    await runEnds(own.url, project);
    await expect.poll(async () => ended(await picture(page)), { timeout: 40_000 }).toBe(true);
  });

  test("the database is down: 503, a banner that says so, and recovery without a restart", async ({
    page,
    expectedErrors,
  }) => {
    expectedErrors.push(/50[03]|Failed to (fetch|load)|ERR_/i);
    const project = await makeProject(own.url, "Database away");
    await page.goto(`${own.url}/p/${project}`);
    await launchLead(own.url, project);
    await expect(yardTurns(page).first()).toBeVisible({ timeout: 20_000 });
    await stopEmbedded(folder);
    await expect
      .poll(async () => (await fetch(`${own.url}/api/v1/projects/${project}`)).status, { timeout: 20_000 })
      .toBe(503);
    await expect(page.getByRole("alert").filter({ hasText: /database/i })).toBeVisible({ timeout: 30_000 });
    await startEmbedded({ dataDir: folder });
    await expect(page.getByRole("alert").filter({ hasText: /database/i })).toBeHidden({ timeout: 30_000 });
    await runEnds(own.url, project);
    await expect.poll(async () => ended(await picture(page)), { timeout: 40_000 }).toBe(true);
  });
});

function webOf(parent: number): number {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  const line = lines.find((l) => Number(l.trim().split(/\s+/)[1]) === parent && /next-server|standalone/.test(l));
  if (!line) throw new Error("the web server was not found");
  return Number(line.trim().split(/\s+/)[0]);
}
