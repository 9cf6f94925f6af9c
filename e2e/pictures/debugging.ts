// The pictures of docs/debugging-walk.md, taken of the demo: `npm run docs:pictures` after a build. With `-- --log FOLDER` it also
// takes those of a real log into that folder. The log is not ours to publish, so the folder must be outside the repository.
import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Locator, Page } from "@playwright/test";
import { heardBy } from "../heard";
import { api } from "../scenes";
import { selectWords } from "../select-words";
import { takeLog } from "./debugging-log";
import { openTurn } from "./open-turn";
import { expect, inStudio, type Studio } from "./studio";

const root = path.resolve(import.meta.dirname, "../..");
const log = path.join(root, "../shared/data/who-and-when/hand-crafted-1.json");
const demoMs = 300_000;
const advice = "A ring may be lost and a worker may come back from the dead";

const { values } = parseArgs({ options: { log: { type: "string" } } });
const into = values.log === undefined ? undefined : path.resolve(values.log);
if (into !== undefined && !path.relative(root, into).startsWith(".."))
  throw new Error(`--log: ${into} is inside the repository. Name a folder outside it: the log is not ours to publish`);

await inStudio({ folder: "debugging", env: { SWITCHYARD_DEMO: "1" } }, takeDemo);
if (into === undefined) console.log("No pictures of the real log: name a folder for them with --log.");
else if (!existsSync(log)) console.log(`No pictures of the real log: ${log} is not there.`);
else await inStudio({ folder: into }, (studio) => takeLog(studio, log));

async function takeDemo(studio: Studio): Promise<void> {
  const { url, page, take } = studio;
  await expect.poll(() => isOver(url), { timeout: demoMs, intervals: [2_000] }).toBe(true);
  await page.goto("/p/demo");
  await heardBy(page);
  await page.getByRole("button", { name: "Hide this line" }).click();

  await openTurn(page, "1P01");
  await take("the-turn");

  await openTurn(page, "2S02");
  await page.keyboard.press("h");
  await expect(page.getByRole("heading", { name: "Demo_Planner handed over to Demo_Searcher" })).toBeVisible();
  await page.locator(".handover-row").filter({ hasText: "task.deliverable" }).click();
  await expect(page.getByRole("region", { name: "The chosen card" })).toContainText(advice);
  await take("hand-over");
  await page.keyboard.press("]");
  await expect(page).not.toHaveURL(/card=/);
  await expect(page.getByRole("heading", { name: "What 2S03 saw" })).toBeVisible();
  await page
    .getByRole("group", { name: "Cards to show" })
    .getByRole("button", { name: /^Withheld/ })
    .click();
  await page.locator(".handover-row").filter({ hasText: advice }).first().click();
  await expect(page.getByRole("region", { name: "The chosen card" })).toContainText(advice);
  await take("withheld");

  await openTurn(page, "2E01");
  await deliverable(page).click();
  await expect(page.getByText("Sent to a model 11 times.")).toBeVisible();
  await take("who-saw-it");
  await page.getByRole("link", { name: "Show them in the yard" }).click();
  await expect(page.getByText("4 of 11 turns")).toBeVisible();
  await take("in-the-yard");

  await openTurn(page, "1P01");
  await deliverable(page).click();
  await selectWords(page.getByRole("main").getByText(advice).first(), advice);
  await page.keyboard.press("b");
  await expect(page.getByRole("list", { name: "Path of the words" })).toContainText("First said here");
  await take("where-from");

  await openTurn(page, "1P01");
  await expect(page.getByRole("region", { name: "What it answered" })).toContainText("task.deliverable");
  await page.keyboard.press("Shift+F");
  const dialog = page.getByRole("dialog", { name: "Fork 1P01 at step 8" });
  await dialog.getByRole("radio", { name: "Replace" }).first().click();
  await dialog
    .getByRole("textbox", { name: "Replacement for message 1" })
    .fill("How should a job queue on Postgres be built, if it must lose nothing and may be slow?");
  await take("a-fork");
  await dialog.getByRole("button", { name: "Fork", exact: true }).click();
  await expect(page.getByRole("link", { name: /forked from 1P01 at step 8/ })).toBeVisible();
  await expect.poll(() => isOver(url), { timeout: 60_000 }).toBe(true);
  await page.getByRole("link", { name: "Compare with…" }).click();
  await page.getByRole("list", { name: "Runs" }).getByRole("button").first().click();
  await page.getByRole("button", { name: /^They part at/ }).click();
  await expect(page.getByRole("region", { name: "The chosen turns" })).toContainText("a person changed what was sent");
  await page.getByText("What was changed").click();
  await take("where-they-part");
}

/** The link to its card, on the page of a turn. */
function deliverable(page: Page): Locator {
  return page
    .getByRole("complementary", { name: "What the turn is part of" })
    .locator("section", { hasText: "Deliverable" })
    .getByRole("link", { name: "Card" })
    .last();
}

/** All turns of the demo have ended, and there are some. */
async function isOver(url: string): Promise<boolean> {
  const { items } = await api<{ items: { ended_at?: string }[] }>(url, "GET", "/projects/demo/turns?limit=50");
  return items.length >= 11 && items.every(({ ended_at }) => ended_at !== undefined);
}
