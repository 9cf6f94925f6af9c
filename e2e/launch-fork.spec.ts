// A person launches more than one delegation: a fork with its gate, an expert, and a load of boxes and cards in any order.
import type { Page } from "@playwright/test";
import { axeOf } from "./axe";
import { api } from "./scenes";
import { expect, test } from "./verbs";

test.describe.configure({ timeout: 90_000 });

const composer = (page: Page) => page.getByRole("dialog", { name: "Launch a turn" });
const launchButton = (page: Page) => composer(page).getByRole("button", { name: /^Launch/ });
const preview = (page: Page) => composer(page).getByRole("region", { name: "What it will see" });

type Turn = { context_box_id: string; output_box_id: string; status: string };

const turnOf = (url: string, project_id: string, agent_turn_id: string) =>
  api<Turn>(url, "GET", `/projects/${project_id}/turns/${agent_turn_id}`);

async function endsWell(url: string, project_id: string, agent_turn_id: string): Promise<Turn> {
  await expect.poll(async () => (await turnOf(url, project_id, agent_turn_id)).status).toBe("success");
  return turnOf(url, project_id, agent_turn_id);
}

const runCount = async (url: string, project_id: string) =>
  (await api<{ run_count: number }>(url, "GET", `/projects/${project_id}`)).run_count;

type Batch = {
  batch_id: string;
  tool_name: string;
  status: string;
  fail_fast: boolean;
  max_parallel?: number;
  tasks: { title: string; profile_name: string; attempts_max?: number; context_box_id: string }[];
};

const lanes = (page: Page) => composer(page).getByRole("region", { name: "Tasks" });
const dryRun = (page: Page) => preview(page).getByRole("list", { name: "Each task, dry run" }).getByRole("listitem");
const field = (page: Page, name: string) => composer(page).getByLabel(name, { exact: true });

async function onlyBatch(url: string, project_id: string): Promise<Batch> {
  const { items } = await api<{ items: { batch_id: string }[] }>(url, "GET", `/projects/${project_id}/batches`);
  expect(items).toHaveLength(1);
  return api<Batch>(url, "GET", `/projects/${project_id}/batches/${items[0]?.batch_id}`);
}

const textsOf = async (url: string, project_id: string, box_id: string) =>
  (
    await api<{ type: string; content: { text?: string } }[]>(
      url,
      "GET",
      `/projects/${project_id}/boxes/${box_id}/cards`,
    )
  )
    .filter((card) => !card.type.startsWith("meta."))
    .map((card) => card.content.text);

async function saveTone(url: string, project_id: string): Promise<void> {
  for (const as_card_type of ["task.note", "task.tone"])
    await api(url, "POST", `/projects/${project_id}/recipes`, {
      name: "brief",
      user: "mara",
      handover: {
        context_packing_config: {
          pack_arguments: [{ arg_key: "tone", as_card_type }, { arg_key: "instruction" }],
          inherit_context: { include_from_args: ["load"] },
          order: "inherited_first",
        },
      },
    });
}

