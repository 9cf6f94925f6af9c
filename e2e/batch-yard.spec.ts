// Forks in the yard: the frame with its gate, tasks that wait for a slot, folding, stopping, and the same on a phone.
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { batchEnds, endlessTwo, five, fork, makeForkProject, stopFork } from "./fork-scenes";
import { atRest } from "./heard";
import { api } from "./scenes";

test.describe.configure({ timeout: 90_000 });

const canvas = (page: Page) => page.getByRole("application", { name: /Track plan/ });
const frame = (page: Page) => canvas(page).getByRole("group", { name: /^B1, fork of/ });
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const inspector = (page: Page, code: string) => page.getByRole("complementary", { name: `Inspector of ${code}` });

test("a fork is one frame with its branches in task order from the start, and joins without reloading", async ({
  product,
  page,
}) => {
  const project = await makeForkProject(product.url, "Framed");
  const { batch_id, root_turn_id } = await fork(product.url, project, five, { deadline_seconds: 900 });
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
  await expect(frame(page)).toBeVisible();
  await expect(frame(page)).toContainText("waits for all");
  const tops: number[] = [];
  for (const task of [1, 2, 3, 4, 5]) {
    const wagon = canvas(page).getByRole("img", { name: new RegExp(`task ${task} of 5 of B1`) });
    await expect(wagon).toBeVisible();
    tops.push((await wagon.boundingBox())?.y ?? 0);
  }
  expect([...tops].sort((a, b) => a - b)).toEqual(tops);
  await batchEnds(product.url, project, batch_id, "partial");
  await expect(frame(page)).toContainText("partial, 4 of 5");
  await frame(page).getByRole("link", { name: "fork of 5" }).click();
  await page.waitForURL(new RegExp(`/batches/${batch_id}`));
});

test("tasks over max_parallel are shown as ghosts that say what they wait for", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Held back");
  const forked = await fork(product.url, project, [...endlessTwo, ...endlessTwo], { max_parallel: 2 });
  await page.goto(`${product.url}/p/${project}?run=${forked.root_turn_id}`);
  await expect(frame(page)).toContainText("2 at once");
  await expect(canvas(page).getByRole("img", { name: /^task 3, .*waits for a slot$/ })).toBeVisible();
  await expect(canvas(page).getByRole("img", { name: /^task 4, .*waits for a slot$/ })).toBeVisible();
  await stopFork(product.url, project, forked);
  await expect(frame(page)).toHaveAccessibleName(/canceled/);
  await expect(canvas(page).getByRole("img", { name: /^task 3, .*waits for a slot$/ })).toHaveCount(0);
});

test("a batch folds into one wagon and unfolds to the same places; the address says so", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Folded", { isBrisk: true });
  const { batch_id, root_turn_id } = await fork(product.url, project, five);
  await batchEnds(product.url, project, batch_id, "partial");
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
  const third = canvas(page).getByRole("img", { name: /task 3 of 5 of B1/ });
  await expect(third).toBeVisible();
  // The view fits its run once the whole of it is drawn.
  await atRest(page);
  const before = await third.boundingBox();
  await frame(page).getByRole("button", { name: "Fold B1 into one wagon" }).click();
  await expect(third).toHaveCount(0);
  expect(param(page, "fold")).toBe(batch_id);
  await expect(page.getByRole("listbox").getByRole("option", { name: /task 3 of 5 of B1/ })).toBeVisible();
  await page.reload();
  await canvas(page).getByRole("button", { name: "Unfold B1" }).click();
  await expect(third).toBeVisible();
  expect(param(page, "fold")).toBeNull();
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
  await expect.poll(() => third.boundingBox()).toEqual(before);
});

