// The pictures of docs/composer.md, from the first wagon to a fork with recorded results: `npm run docs:pictures` after a build.
import type { Page } from "@playwright/test";
import { canvas, inspector, plate, wagon } from "../drawing";
import { heardBy } from "../heard";
import { api } from "../scenes";
import { expect, inStudio } from "./studio";

const profiles = {
  Planner: "Plans the work and writes what comes of it",
  Searcher: "Looks for sources and notes what they say",
  Reader: "Checks a text against its sources",
};

await inStudio({ folder: "composer" }, async ({ url, page, take }) => {
  const { project, box } = await seed(url);
  await page.goto(`/p/${project}/compose`);
  await heardBy(page);
  await add(page, "n", "Planner");
  await write(page, "Fix the frame", "Say which storage is compared, and by which figures.");
  await take("first-wagon");

  await add(page, "n", "Searcher");
  await write(page, "Iron-air", "What does a kWh of iron-air storage cost?");
  for (const [title, text] of [
    ["Flow batteries", "What does a kWh of flow battery cost?"],
    ["Thermal", "What does a kWh of thermal storage cost?"],
  ] as const) {
    await page.keyboard.press("t");
    await write(page, title, text);
  }
  await add(page, "n", "Planner");
  await write(page, "Write the brief", "One page from what was found.");
  await page.keyboard.press("w");
  await page.keyboard.type(plate(box));
  await expect(page.getByRole("option", { name: new RegExp(plate(box)) }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.locator(".crate")).toHaveCount(1);
  await expect(canvas(page)).toBeFocused();
  await add(page, "n", "Reader");
  await page.keyboard.press("F2");
  await page.keyboard.type("Check the tables");
  await page.keyboard.press("Escape");
  await page.keyboard.press("p");
  await page.keyboard.press("0");
  await expect(wagon(page, "reader").getByRole("img", { name: /problem/ })).toBeVisible();
  await take("a-problem");

  await page.keyboard.press("Enter");
  await page.keyboard.type("Check every figure of the brief against its source.");
  await page.keyboard.press("Escape");
  await page.keyboard.press("0");
  await expect(page.getByText("No problems", { exact: true })).toBeVisible();
  await wagon(page, "planner-2").click();
  await take("the-plan");

  await canvas(page).focus();
  await page.keyboard.press("h");
  await expect(page.getByRole("list", { name: "Order the model reads" })).toBeVisible();
  await take("hand-over");
  await page.keyboard.press("Escape");

  await canvas(page).focus();
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/[?&]run=/);
  await expect(wagon(page, "reader").getByRole("img", { name: /a person must let it start/ })).toBeVisible({
    timeout: 60_000,
  });
  await wagon(page, "reader").click();
  await take("live");
  await page.keyboard.press("p");
  await expect(wagon(page, "reader").getByRole("img", { name: /success/ })).toBeVisible({ timeout: 60_000 });

  await wagon(page, "planner-2").click();
  await inspector(page).getByText("Change it for the fork").click();
  await inspector(page).getByRole("textbox", { name: "Instruction" }).fill("Half a page from what was found.");
  await canvas(page).focus();
  await page.keyboard.press("Escape");
  await expect(inspector(page).getByText("to run")).toBeVisible();
  await take("fork");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/beside=/);
  const held = wagon(page, "reader").getByRole("img", { name: /a person must let it start/ });
  await expect(held).toBeVisible({ timeout: 60_000 });
  await wagon(page, "planner-2").click();
  await take("comparison");
});

async function seed(url: string): Promise<{ project: string; box: string }> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title: "Storage" });
  for (const [name, description] of Object.entries(profiles))
    await api(url, "POST", `/projects/${project_id}/profiles`, {
      name,
      description,
      llm_config: {
        provider: "script",
        context_window: 4_000,
        script: [{ think: "Reading what was handed over." }, { deliver: `${name} on: {instruction}` }],
      },
    });
  const text = "House style: short sentences. Every figure has its source and its year. ".repeat(6);
  const { box_id } = await api<{ box_id: string }>(url, "POST", `/projects/${project_id}/boxes`, {
    cards: [{ type: "context.pack", role: "user", content: { kind: "text", text } }],
  });
  return { project: project_id, box: box_id };
}

async function add(page: Page, keys: string, words: string): Promise<void> {
  await canvas(page).focus();
  await page.keyboard.press(keys);
  await page.keyboard.type(words);
  await expect(page.getByRole("option", { name: new RegExp(`^${words}`) }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(canvas(page)).toBeFocused();
}

async function write(page: Page, title: string, instruction: string): Promise<void> {
  await page.keyboard.press("F2");
  await page.keyboard.type(title);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.keyboard.type(instruction);
  await page.keyboard.press("Escape");
}
