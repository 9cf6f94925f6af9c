// Plans as a person uses them: written, checked at the line, published, launched, followed, changed, and put away.
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test.describe.configure({ timeout: 90_000 });

const plan = (more = "") => `switchyard: plan/1
name: first-look
description: Two look, one decides.
inputs:
  - { name: question, kind: text }
nodes:
  - id: search
    kind: fork
    tasks:
      - { id: one, target: { ref: Echo }, instruction: "For: {input.question}" }
      - { id: two, target: { ref: Echo }, instruction: "Against: {input.question}" }
  - id: verdict
    target: { ref: Echo }
    instruction: Decide
    load: [{ from: search }]
result: verdict
${more}`;

async function projectWithEcho(url: string, title: string): Promise<string> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  const yaml = `name: Echo\nllm_config: { provider: script, script: [{ deliver: "{instruction}" }] }\n`;
  await api(url, "POST", `/projects/${project_id}/profiles`, yaml, "text/yaml");
  return project_id;
}

test("a plan is written, checked at its line, published, launched, and followed to its end", async ({
  product,
  page,
}) => {
  const project = await projectWithEcho(product.url, "Plans");
  await page.goto(`/p/${project}`);
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await expect(page.getByText("No plans yet")).toBeVisible();
  await page.getByRole("button", { name: "New plan" }).first().click();
  const editor = page.getByRole("dialog", { name: "New plan" });
  const text = editor.getByRole("textbox", { name: "Plan", exact: true });
  await text.fill(plan().replace("    target: { ref: Echo }\n    instruction: Decide", "    instruction: Decide"));
  const problems = editor.getByRole("list", { name: "Problems" });
  await expect(problems).toContainText("Decide has no target. Choose a profile or an agent.");
  await expect(editor.getByRole("status")).toHaveText("1 error to mend before it can be published");
  await problems.getByRole("button", { name: "Line 12" }).click();
  expect(
    await text.evaluate((node: HTMLTextAreaElement) => node.value.slice(node.selectionStart, node.selectionEnd)),
  ).toBe("  - id: verdict");
  await text.fill(plan());
  await expect(problems).toHaveCount(0);
  await editor.getByRole("button", { name: "Publish version 1" }).click();
  await expect(page).toHaveURL(/\/plans\/first-look$/);
  await expect(page.getByRole("heading", { name: "first-look" })).toBeVisible();

  await page.getByRole("main").getByRole("button", { name: "Launch" }).click();
  const form = page.getByRole("dialog", { name: "Launch first-look" });
  await form.getByRole("button", { name: "Launch" }).click();
  await expect(form.getByText("Fill in question. The plan needs it.")).toBeVisible();
  await form.getByLabel("question").fill("is it the pump?");
  await form.getByRole("button", { name: "Launch" }).click();
  await expect(page).toHaveURL(/\?run=turn_/);
  await expect(page.getByRole("option", { name: /1E03/ }).or(page.getByText("1E03")).first()).toBeVisible();
  await page.goto(`/p/${project}/plans/first-look`);
  const facts = page.getByRole("complementary", { name: "Facts about the plan" });
  await expect(facts.getByRole("link", { name: "2 of 2 steps delivered" })).toBeVisible();
  await page.goto(`/p/${project}/plans`);
  const row = page.getByRole("link", { name: /first-look/ });
  await expect(row).toContainText("question");
  await expect(row.getByRole("img", { name: /^Last runs: success, 2 of 2 steps delivered/ })).toBeVisible();
});

test("what the project lacks is told at its line, and the plan is published when that is accepted", async ({
  product,
  page,
  expectedErrors,
}) => {
  // The first try is refused.
  expectedErrors.push(/400/);
  const project = await projectWithEcho(product.url, "Lacking plans");
  await page.goto(`/p/${project}/plans`);
  await page.getByRole("button", { name: "New plan" }).first().click();
  const editor = page.getByRole("dialog", { name: "New plan" });
  await editor
    .getByRole("textbox", { name: "Plan", exact: true })
    .fill(
      plan().replace(
        "    target: { ref: Echo }\n    instruction: Decide",
        "    target: { ref: Judge }\n    instruction: Decide",
      ),
    );
  const problems = editor.getByRole("list", { name: "Problems" });
  await expect(problems).toContainText("Profile Judge is not registered in this project.");
  await expect(problems.getByRole("button", { name: "Line 13" })).toBeVisible();
  await expect(editor.getByRole("status")).toHaveText("1 error to mend before it can be launched");
  await editor.getByRole("button", { name: "Publish version 1" }).click();
  await expect(editor.getByRole("alert")).toContainText(
    "Not published. Profile Judge is not registered in this project. You can publish it and add what is missing later",
  );
  await editor.getByRole("button", { name: "Publish anyway" }).click();
  await expect(page).toHaveURL(/\/plans\/first-look$/);
});

