// What the keyboard reaches, and what a tab is called.
import type { Page } from "@playwright/test";
import { batchEnds, five, fork, makeForkProject } from "./fork-scenes";
import { atRest } from "./heard";
import { api, launchLead, makeProject, runEnds } from "./scenes";
import { expect, test } from "./verbs";

test.describe.configure({ timeout: 90_000 });

const composer = (page: Page) => page.getByRole("dialog", { name: "Launch a turn" });
const target = (page: Page) => composer(page).getByRole("button", { name: /^Profile/ });
const profile = (name: string) => `
name: ${name}
llm_config: { provider: script, script: [{ deliver: "{instruction}" }] }
`;

test("a target is chosen by typing and Enter, even when Enter is quicker than the answer", async ({
  page,
  product,
  project,
  openYard,
}) => {
  for (const name of ["Alpha", "Beta", "Betony"])
    await api(product.url, "POST", `/projects/${project.project_id}/profiles`, profile(name), "text/yaml");
  await openYard("?launch=1");
  // Every answer is late, so that Enter is pressed while the results of an earlier query are shown.
  await page.route(/palette\.search/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await route.continue();
  });
  await target(page).press("b");
  await expect(page.getByPlaceholder("Find a profile")).toHaveValue("b");
  await page.keyboard.type("etony");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/target=new:Betony/);
  await expect(page.getByPlaceholder("Find a profile")).toBeHidden();
});

test("the arrow keys move through the targets, and open the list from its button", async ({
  page,
  product,
  project,
  openYard,
}) => {
  for (const name of ["Alpha", "Beta"])
    await api(product.url, "POST", `/projects/${project.project_id}/profiles`, profile(name), "text/yaml");
  await openYard("?launch=1");
  await target(page).press("ArrowDown");
  // The fields of the form have options of their own.
  const options = page.getByRole("listbox").getByRole("option");
  await expect(options).toHaveCount(3);
  await expect(options.nth(0)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(options.nth(1)).toHaveAttribute("aria-selected", "true");
  const second = await options.nth(1).locator("b").textContent();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`target=new:${second}`));
  await expect(composer(page).getByLabel("Instruction")).toBeFocused();
});

test("/ focuses the filter of each page that has one, and is a character in a text field", async ({
  page,
  product,
}) => {
  const id = await makeProject(product.url, "Slash", { isBrisk: true });
  const { root_turn_id } = await launchLead(product.url, id);
  await api(product.url, "PUT", `/projects/${id}/env/${root_turn_id}/task`, {
    short_description: "What is weighed",
    value: 1,
  });
  await runEnds(product.url, id);
  for (const path of ["", "/agents", "/boxes", "/cards", "/profiles", `/env?run=${root_turn_id}`]) {
    await page.goto(`/p/${id}${path}`);
    const field = page.getByRole("searchbox");
    await expect(field).toBeVisible();
    await expect(page.locator(".search-key"), path).toBeVisible();
    await expect(async () => {
      await page.keyboard.press("/");
      await expect(field).toBeFocused({ timeout: 500 });
    }).toPass();
    await field.fill("");
    await page.keyboard.type("a/b");
    await expect(field).toHaveValue("a/b");
  }
  // Chips, but no text field.
  for (const path of ["/batches", "/inbox?view=agents"]) {
    await page.goto(`/p/${id}${path}`);
    const first = page.locator("search button").first();
    await expect(first).toBeVisible();
    await expect(async () => {
      await page.keyboard.press("/");
      await expect(first).toBeFocused({ timeout: 500 });
    }).toPass();
  }
});

test("each tab title names what it shows, and follows the selection", async ({ page, product }) => {
  const id = await makeProject(product.url, "Named tabs", { isBrisk: true });
  const { root_turn_id, child } = await launchLead(product.url, id);
  const turns = await runEnds(product.url, id);
  const lead = turns.find((turn) => turn.agent_turn_id === child)?.headcode;
  const hand = turns.find((turn) => turn.headcode.includes("H"));
  const turn = await api<{ context_box_id: string; instruction_card_id: string; agent_id: string }>(
    product.url,
    "GET",
    `/projects/${id}/turns/${child}`,
  );
  await api(product.url, "PUT", `/projects/${id}/env/${root_turn_id}/task`, {
    short_description: "What is weighed",
    value: 1,
  });
  const forks = await makeForkProject(product.url, "Named forks", { isBrisk: true });
  const { batch_id } = await fork(product.url, forks, five);
  await batchEnds(product.url, forks, batch_id, "partial");
  const plate = turn.context_box_id
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(-4)
    .toUpperCase();
  const end = " · Named tabs - Switchyard";
  for (const [path, title] of [
    [`?run=${root_turn_id}&turn=${child}`, `${lead} Lead · Run 1${end}`],
    [`/turns/${child}`, `${lead} Lead · Run 1${end}`],
    [`/turns/${child}?step=1`, `${lead} Lead · Step 1 · Run 1${end}`],
    ["/boxes", `Boxes${end}`],
    ["/cards", `Cards${end}`],
    [`/cards/${turn.instruction_card_id}`, new RegExp(`^\\S+ \\S+${end}$`)],
    [`/boxes/${turn.context_box_id}`, new RegExp(`^${plate} .+${end}$`)],
    ["/agents", `Agents${end}`],
    [`/agents/${turn.agent_id}`, `Lead${end}`],
    ["/profiles", `Profiles${end}`],
    ["/profiles/Lead", `Lead · Profile${end}`],
    ["/batches", `Batches${end}`],
    [`/env?run=${root_turn_id}&key=task`, `task · Environment data · Run 1${end}`],
    ["/inbox?view=people", `What needs a person · Inbox${end}`],
    ["/inbox?view=agents", `Inbox${end}`],
  ] as const) {
    await page.goto(`/p/${id}${path}`);
    await expect(page, path).toHaveTitle(title);
  }
  await page.goto(`/p/${forks}/batches/${batch_id}`);
  await expect(page).toHaveTitle(/^B1 .+ · Run 1 · Named forks - Switchyard$/);
  await page.goto("/health");
  await expect(page).toHaveTitle("Health - Switchyard");
  await page.goto("/");
  await expect(page).toHaveTitle("Projects - Switchyard");

  await page.goto(`/p/${id}?run=${root_turn_id}`);
  await expect(page).toHaveTitle(`Run 1: Weigh the whole thing${end}`);
  await page.getByRole("option", { name: new RegExp(`^${hand?.headcode}`) }).click();
  await expect(page).toHaveTitle(`${hand?.headcode} Hand · Run 1${end}`);
  await page.keyboard.press("Escape");
  await expect(page).toHaveTitle(`Run 1: Weigh the whole thing${end}`);
});

