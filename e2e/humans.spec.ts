// People in the loop: an agent asks, or needs approval for a call; a person decides in the inbox or at the turn.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test.describe.configure({ timeout: 90_000 });

const profiles = [
  `
name: Asker
allowed_tools: [ask_human]
llm_config:
  provider: script
  script:
    - { call: ask_human, arguments: { question: "Which half first?", choices: ["The left one", "The right one"], details: "Both weigh **the same**." } }
    - { deliver: "Began with: {result.1.answer}" }
`,
  `
name: Careful
allowed_tools: [delegate_async]
requires_approval: [delegate_async]
delegation_policy: { target_tags: [], target_profiles: [Doer] }
llm_config:
  provider: script
  script:
    - { call: delegate_async, arguments: { target_strategy: new, target_ref: Doer, instruction: "Burn the letters" } }
    - { deliver: "Came to: {result.1.status} {result.1.error_code}" }
`,
  `
name: Doer
llm_config: { provider: script, script: [{ deliver: "did: {instruction}" }] }
`,
];

async function makeProject(url: string, title: string): Promise<string> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  for (const yaml of profiles) await api(url, "POST", `/projects/${project_id}/profiles`, yaml, "text/yaml");
  return project_id;
}

type Launched = { root_turn_id: string; agent_turn_id: string };

/** A turn of the profile that is suspended until a person has decided. */
async function asleep(url: string, project: string, target_ref: string): Promise<Launched> {
  const { root_turn_id, result } = await api<{ root_turn_id: string; result: { agent_turn_id: string } }>(
    url,
    "POST",
    `/projects/${project}/pmo/delegate_async:call`,
    { args: { target_strategy: "new", target_ref, instruction: "Weigh the letters" } },
  );
  const { agent_turn_id } = result;
  await expect.poll(() => statusOf(url, project, agent_turn_id)).toBe("suspended");
  return { root_turn_id, agent_turn_id };
}

const turnOf = (url: string, project: string, id: string) =>
  api<{ status: string; deliverable?: { content: { text: string } } }>(url, "GET", `/projects/${project}/turns/${id}`);
const statusOf = async (url: string, project: string, id: string) => (await turnOf(url, project, id)).status;

async function deliveredBy(url: string, project: string, id: string): Promise<string | undefined> {
  await expect.poll(() => statusOf(url, project, id)).toBe("success");
  return (await turnOf(url, project, id)).deliverable?.content.text;
}

const cards = (page: Page) => page.getByRole("article");

test("the inbox opens on the requests that need a person, however often it is loaded", async ({ product, page }) => {
  const project = await makeProject(product.url, "Opened again");
  await asleep(product.url, project, "Asker");
  for (let load = 0; load < 6; load++) {
    await page.goto(`${product.url}/p/${project}/inbox`, { waitUntil: "load" });
    await expect(page.getByRole("tab", { selected: true })).toHaveText(/^Needs a person\s*1$/);
    await expect(cards(page)).toHaveCount(1);
  }
});