test("a step that a person must let start is told on the page while it waits, and goes on from the inbox", async ({
  product,
  page,
}) => {
  const project = await projectWithEcho(product.url, "Held plans");
  await api(product.url, "POST", `/projects/${project}/plans?user=ann`, plan(), "text/yaml");
  await page.goto(`/p/${project}/plans/first-look?start=1`);
  const form = page.getByRole("dialog", { name: "Launch first-look" });
  await form.getByLabel("question").fill("who?");
  await form.getByLabel("Ask me before each step").check();
  await form.getByRole("button", { name: "Launch" }).click();
  await expect(page).toHaveURL(/\?run=turn_/);
  const steps = page.getByRole("list", { name: "Steps of first-look" }).getByRole("listitem");
  await expect(steps).toHaveCount(2);
  await expect(steps.nth(0)).toContainText("2 tasks");
  await expect(steps.nth(1)).toContainText("waits for search, Echo");
  await expect(steps.nth(1)).toContainText("1E03");
  const yard = page.url();
  await page.goto(`/p/${project}/plans/first-look`);
  await expect(page.getByText("0 of 2 steps delivered, 1 waits for a person")).toBeVisible();
  await page.getByRole("link", { name: "Decide in the inbox" }).click();
  await page.getByRole("button", { name: "Start it" }).first().click();
  await page.goto(`/p/${project}/plans/first-look`);
  await expect(page.getByText("1 of 2 steps delivered, 1 waits for a person")).toBeVisible();
  await page.goto(yard);
  await page.getByRole("link", { name: "Decide in the inbox" }).click();
  await page.getByRole("button", { name: "Start it" }).first().click();
  await page.goto(yard);
  await expect(steps.nth(1)).toContainText("success");
  await steps.nth(1).getByRole("button", { name: /1E03/ }).click();
  await expect(page).toHaveURL(/[?&]turn=turn_/);
});

test("a run's steps are live in the yard: what each waits for, a hold that is decided there, and what was skipped", async ({
  product,
  page,
}) => {
  const project = await projectWithEcho(product.url, "Plan in the yard");
  const body = `switchyard: plan/1
name: careful-look
nodes:
  - id: search
    kind: fork
    title: Two looks
    hold: true
    tasks:
      - { id: one, target: { ref: Echo }, instruction: For }
      - { id: two, target: { ref: Echo }, instruction: Against }
  - { id: verdict, target: { ref: Echo }, instruction: Decide, load: [{ from: search }], hold: true }
  - { id: page, target: { ref: Echo }, instruction: Page the owner, after: [{ node: search, on: failed }] }
  - { id: extra, target: { ref: Echo }, instruction: One more look, after: [{ node: verdict }], hold: true }
result: verdict
`;
  await api(product.url, "POST", `/projects/${project}/plans?user=ann`, body, "text/yaml");
  const polls: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("plan.graph")) polls.push(request.url());
  });
  await page.goto(`/p/${project}/plans/careful-look?start=1`);
  await page.getByRole("dialog").getByRole("button", { name: "Launch" }).click();
  await expect(page).toHaveURL(/\?run=turn_/);
  const steps = page.getByRole("list", { name: "Steps of careful-look" }).getByRole("listitem");
  await expect(steps).toHaveCount(4);
  await expect(steps.nth(0)).toContainText("held: a person must let it start");
  await expect(steps.nth(1)).toContainText("waits for Two looks");
  await expect(steps.nth(2)).toContainText("waits for Two looks to fail");
  await expect(steps.nth(3)).toContainText("waits for Decide");
  await page.getByRole("group", { name: "Two looks" }).getByRole("button", { name: "Start it" }).click();
  const decide = page.getByRole("group", { name: "Decide", exact: true });
  await expect(decide.getByRole("button", { name: "Start it" })).toBeVisible();
  await expect(steps.nth(0)).toContainText("success");
  await expect(steps.nth(2)).toContainText("skipped: Two looks succeeded, and it waits for its failure");
  // The gate leads on to the next step, not back to the person, who waits for the plan.
  await expect(page.getByRole("group", { name: /^B1, fork of 2, success/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /after B1$/ })).toHaveCount(0);
  await expect(page.getByRole("img", { name: /Waiting for careful-look, 2 of 4 steps over/ })).toBeVisible();
  await decide.getByRole("button", { name: "Start it" }).click();
  const extra = page.getByRole("group", { name: "One more look" });
  await extra.getByRole("button", { name: "Skip it" }).click();
  await extra.getByRole("textbox", { name: "Why it is skipped" }).fill("enough seen");
  await extra.getByRole("button", { name: "Skip it" }).click();
  await expect(steps.nth(3)).toContainText("enough seen");
  await expect(page.getByRole("button", { name: "Start it" })).toHaveCount(0);
  await expect(page.getByRole("img", { name: /Waiting for careful-look/ })).toHaveCount(0);
  // Names and tracks were read once; everything else came over the stream.
  expect(polls).toHaveLength(1);
});