test("a fork: tasks with their own recipe, attempts and place, one gate, launched together", async ({
  page,
  product,
  project,
  openYard,
}) => {
  const { project_id } = project;
  await saveTone(product.url, project_id);
  await openYard("?launch=1&target=new:Echo");
  await composer(page).getByRole("radio", { name: "Fork and join" }).click();
  await field(page, "Instruction").fill("Read the logs");
  await lanes(page).getByRole("button", { name: "Add task" }).click();
  await expect(composer(page).locator("#launch-block")).toHaveText("Task 2: Enter an instruction.");
  await field(page, "Instruction").fill("Read the metrics");
  await field(page, "Recipe").selectOption("brief");
  await field(page, "Version").selectOption("1");
  await field(page, "tone").fill("dry");
  await field(page, "Attempts").fill("2");
  await field(page, "Max parallel").fill("1");
  await expect(dryRun(page)).toHaveCount(2);
  await expect(dryRun(page).nth(1)).toContainText("brief@1");
  await expect(preview(page).getByRole("listitem").filter({ hasText: "task.note" })).toContainText("dry");
  await lanes(page).getByRole("button", { name: "Move task 2, place 2 of 2" }).press("ArrowUp");
  await expect(dryRun(page).nth(0)).toContainText("brief@1");
  await expect(field(page, "Instruction")).toHaveValue("Read the metrics");
  await expect(launchButton(page)).toHaveText(/Launch 2 tasks/);
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/run=/);
  await expect(composer(page)).toBeHidden();
  await expect.poll(async () => (await onlyBatch(product.url, project_id)).status).toBe("success");
  const batch = await onlyBatch(product.url, project_id);
  expect(batch).toMatchObject({ tool_name: "fork_join", max_parallel: 1, fail_fast: false });
  expect(batch.tasks.map(({ title, attempts_max }) => [title, attempts_max ?? 1])).toEqual([
    ["Read the metrics", 2],
    ["Read the logs", 1],
  ]);
  expect(await textsOf(product.url, project_id, batch.tasks[0]?.context_box_id ?? "")).toEqual([
    "dry",
    "Read the metrics",
  ]);
});

test("a fork is refused as a whole, at the task and the field that is at fault", async ({
  page,
  product,
  project,
  openYard,
}) => {
  await openYard("?launch=1&kind=fork&target=new:Echo");
  await field(page, "Instruction").fill("Go");
  await lanes(page).getByRole("button", { name: "Add task" }).click();
  await field(page, "Instruction").fill("Go on");
  await expect(dryRun(page)).toHaveCount(2);
  await field(page, "Attempts").fill("9");
  await expect(field(page, "Attempts")).toHaveAttribute("aria-invalid", "true");
  await lanes(page).getByRole("button", { name: "Task 1: Echo" }).click();
  const refusal = composer(page).locator(".launch-refusal");
  await expect(refusal).toContainText("Task 2:");
  await expect(launchButton(page)).toHaveAttribute("aria-disabled", "true");
  await refusal.getByRole("button", { name: "Show the task" }).click();
  await field(page, "Attempts").fill("");
  await expect(refusal).toBeHidden();
  await field(page, "Max parallel").fill("none");
  await expect(field(page, "Max parallel")).toHaveAttribute("aria-invalid", "true");
  await field(page, "Max parallel").fill("");
  await expect(launchButton(page)).not.toHaveAttribute("aria-disabled", "true");
  expect(await runCount(product.url, project.project_id)).toBe(0);
  const { violations } = await axeOf(page).include("[role=dialog]").analyze();
  expect(violations).toEqual([]);
});

