// A run in the composer: changed while it runs, decided, tried again, forked and compared.
import { canvas, inspector, projectWith, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

const step = (id: string, ref: string, instruction: string, more: object = {}) => ({
  id,
  title: id,
  target: { ref },
  instruction,
  ...more,
});

type Launched = { root_turn_id: string; result: { plan_run_id: string } };

async function launch(url: string, project: string, nodes: object[]): Promise<Launched> {
  const body = { switchyard: "plan/1", name: "", nodes };
  return api<Launched>(url, "POST", `/projects/${project}/pmo/launch_plan:call`, { args: { body } });
}

test("what waits is changed while another runs, sent, let pass, forked and compared", async ({ product, page }) => {
  const { project } = await projectWith(product.url, "A run that is changed");
  const { root_turn_id, result } = await launch(product.url, project, [
    step("frame", "Planner", "Fix one frame."),
    step("brief", "Reader", "Write the brief.", { load: [{ from: "frame" }], hold: true }),
  ]);
  await page.goto(`/p/${project}/compose?run=${root_turn_id}`);
  await expect(wagon(page, "frame").getByRole("img", { name: /^frame, success/ })).toBeVisible({ timeout: 30_000 });
  await expect(wagon(page, "brief").getByRole("img", { name: /a person must let it start/ })).toBeVisible();

  // What is packed is fixed.
  await wagon(page, "frame").click();
  await canvas(page).focus();
  await page.keyboard.press("x");
  await expect(page.getByText("frame is packed. Stop or fork it, or change what comes after.")).toBeVisible();

  // What waits may change; nothing is sent by itself.
  await wagon(page, "brief").click();
  await inspector(page).getByRole("textbox", { name: "Instruction" }).fill("Write the brief in three sentences.");
  await canvas(page).focus();
  await page.keyboard.press("n");
  await page.keyboard.type("Expert");
  await expect(page.getByRole("option", { name: /^Expert/ }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(wagon(page, "expert")).toBeVisible();
  await inspector(page).getByRole("textbox", { name: "Instruction" }).fill("Check the brief.");
  await expect(
    page.getByRole("banner").or(page.locator(".composer-bar")).getByText("3 changes, not sent"),
  ).toBeVisible();
  const run = () =>
    api<{ body_rev: number; body: { nodes: { id: string; instruction: string }[] } }>(
      product.url,
      "GET",
      `/projects/${project}/plan-runs/${result.plan_run_id}`,
    );
  expect((await run()).body_rev).toBe(1);
  await inspector(page).getByRole("button", { name: /^Send/ }).click();
  await expect(page.getByText("changes, not sent")).toHaveCount(0);
  const sent = await run();
  expect(sent.body_rev).toBe(2);
  expect(sent.body.nodes.map(({ id, instruction }) => [id, instruction])).toEqual([
    ["frame", "Fix one frame."],
    ["brief", "Write the brief in three sentences."],
    ["expert", "Check the brief."],
  ]);
  await expect(page.locator(".composer-bar").getByText("2 steps can still change")).toBeVisible();

  // The hold is decided here.
  await wagon(page, "brief").click();
  await inspector(page)
    .getByRole("button", { name: /Let it start/ })
    .click();
  await expect(wagon(page, "expert").getByRole("img", { name: /^Check the brief, success/ })).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.locator(".composer-bar").getByText(/This run is over/)).toBeVisible();

  // A change makes a fork now, and says what of it runs before it is launched.
  await wagon(page, "expert").click();
  await inspector(page).getByText("Change it for the fork").click();
  await inspector(page).getByRole("textbox", { name: "Instruction" }).fill("Check every figure of the brief.");
  await canvas(page).focus();
  await page.keyboard.press("Escape");
  const steps = inspector(page).getByRole("list", { name: "Steps of the fork" });
  await expect(steps.getByRole("listitem")).toHaveCount(3);
  await expect(steps.getByRole("listitem").nth(0)).toContainText("recorded: as in run 1");
  await expect(steps.getByRole("listitem").nth(2)).toContainText("runs: it was changed");
  await expect(wagon(page, "frame").getByRole("img", { name: /as in run 1/ })).toBeVisible();
  // What it does not need to, it runs all the same if a person asks.
  await steps.getByRole("checkbox", { name: "Run brief again" }).check();
  await expect(steps.getByRole("listitem").nth(1)).toContainText("runs: you asked for it");
  await steps.getByRole("checkbox", { name: "Run brief again" }).uncheck();
  await expect(steps.getByRole("listitem").nth(1)).toContainText("recorded");
  await inspector(page)
    .getByRole("button", { name: /Launch the fork/ })
    .click();
  await page.waitForURL((url) => url.searchParams.get("run") !== root_turn_id);
  await expect(
    wagon(page, "expert").getByRole("img", { name: /^Check every figure of the brief, success/ }),
  ).toBeVisible({ timeout: 30_000 });
  await expect(wagon(page, "frame").getByRole("img", { name: /^frame, success, as in run 1/ })).toBeVisible();

  // It stands beside the run that it came from.
  await expect(inspector(page).getByRole("heading", { name: "Run 2 beside run 1" })).toBeVisible();
  await expect(inspector(page)).toContainText("1 of 3 wagons ran again. Models differ by chance too.");
  await wagon(page, "expert").click();
  await expect(inspector(page).getByText("First card that differs")).toBeVisible();
  await expect(inspector(page)).toContainText("Check every figure of the brief.");
  await canvas(page).focus();
  await page.keyboard.press("d");
  await expect(inspector(page).getByRole("heading", { name: "Run 2", exact: true })).toBeVisible();
});

test("two people change one run: who comes second is told, and loses nothing", async ({ product, page }) => {
  const { project } = await projectWith(product.url, "Two people and a run");
  const { root_turn_id, result } = await launch(product.url, project, [
    step("first", "Planner", "Begin.", { hold: true }),
    step("last", "Reader", "End.", { load: [{ from: "first" }] }),
  ]);
  await page.goto(`/p/${project}/compose?run=${root_turn_id}&sel=last`);
  await expect(wagon(page, "first").getByRole("img", { name: /a person must let it start/ })).toBeVisible({
    timeout: 30_000,
  });
  await inspector(page).getByRole("textbox", { name: "Instruction" }).fill("End well.");
  await expect(page.locator(".composer-bar").getByText("1 change, not sent")).toBeVisible();
  await api(product.url, "POST", `/projects/${project}/plan-runs/${result.plan_run_id}:edit`, {
    body_rev: 1,
    ops: [{ op: "set", node: "first", path: "/instruction", value: "Begin well." }],
  });
  // The newer body comes by itself, and what was typed here stays to be sent.
  await wagon(page, "first").click();
  await expect(inspector(page).getByRole("textbox", { name: "Instruction" })).toHaveValue("Begin well.");
  await expect(page.locator(".composer-bar").getByText("1 change, not sent")).toBeVisible();
  await inspector(page).getByRole("button", { name: /^Send/ }).click();
  await expect(page.locator(".composer-bar").getByText("2 steps can still change")).toBeVisible();
  await wagon(page, "last").click();
  await expect(inspector(page).getByRole("textbox", { name: "Instruction" })).toHaveValue("End well.");
  // Stopped as a whole, after it was asked.
  await inspector(page).getByRole("button", { name: "Stop the run" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop the run" }).click();
  await expect(page.locator(".composer-bar").getByText(/This run is over/)).toBeVisible({ timeout: 15_000 });
});