test("an edit is the next version, the older ones stay, and who was quicker is not written over", async ({
  product,
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/409/);
  const project = await projectWithEcho(product.url, "Plan versions");
  await api(product.url, "POST", `/projects/${project}/plans?user=ann`, plan(), "text/yaml");
  await page.goto(`/p/${project}/plans/first-look?edit=1`);
  const editor = page.getByRole("dialog", { name: "Edit first-look" });
  const text = editor.getByRole("textbox", { name: "Plan", exact: true });
  await text.fill(plan("limits: { turns_max: 9 }\n"));
  await editor.getByRole("textbox", { name: "What changed" }).fill("a limit");
  await editor.getByRole("button", { name: "Publish version 2" }).click();
  await expect(editor).toBeHidden();
  const versions = page.getByRole("complementary", { name: "Facts about the plan" });
  await expect(versions.getByRole("link", { name: /a limit/ })).toBeVisible();
  await expect(page.getByText("turns_max")).toBeVisible();
  await versions.getByRole("link", { name: /^1 / }).click();
  await expect(page).toHaveURL(/v=1/);
  await expect(page.getByText("version 1 of 2")).toBeVisible();
  await expect(page.getByText("turns_max")).toHaveCount(0);

  await page.goto(`/p/${project}/plans/first-look?edit=1`);
  await expect(editor.getByRole("button", { name: "Publish version 3" })).toBeVisible();
  await api(product.url, "POST", `/projects/${project}/plans/first-look/versions`, {
    base_version: 2,
    user: "bob",
    body: JSON.parse(
      JSON.stringify({
        switchyard: "plan/1",
        name: "first-look",
        nodes: [{ id: "a", target: { ref: "Echo" }, instruction: "go" }],
      }),
    ),
  });
  await text.fill(plan("limits: { turns_max: 8 }\n"));
  await editor.getByRole("button", { name: "Publish version 3" }).click();
  await expect(editor.getByRole("alert")).toContainText("Not published.");
  await expect(text).toHaveValue(/turns_max: 8/);
});

test("a plan that was never launched can be deleted; archived ones leave the list and come back", async ({
  product,
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/404/);
  const project = await projectWithEcho(product.url, "Plans put away");
  await api(product.url, "POST", `/projects/${project}/plans?user=ann`, plan(), "text/yaml");
  await page.goto(`/p/${project}/plans/first-look`);
  await page.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByRole("button", { name: "Unarchive" })).toBeVisible();
  await page.goto(`/p/${project}/plans`);
  await expect(page.getByText("No plans yet")).toBeVisible();
  await page.getByRole("button", { name: "Show archived" }).click();
  await page.getByRole("link", { name: /first-look/ }).click();
  await page.getByRole("button", { name: "Unarchive" }).click();
  await expect(page.getByRole("button", { name: "Archive", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete plan" }).click();
  await expect(page).toHaveURL(/\/plans$/);
  await expect(page.getByText("No plans yet")).toBeVisible();
  await page.goto(`/p/${project}/plans/nothing`);
  await expect(page.getByText("Plan not found")).toBeVisible();
});