test("searching cards shows the marked hit, not the beginning of the card", async ({ page, product }) => {
  const { project_id } = await api<{ project_id: string }>(product.url, "POST", "/projects", { title: "Hits" });
  await api(product.url, "POST", `/projects/${project_id}/profiles`, profile("Echo"), "text/yaml");
  const before = "The first paragraph is about something else entirely. ".repeat(12);
  await api(product.url, "POST", `/projects/${project_id}/pmo/delegate_async:call`, {
    args: { target_strategy: "new", target_ref: "Echo", instruction: `${before}Here stands the lighthouse.` },
  });
  await page.goto(`/p/${project_id}/cards?q=lighthouse`);
  const row = page.getByRole("link", { name: /task\.instruction/ }).first();
  await expect(row.locator("mark")).toHaveText("lighthouse");
  await expect(row).toContainText("Here stands the lighthouse.");
  await expect(row.locator("mark")).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search, or run a command").fill("lighthouse");
  const hit = page.getByRole("option", { name: /task\.instruction/ }).first();
  await expect(hit.locator("mark")).toHaveText("lighthouse");
  await hit.hover();
  await expect(page.locator(".palette mark").last()).toHaveText("lighthouse");
});

test("the selected turn is forked and run again from the inspector, by key and by name", async ({ page, product }) => {
  const id = await makeProject(product.url, "Again from the yard", { isBrisk: true });
  const { root_turn_id, child } = await launchLead(product.url, id);
  await runEnds(product.url, id);
  const at = `/p/${id}?run=${root_turn_id}&turn=${child}`;
  await page.goto(at);
  const inspector = page.getByRole("complementary", { name: /^Inspector of/ });
  await inspector.getByRole("button", { name: /^Fork at step 4/ }).click();
  const fork = page.getByRole("dialog", { name: /^Fork .* at step 4/ });
  await expect(fork.getByRole("list", { name: "Messages of the request" }).getByRole("listitem")).not.toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(fork).toBeHidden();
  await expect(inspector.getByRole("button", { name: /^Fork at step 4/ })).toBeFocused();
  await page.keyboard.press("Shift+F");
  await expect(fork).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("r");
  await expect(page.getByRole("dialog", { name: /^Run .* again/ })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search, or run a command").fill("> run again");
  await page.getByRole("option", { name: /Run again/ }).click();
  const rerun = page.getByRole("dialog", { name: /^Run .* again/ });
  await expect(rerun.getByLabel("Instruction")).toHaveValue("Weigh the whole thing");
  await expect(rerun.getByRole("button", { name: "Run it again" })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForURL((url) => url.pathname.includes("/turns/"));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Lead");

  await page.goto(`/p/${id}?run=${root_turn_id}`);
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search, or run a command").fill("> run again");
  await expect(page.getByRole("option", { name: /Run again/ })).toHaveCount(0);
});

test("what is typed right after Ctrl+K is searched for, and starts nothing on the page", async ({ page, product }) => {
  const id = await makeProject(product.url, "Typed early");
  await page.goto(`/p/${id}/profiles`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // The palette's code is not there yet: "l" alone would open the launch dialog.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("plan");
  await expect(page.getByPlaceholder("Search, or run a command")).toHaveValue("plan");
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await expect(page.getByPlaceholder("Search, or run a command")).toHaveValue("");
});

test("a page asks the server for no other page, until somebody is about to open it", async ({ page, openYard }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["next-router-prefetch"]) asked.push(new URL(request.url()).pathname);
  });
  await openYard();
  await atRest(page);
  expect(asked).toEqual([]);
  const boxes = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Boxes" });
  await boxes.hover();
  // A page is asked for in parts.
  await expect.poll(() => [...new Set(asked)]).toEqual([expect.stringMatching(/\/boxes$/)]);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Agents" }).focus();
  await expect.poll(() => asked.at(-1)).toMatch(/\/agents$/);
});