test("a question is answered by a choice: the count is shown, the card disappears, the turn continues", async ({
  product,
  page,
}) => {
  const project = await makeProject(product.url, "Asked");
  const { agent_turn_id } = await asleep(product.url, project, "Asker");
  await page.goto(`${product.url}/p/${project}/inbox`);
  await expect(page.getByRole("link", { name: "Inbox, 1 needs a person" })).toBeVisible();
  const card = cards(page);
  await expect(card).toHaveCount(1);
  await expect(card).toContainText("Which half first?");
  await expect(card.getByRole("group", { name: "Details" })).toContainText("Both weigh the same.");
  await expect(card.getByRole("link").first()).toHaveAttribute("href", new RegExp(`turn=${agent_turn_id}`));
  await card.getByRole("button", { name: "The right one" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "No open requests" })).toBeVisible();
  expect(await deliveredBy(product.url, project, agent_turn_id)).toBe("Began with: The right one");
  await expect(page.getByRole("link", { name: "Inbox", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Show decided" }).click();
  await expect(cards(page)).toContainText("local answered it");
});

test("in free text and by keyboard alone; a second question arrives while the page is open", async ({
  product,
  page,
}) => {
  const project = await makeProject(product.url, "In own words");
  await page.goto(`${product.url}/p/${project}/inbox?view=people`);
  await expect(page.getByRole("heading", { level: 1, name: "No open requests" })).toBeVisible();
  const { agent_turn_id } = await asleep(product.url, project, "Asker");
  await expect(cards(page)).toHaveCount(1);
  await page.keyboard.press("j");
  await expect(cards(page).getByRole("link").first()).toBeFocused();
  await cards(page).getByRole("textbox", { name: "Or write your own answer" }).focus();
  await page.keyboard.type("Neither");
  await page.keyboard.press("Control+Enter");
  await expect(cards(page)).toHaveCount(0);
  expect(await deliveredBy(product.url, project, agent_turn_id)).toBe("Began with: Neither");
});

test("a call is approved with other arguments: faults and changes are shown before", async ({
  product,
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/400/);
  const project = await makeProject(product.url, "Approved");
  const { agent_turn_id } = await asleep(product.url, project, "Careful");
  await page.goto(`${product.url}/p/${project}/inbox`);
  const card = cards(page);
  await expect(card).toContainText("May it call delegate_async?");
  const box = card.getByRole("textbox", { name: "Arguments" });
  const text = await box.inputValue();
  expect(JSON.parse(text)).toMatchObject({ instruction: "Burn the letters" });
  await box.fill(text.slice(1));
  await expect(card.getByRole("alert").first()).toContainText("This is not JSON");
  await box.fill(text.replace("new", "old"));
  await card.getByRole("button", { name: "Approve with changes" }).click();
  await expect(card.getByRole("alert").first()).toContainText("arguments.target_strategy");
  await box.fill(text.replace("Burn", "Keep"));
  await expect(card.getByRole("figure")).toContainText("Keep the letters");
  await expect(card.getByRole("figure")).toContainText("Burn the letters");
  await card.getByRole("button", { name: "Approve with changes" }).click();
  await expect(cards(page)).toHaveCount(0);
  expect(await deliveredBy(product.url, project, agent_turn_id)).toContain("accepted");
  const { items } = await api<{ items: { title: string; profile_name: string }[] }>(
    product.url,
    "GET",
    `/projects/${project}/turns`,
  );
  expect(items.find((turn) => turn.profile_name === "Doer")?.title).toBe("Keep the letters");
});

test("a call is denied with a reason, and not without one", async ({ product, page }) => {
  const project = await makeProject(product.url, "Denied");
  const { agent_turn_id } = await asleep(product.url, project, "Careful");
  await page.goto(`${product.url}/p/${project}/inbox`);
  const card = cards(page);
  await card.getByRole("button", { name: "Deny" }).click();
  await expect(card.getByRole("textbox", { name: /^Reason/ })).toBeFocused();
  await expect(card.getByText("Enter a reason")).toBeVisible();
  await page.keyboard.type("They are evidence");
  await card.getByRole("button", { name: "Deny" }).click();
  await expect(cards(page)).toHaveCount(0);
  expect(await deliveredBy(product.url, project, agent_turn_id)).toBe("Came to: rejected denied_by_human");
  await page.getByRole("button", { name: "Show decided" }).click();
  await expect(cards(page)).toContainText("local denied it");
  await expect(cards(page)).toContainText("They are evidence");
});

test("in the reason field no key approves: Enter does nothing, and denies once Deny was pressed", async ({
  product,
  page,
}) => {
  const project = await makeProject(product.url, "Denied by keys");
  for (const key of ["Enter", "Control+Enter"]) {
    const { agent_turn_id } = await asleep(product.url, project, "Careful");
    await page.goto(`${product.url}/p/${project}/inbox?view=people`);
    const card = cards(page);
    const reason = card.getByRole("textbox", { name: /^Reason/ });
    await reason.fill("They are evidence");
    await reason.press(key);
    await reason.fill("");
    await card.getByRole("button", { name: "Deny" }).click();
    await expect(reason).toBeFocused();
    await page.keyboard.type("They are evidence");
    await page.keyboard.press(key);
    await expect(cards(page)).toHaveCount(0);
    expect(await deliveredBy(product.url, project, agent_turn_id)).toBe("Came to: rejected denied_by_human");
  }
});

test("the slower of two people sees the other's answer, and loses no text", async ({
  product,
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/409/);
  const project = await makeProject(product.url, "Slower");
  await asleep(product.url, project, "Asker");
  await page.goto(`${product.url}/p/${project}/inbox`);
  const mine = cards(page).getByRole("textbox", { name: "Or write your own answer" });
  await mine.fill("I am still thinking");
  const { items } = await api<{ items: { request_id: string }[] }>(
    product.url,
    "GET",
    `/projects/${project}/human-requests?status=open`,
  );
  await api(product.url, "POST", `/projects/${project}/human-requests/${items[0]?.request_id}:answer`, {
    answer: "The left one",
    user: "bob",
  });
  await expect(cards(page).getByRole("alert")).toContainText("bob answered it while you were deciding");
  await expect(mine).toHaveValue("I am still thinking");
  await cards(page).getByRole("button", { name: "Seen" }).click();
  await expect(cards(page)).toHaveCount(0);
});

test("at its turn: the wagon says that it waits for you, and the inspector accepts the answer", async ({
  product,
  page,
}) => {
  const project = await makeProject(product.url, "At the turn");
  const { root_turn_id, agent_turn_id } = await asleep(product.url, project, "Asker");
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}&turn=${agent_turn_id}`);
  await expect(page.getByText("waits for you: Which half first?").first()).toBeVisible();
  await cards(page).getByRole("button", { name: "The left one" }).click();
  await expect(cards(page)).toContainText("local answered it");
  await expect(page.getByText("waits for you: Which half first?")).toHaveCount(0);
  expect(await deliveredBy(product.url, project, agent_turn_id)).toBe("Began with: The left one");
});

test("on a phone the count leads to the inbox", async ({ product, page }) => {
  const project = await makeProject(product.url, "On a phone");
  await asleep(product.url, project, "Asker");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${product.url}/p/${project}/profiles`);
  await page.getByRole("link", { name: "Inbox, 1 needs a person" }).click();
  await expect(cards(page)).toContainText("Which half first?");
});

for (const theme of ["dark", "light"] as const)
  test(`it is accessible, ${theme}, also on a phone`, async ({ product, page }) => {
    const project = await makeProject(product.url, `Read ${theme}`);
    await asleep(product.url, project, "Asker");
    await asleep(product.url, project, "Careful");
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.addInitScript((value) => localStorage.setItem("switchyard-theme", value), theme);
    await page.goto(`${product.url}/p/${project}/inbox`);
    await expect(cards(page)).toHaveCount(2);
    const box = cards(page).getByRole("textbox", { name: "Arguments" });
    await box.fill((await box.inputValue()).replace("Burn", "Keep"));
    await page.evaluate(() => document.fonts.ready);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect((await axeOf(page).analyze()).violations).toEqual([]);
    }
  });