test("a branch is stopped after the dialog says what that does, and the batch continues without it", async ({
  product,
  page,
}) => {
  const project = await makeForkProject(product.url, "Stopped");
  const forked = await fork(product.url, project, endlessTwo);
  await page.goto(`${product.url}/p/${project}?run=${forked.root_turn_id}`);
  const first = canvas(page).getByRole("img", { name: /running.*task 1 of 2 of B1/ });
  await first.click();
  const code = (await first.getAttribute("aria-label"))?.split(",")[0] ?? "";
  await expect(inspector(page, code).getByRole("link", { name: "B1, task 1" })).toBeVisible();
  await page.keyboard.press("s");
  const dialog = page.getByRole("dialog", { name: `Stop ${code}?` });
  await expect(dialog.getByRole("list", { name: "What will happen" })).toContainText(
    "B1 continues without it: 1 still open",
  );
  await dialog.getByLabel("Reason").fill("not needed any more");
  await dialog.getByRole("button", { name: "Stop 1 turn" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(`${code} is stopped`)).toBeVisible();
  await expect(canvas(page).getByRole("img", { name: /canceled.*task 1 of 2 of B1/ })).toBeVisible();
  await expect(inspector(page, code)).toContainText("not needed any more");
  // It has ended: nothing is left to stop.
  await expect(inspector(page, code).getByRole("button", { name: "Stop" })).toHaveCount(0);
  await stopFork(product.url, project, forked);
});

test("the turn of the person who forked waits, says for what, and can be stopped with the whole fork", async ({
  product,
  page,
}) => {
  const project = await makeForkProject(product.url, "Waiting");
  const forked = await fork(product.url, project, endlessTwo, { deadline_seconds: 600 });
  await page.goto(`${product.url}/p/${project}?run=${forked.root_turn_id}&turn=${forked.agent_turn_id}`);
  const panel = page.getByRole("complementary", { name: /^Inspector of/ });
  await expect(panel.getByRole("link", { name: "B1, fork of 2" })).toHaveAttribute(
    "href",
    new RegExp(`/batches/${forked.batch_id}$`),
  );
  await expect(panel.getByText(/left$/)).toBeVisible();
  const [open, stop] = await Promise.all(
    ["Open turn", "Stop"].map((name) => panel.getByRole("button", { name }).boundingBox()),
  );
  expect(stop?.y).toBe(open?.y);
  await panel.getByRole("button", { name: "Stop" }).click();
  const dialog = page.getByRole("dialog", { name: /^Stop/ });
  await expect(dialog.getByRole("list", { name: "What will happen" })).toContainText(
    "2 branches still running are stopped",
  );
  await dialog.getByRole("button", { name: "Stop 3 turns" }).click();
  await expect(frame(page)).toHaveAccessibleName(/canceled/);
  await batchEnds(product.url, project, forked.batch_id, "canceled");
});

test("an expert that is asked has no frame, and its track leads both ways", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Asked");
  const { root_turn_id } = await api<{ root_turn_id: string }>(
    product.url,
    "POST",
    `/projects/${project}/pmo/ask_expert:call`,
    { args: { expert_profile: "Search", question: "Which is cheapest" } },
  );
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
  await expect(canvas(page).getByRole("img", { name: /Search, success.*asked/ })).toBeVisible();
  await expect(canvas(page).getByRole("group", { name: /fork of/ })).toHaveCount(0);
  await expect(canvas(page).locator(".ask-mark")).toHaveCount(1);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the frame surrounds its lines, and folds", async ({ product, page }) => {
    const project = await makeForkProject(product.url, "Phone fork", { isBrisk: true });
    const { batch_id, root_turn_id } = await fork(product.url, project, five);
    await batchEnds(product.url, project, batch_id, "partial");
    await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
    const head = page.getByRole("group", { name: /^B1, fork of 5, partial/ });
    await expect(head).toBeVisible();
    await expect(page.getByRole("button", { name: /task \d of 5 of B1/ })).toHaveCount(5);
    await head.getByRole("button", { name: "Fold B1" }).tap();
    await expect(page.getByRole("button", { name: /^Unfold B1/ })).toBeVisible();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });
});

test("a retried task takes its lane, and every other wagon stays where it is", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Tried again");
  const tasks = [
    { target_ref: "Hydrogen", instruction: "Hydrogen" },
    { target_ref: "Search", instruction: "Iron-air" },
    { target_ref: "Patience", instruction: "Wait" },
  ];
  const forked = await fork(product.url, project, tasks, { deadline_seconds: 900 });
  await page.goto(`${product.url}/p/${project}?run=${forked.root_turn_id}`);
  const wagons = canvas(page).locator(".react-flow__node");
  await expect(canvas(page).getByRole("img", { name: /task 1 of 3 of B1/ })).toHaveAccessibleName(/failed/);
  await expect(wagons).toHaveCount(4);
  // An arrangement that a person had chosen used to be lost as well.
  await page.getByRole("button", { name: "Arrange again" }).click();
  const places = () =>
    wagons.evaluateAll((nodes) =>
      Object.fromEntries(
        nodes.map((node) => [node.getAttribute("data-id") ?? "", (node as HTMLElement).style.transform]),
      ),
    );
  const before = await places();
  const [failed] = (
    await api<{ tasks: { agent_turn_id: string }[] }>(
      product.url,
      "GET",
      `/projects/${project}/batches/${forked.batch_id}`,
    )
  ).tasks.map((task) => task.agent_turn_id);
  await api(product.url, "POST", `/projects/${project}/batches/${forked.batch_id}/tasks/0:retry`, {});
  await expect(wagons).toHaveCount(5);
  const after = await places();
  for (const [id, place] of Object.entries(before)) {
    if (id === failed) expect(after[id]).not.toBe(place);
    else expect([id, after[id]]).toEqual([id, place]);
  }
  const [fresh] = Object.keys(after).filter((id) => !(id in before));
  expect(after[fresh ?? ""]).toBe(before[failed ?? ""]);
  await stopFork(product.url, project, forked);
});

test("a run that its limit holds says so, and a person lets it go on", async ({ product, page }) => {
  const project = await makeForkProject(product.url, "Limited");
  const { root_turn_id, result } = await api<{ root_turn_id: string; result: { batch_id: string } }>(
    product.url,
    "POST",
    `/projects/${project}/pmo/fork_join:call`,
    {
      args: { tasks: five.slice(0, 3).map((task) => ({ target_strategy: "new", ...task })) },
      limits: { turns_max: 1 },
    },
  );
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
  const strip = page.getByRole("status").filter({ hasText: "turns_max 1 reached: 1 turn. 2 turns wait." });
  await expect(strip).toBeVisible();
  await strip.getByRole("button", { name: "Raise" }).click();
  const dialog = page.getByRole("dialog", { name: "Raise turns_max" });
  await expect(dialog.getByRole("textbox", { name: "turns_max" })).toHaveValue("3");
  await dialog.getByRole("button", { name: "Raise", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(strip).toHaveCount(0);
  await batchEnds(product.url, project, result.batch_id, "success");
});
