// What a newcomer sees first: the yard's bar at 1440 pixels, the legend, and a run of two thousand turns of different agents.
import { expect, test } from "./fixtures";
import { launchLead, makeProject, runEnds } from "./scenes";

test("the bar and the legend", async ({ product, page }, info) => {
  const project = await makeProject(product.url, `First ${info.project.name}`, { isBrisk: true });
  const { root_turn_id } = await launchLead(product.url, project);
  await runEnds(product.url, project);
  const theme = info.project.name === "light" ? "light" : "dark";
  await page.addInitScript((value) => localStorage.setItem("switchyard-theme", value), theme);
  await page.goto(`${product.url}/p/${project}?run=${root_turn_id}`);
  await expect(page.getByRole("application").or(page.getByRole("list").first()).first()).toBeVisible();
  await page.waitForTimeout(1500);
  const widths = await page
    .locator(".yard-filter > *")
    .evaluateAll((all) => all.map((one) => [one.className, Math.round(one.getBoundingClientRect().width)]));
  console.log(JSON.stringify(widths));
  await page.screenshot({ path: `e2e/shots/first-${info.project.name}.png`, animations: "disabled" });
});
