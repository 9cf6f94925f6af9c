// The page of a turn: what the model was sent at each step, byte for byte too, what it answered, and a fork of it.
import { expectSound } from "./axe";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

type Turn = { agent_turn_id: string; root_turn_id: string; headcode: string; status: string; context_box_id: string };
type Request = { request_text: string; request_sha256: string; cards: { card_id: string; type: string }[] };

const weigher = `
name: Weigher
allowed_tools: [delegate_async]
delegation_policy: { target_tags: [], target_profiles: [Hand] }
llm_config:
  provider: script
  script:
    - { call: think, arguments: { thought: "the heavy half first" }, say: "Two halves, then." }
    - { think: "The **heavy** half is the left one." }
    - { call: delegate_async, arguments: { target_strategy: new, target_ref: Hand, instruction: "Weigh the left half" } }
    - { deliver: "It weighs: {instruction}" }
`;
const hand = `
name: Hand
llm_config: { provider: script, script: [{ deliver: "Nine." }] }
`;
const slow = `
name: Slow
llm_config: { provider: script, script: [{ think: "First.", wait_ms: 300 }, { deliver: "Late.", wait_ms: 600000 }] }
`;

async function launched(url: string, title: string, profile = "Weigher") {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  for (const yaml of [weigher, hand, slow])
    await api(url, "POST", `/projects/${project_id}/profiles`, yaml, "text/yaml");
  const args = { target_strategy: "new", target_ref: profile, instruction: "Weigh the whole thing" };
  const { result } = await api<{ result: Turn }>(url, "POST", `/projects/${project_id}/pmo/delegate_async:call`, {
    args,
  });
  const at = `${url}/p/${project_id}/turns`;
  const read = () => api<Turn>(url, "GET", `/projects/${project_id}/turns/${result.agent_turn_id}`);
  return { project: project_id, id: result.agent_turn_id, at, read };
}

async function ended(url: string, title: string) {
  const made = await launched(url, title);
  await expect.poll(async () => (await made.read()).status, { timeout: 60_000 }).toBe("success");
  return made;
}

const requestOf = (url: string, project: string, turn: string, step: number) =>
  api<Request>(url, "GET", `/projects/${project}/turns/${turn}/messages?step=${step}`);

