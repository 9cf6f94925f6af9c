// What a machine can tell of accessibility, in each state of the composer that came after the drawing itself.
import { expectSound } from "./axe";
import { inspector, projectWith, step, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test("axe finds nothing in hand-over, run, fork, comparison and version, in either theme", async ({
  product,
  page,
}) => {
  test.setTimeout(150_000);
  await page.emulateMedia({ colorScheme: "dark" });
  const { project, box } = await projectWith(product.url, "Axe of runs");
  const post = <T>(path: string, body: object) => api<T>(product.url, "POST", `/projects/${project}${path}`, body);
  const nodes = [step("first", { load: [{ box }] }), step("last", { load: [{ from: "first" }] })];
  await post("/plans", { switchyard: "plan/1", name: "Seen", nodes });
  const body = {
    switchyard: "plan/1",
    name: "Seen",
    nodes: [...nodes, step("held", { hold: true, load: [{ from: "last" }] })],
  };
  await post("/plans/Seen/versions", { base_version: 1, body });
  const { root_turn_id, result } = await post<{ root_turn_id: string; result: { plan_run_id: string } }>(
    "/pmo/launch_plan:call",
    { args: { plan: "Seen" } },
  );
  const clean = (what: string) => expectSound(page, what, "all");
  const at = `/p/${project}/compose/Seen`;
  await page.goto(`${at}?order=last`);
  await expect(page.getByRole("list", { name: "Order the model reads" })).toContainText("not sent to the model");
  await clean("hand-over");
  await page.goto(`${at}?run=${root_turn_id}`);
  await expect(wagon(page, "held").getByRole("img", { name: /a person must let it start/ })).toBeVisible({
    timeout: 30_000,
  });
  await clean("run");
  await wagon(page, "last").click();
  await expect(inspector(page)).toContainText("As drawn, as it ran");
  await clean("a turn of the run");
  await page.goto(`${at}?run=${root_turn_id}&as=fork`);
  await expect(inspector(page).getByRole("list", { name: "Steps of the fork" }).getByRole("listitem")).toHaveCount(3);
  await clean("fork");
  await post(`/plan-runs/${result.plan_run_id}:skip`, { node: "held", reason: "seen" });
  const fork = await post<{ root_turn_id: string }>(`/plan-runs/${result.plan_run_id}:fork`, { force: ["last"] });
  await page.goto(`${at}?run=${fork.root_turn_id}&beside=${root_turn_id}`);
  await expect(inspector(page).getByRole("list", { name: "Steps of both runs" })).toBeVisible({ timeout: 30_000 });
  await clean("comparison");
  await page.goto(`${at}?with=1`);
  await expect(inspector(page).getByRole("heading", { name: "Beside v1" })).toBeVisible();
  await clean("beside a version");
  await page.goto(`${at}?v=1`);
  await expect(page.getByText("A version never changes.", { exact: false })).toBeVisible();
  await clean("version");
});