test("a fork by keyboard alone, and it comes back after a reload", async ({ page, product, project, openYard }) => {
  await openYard("?launch=1&target=new:Echo");
  await expect(field(page, "Instruction")).toBeFocused();
  await page.keyboard.type("First");
  await composer(page).getByRole("radio", { name: "Delegate" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(composer(page).getByRole("radio", { name: "Fork and join" })).toBeFocused();
  await page.keyboard.press("Space");
  await expect(lanes(page)).toBeVisible();
  await page.keyboard.press("t");
  await expect(field(page, "Instruction")).toBeFocused();
  await page.keyboard.type("Second");
  await page.reload();
  await expect(lanes(page).getByRole("button", { name: /^Task \d/ })).toHaveCount(2);
  await expect(field(page, "Instruction")).toHaveValue("Second");
  await lanes(page).getByRole("button", { name: "Remove task 1" }).focus();
  await page.keyboard.press("Enter");
  await expect(lanes(page).getByRole("button", { name: /^Task \d/ })).toHaveCount(1);
  await expect(launchButton(page)).not.toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/run=/);
  const { tasks } = await onlyBatch(product.url, project.project_id);
  expect(tasks.map(({ title }) => title)).toEqual(["Second"]);
});

test("an expert is asked", async ({ page, product, project, openYard }) => {
  await openYard("?launch=1&target=reuse:some_agent");
  await composer(page).getByRole("radio", { name: "Ask expert" }).click();
  await expect(composer(page).getByRole("radio", { name: "Clone" })).toBeHidden();
  await composer(page)
    .getByRole("button", { name: /^Profile/ })
    .click();
  await page.getByRole("option", { name: /^Echo/ }).click();
  await field(page, "Question").fill("Which frame?");
  await expect(launchButton(page)).not.toHaveAttribute("aria-disabled", "true");
  await launchButton(page).click();
  await page.waitForURL(/run=/);
  expect((await onlyBatch(product.url, project.project_id)).tool_name).toBe("ask_expert");
});

test("boxes and cards stand in one list, in any order", async ({ page, product, project, openYard, launch }) => {
  const { project_id } = project;
  await openYard();
  const first = await launch({ profile: "Echo", instruction: "The first" });
  const one = await endsWell(product.url, project_id, first.agent_turn_id);
  const { items } = await api<{ items: { card_id: string; content: { text?: string } }[] }>(
    product.url,
    "GET",
    `/projects/${project_id}/cards?type=task.instruction`,
  );
  const card = items.find(({ content }) => content.text === "The first")?.card_id;
  await openYard(`?launch=1&target=new:Echo&boxes=${one.output_box_id}&cards=${card}`);
  await field(page, "Instruction").fill("Join them");
  const rows = composer(page).getByRole("region", { name: "Hand over" }).getByRole("listitem");
  await rows.nth(1).getByRole("button", { name: "Move card, place 2 of 2" }).press("ArrowUp");
  await expect(page).toHaveURL(new RegExp(`load=card:${card},box:${one.output_box_id}`));
  await rows
    .nth(0)
    .getByRole("button", { name: /^Move card/ })
    .dragTo(rows.nth(1));
  await expect(page).toHaveURL(new RegExp(`boxes=${one.output_box_id}&cards=${card}`));
  await rows
    .nth(1)
    .getByRole("button", { name: /^Move card/ })
    .press("ArrowUp");
  await expect(preview(page).getByRole("listitem").filter({ hasText: "The first" }).first()).toContainText(
    "task.instruction",
  );
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/turn=/);
  const turn = await turnOf(product.url, project_id, new URL(page.url()).searchParams.get("turn") ?? "");
  expect(await textsOf(product.url, project_id, turn.context_box_id)).toEqual([
    "The first",
    "Heard: The first",
    "Join them",
  ]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a fork is written, ordered and launched with a finger", async ({ page, product, project, openYard }) => {
    await openYard("?launch=1&target=new:Echo");
    await field(page, "Instruction").fill("First");
    await composer(page).getByRole("radio", { name: "Fork and join" }).tap();
    await lanes(page).getByRole("button", { name: "Add task" }).tap();
    await field(page, "Instruction").fill("Second");
    await lanes(page).getByRole("button", { name: "Move task 2 up" }).tap();
    await expect(lanes(page).getByRole("button", { name: /^Task 1/ })).toContainText("Second");
    const small = await composer(page)
      .getByRole("button")
      .or(composer(page).getByRole("radio"))
      .or(composer(page).getByRole("combobox"))
      .evaluateAll((controls) =>
        controls
          .map((control) => ({ name: control.textContent, box: control.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.height < 39.9 || box.width < 39.9))
          .map(({ name, box }) => `${name} ${box.width}x${box.height}`),
      );
    expect(small).toEqual([]);
    await composer(page).getByRole("radio", { name: "What it sees" }).tap();
    await expect(dryRun(page)).toHaveCount(2);
    await launchButton(page).tap();
    await page.waitForURL(/run=/);
    const { tasks } = await onlyBatch(product.url, project.project_id);
    expect(tasks.map(({ title }) => title)).toEqual(["Second", "First"]);
  });
});