test("the keyboard moves through steps, each with its request and its answer", async ({ product, page }) => {
  const { project, id, at } = await ended(product.url, "Walking a turn");
  await page.goto(`${at}/${id}`);
  const rows = page.getByRole("list", { name: "Steps of the turn" }).getByRole("button");
  await expect(rows).toHaveCount(4);
  await expect(rows.last()).toHaveAttribute("aria-current", "step");
  const sent = page.getByRole("region", { name: "What the model was sent" });
  const answered = page.getByRole("region", { name: "What it answered" });
  await expect(answered).toContainText("It weighs: Weigh the whole thing");
  await page.keyboard.press(",");
  await expect(page).toHaveURL(/[?&]step=3/);
  await expect(answered).toContainText("Weigh the left half");
  await expect(answered.getByRole("link", { name: /Card of the result of delegate_async/ })).toHaveAttribute(
    "href",
    /\/cards\//,
  );
  await expect(sent.getByText("Step 2 saw the 3 messages above. New messages follow")).toBeVisible();
  await expect(sent).toContainText("The **heavy** half is the left one.");
  await rows.first().click();
  await expect(page).toHaveURL(/[?&]step=1/);
  await expect(sent).toContainText("Weigh the whole thing");
  await expect(answered).toContainText("Two halves, then.");
  await page.keyboard.press("o");
  await expect(page.getByRole("heading", { level: 1, name: "Hand" })).toBeVisible();
  await page.keyboard.press("i");
  await expect(page.getByRole("heading", { level: 1, name: "Weigher" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(new RegExp(`/p/${project}\\?run=turn_.*&turn=${id}`));
  await expect(page.getByRole("button", { name: /^Open turn/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/turns/${id}`));
});

test("the bytes that were sent are copied unchanged, and the digest matches them", async ({
  product,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: product.url });
  const { project, id, at } = await ended(product.url, "Bytes of a step");
  const request = await requestOf(product.url, project, id, 2);
  await page.goto(`${at}/${id}?step=2&view=wire`);
  const sent = page.getByRole("region", { name: "What the model was sent" });
  await expect(sent).toContainText(request.request_sha256);
  await expect(sent).toContainText("same bytes");
  await sent.getByRole("button", { name: "Copy the bytes" }).click();
  await expect(sent.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(request.request_text);
});

test("a fork with a dropped card continues without it, and both turns say so", async ({ product, page }) => {
  const { project, id, at, read } = await ended(product.url, "Forking a turn");
  const { headcode } = await read();
  await page.goto(`${at}/${id}?step=3`);
  await expect(page.getByRole("region", { name: "What it answered" })).toContainText("delegate_async");
  await page.keyboard.press("Shift+F");
  const dialog = page.getByRole("dialog", { name: `Fork ${headcode} at step 3` });
  const rows = dialog.getByRole("list", { name: "Messages of the request" }).getByRole("listitem");
  await expect(rows).toHaveCount(4);
  await expect(rows.first().getByRole("radio", { name: "Drop" })).toBeDisabled();
  const result = rows.filter({ hasText: "tool.result" });
  await result.getByRole("radio", { name: "Drop" }).click();
  await expect(dialog.getByRole("list", { name: "What will happen" })).toContainText("1 dropped");
  await rows.last().getByRole("radio", { name: "Replace" }).click();
  await dialog.getByRole("textbox", { name: "Replacement for message 4" }).fill("The right half is heavy.");
  await dialog.getByRole("button", { name: "Fork", exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.waitForURL((url) => url.pathname.includes("/turns/") && !url.pathname.includes(id));
  await expect(page.getByRole("link", { name: new RegExp(`forked from ${headcode} at step 3`) })).toBeVisible();
  const fork = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await expect
    .poll(async () => (await api<Turn>(product.url, "GET", `/projects/${project}/turns/${fork}`)).status)
    .toBe("success");
  const request = await requestOf(product.url, project, fork, 1);
  expect(request.cards.map((card) => card.type).filter((type) => type.startsWith("tool."))).toEqual([]);
  expect(request.request_text).toContain("The right half is heavy.");
  expect(request.request_text).not.toContain("left one");
  await page.getByRole("link", { name: new RegExp(`forked from ${headcode}`) }).click();
  await expect(page).toHaveURL(new RegExp(`/turns/${id}\\?step=3`));
  await expect(page.getByRole("complementary", { name: "What the turn is part of" })).toContainText("Forked from it");
});

test("a running turn grows while the page is open, and the stop dialog says what it does", async ({
  product,
  page,
}) => {
  const { id, at } = await launched(product.url, "Looking over a shoulder", "Slow");
  await page.goto(`${at}/${id}`);
  const rows = page.getByRole("list", { name: "Steps of the turn" }).getByRole("button");
  await expect(rows).toHaveCount(2);
  await page.keyboard.press("s");
  const dialog = page.getByRole("dialog", { name: /^Stop / });
  await expect(dialog.getByRole("list", { name: "What will happen" })).toContainText("ends as canceled");
  await dialog.getByRole("button", { name: /^Stop 1 turn/ }).click();
  await expect(page.getByRole("heading", { level: 1 }).locator("..")).toContainText("Canceled");
});

test("run again with another instruction leads to the new turn", async ({ product, page }) => {
  const { id, at } = await ended(product.url, "Running again");
  await page.goto(`${at}/${id}`);
  await page.getByRole("button", { name: /^Run again/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Run / });
  await dialog.getByLabel("Instruction").fill("Weigh half of it");
  await dialog.getByRole("button", { name: "Run with this instruction" }).click();
  await page.waitForURL((url) => url.pathname.includes("/turns/") && !url.pathname.includes(id));
  await expect(page.getByRole("region", { name: "What it answered" })).toContainText("It weighs: Weigh half of it");
});

test("an unknown turn says so and offers a way on", async ({ product, page, expectedErrors }) => {
  expectedErrors.push(/404/);
  const { at } = await launched(product.url, "A missing turn", "Hand");
  await page.goto(`${at}/turn_nowhere`);
  await expect(page.getByRole("heading", { level: 1, name: "Turn not found" })).toBeVisible();
  await page.getByRole("link", { name: "To the yard" }).click();
  await expect(page.getByRole("heading", { name: "Turn not found" })).toBeHidden();
});

test("no violation of WCAG A and AA in either theme", async ({ product, page }) => {
  const { id, at } = await ended(product.url, "Turn in both themes");
  await page.emulateMedia({ colorScheme: "dark" });
  for (const search of ["?step=1", "?step=3", "?step=3&view=wire", "?step=9"]) {
    await page.goto(`${at}/${id}${search}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectSound(page, search);
  }
  await page.goto(`${at}/${id}?step=3`);
  await expect(page.getByRole("region", { name: "What it answered" })).toContainText("delegate_async");
  await page.keyboard.press("Shift+F");
  await expect(page.getByRole("dialog")).toContainText(/go(es)? on by reference/);
  await expectSound(page, "fork");
});

test("on a phone nothing is wider than the screen, and touch targets are large enough", async ({ product, page }) => {
  const { id, at } = await ended(product.url, "A turn on a phone");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${at}/${id}?step=3`);
  await expect(page.getByRole("region", { name: "What it answered" })).toContainText("delegate_async");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  for (const row of await page.getByRole("list", { name: "Steps of the turn" }).getByRole("button").all())
    expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(44);
});
