// A wagon's context pack in the composer: built when it starts, read by its agent before the task, and named again in another wagon.
import { axeOf } from "./axe";
import { canvas, inspector, saved, wagon } from "./drawing";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

test.describe.configure({ timeout: 120_000 });

test("a pack is built with its wagon, and can be chosen afterwards", async ({ product, page }) => {
  const { project_id } = await api<{ project_id: string }>(product.url, "POST", "/projects", { title: "Packs" });
  await api(
    product.url,
    "POST",
    `/projects/${project_id}/profiles`,
    `name: Quick\nllm_config: { provider: script, script: [{ deliver: "{instruction}" }] }\n`,
    "text/yaml",
  );
  await api(product.url, "POST", `/projects/${project_id}/plans`, {
    switchyard: "plan/1",
    name: "One",
    nodes: [{ id: "fix", title: "Fix", target: { ref: "Quick" }, instruction: "Fix the retry" }],
  });
  await page.goto(`/p/${project_id}/compose/One`);
  await wagon(page, "fix").click();
  const panel = inspector(page);
  await panel.getByLabel("Context pack", { exact: true }).selectOption({ label: "built when it starts" });
  const goal = panel.getByLabel("Goal", { exact: true });
  await expect(goal).toHaveValue("Fix");
  await goal.fill("g".repeat(601));
  await expect(panel.getByText("is longer than 600 characters")).toBeVisible();
  await goal.fill("Retry with backoff.");
  const done = panel.getByLabel("Definition of done, one per line");
  await done.fill("All tests pass\n\nNo new dependency\n");
  const { violations } = await axeOf(page).exclude(".react-flow__attribution").analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html.slice(0, 120)}`)).toEqual([]);
  await saved(page);
  await expect(page.getByText("No problems", { exact: true })).toBeVisible();
  await canvas(page).focus();
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/[?&]run=/);
  await expect(wagon(page, "fix").getByRole("img", { name: /success/ })).toBeVisible({ timeout: 30_000 });

  type Pack = { code: string; title: string; artifact_ref: string };
  const { items } = await api<{ items: Pack[] }>(product.url, "GET", `/projects/${project_id}/context-packs`);
  const [pack] = items;
  expect(pack?.title).toBe("Retry with backoff.");
  await page.goto(`/p/${project_id}/compose/One`);
  await wagon(page, "fix").click();
  const choice = panel.getByLabel("Context pack", { exact: true });
  await choice.selectOption({ label: `${pack?.code} ${pack?.title}` });
  await expect(goal).toHaveCount(0);
  await saved(page);
  await page.reload();
  await wagon(page, "fix").click();
  await expect(choice).toHaveValue(pack?.artifact_ref ?? "?");
});

test("a pack is used in a launch from its page", async ({ product, page }) => {
  const { project_id } = await api<{ project_id: string }>(product.url, "POST", "/projects", { title: "Used" });
  await api(
    product.url,
    "POST",
    `/projects/${project_id}/profiles`,
    `name: Quick\nllm_config: { provider: script, script: [{ deliver: "{instruction}" }] }\n`,
    "text/yaml",
  );
  const request = { goal: "Use it.", definition_of_done: ["It is used"] };
  const { code } = await api<{ code: string }>(product.url, "POST", `/projects/${project_id}/context-packs`, request);
  await page.goto(`/p/${project_id}/packs/${code}`);
  await page.getByRole("button", { name: "Use in a launch" }).click();
  await expect(page.getByLabel("Context pack", { exact: true }).locator("option:checked")).toHaveText(
    `${code} Use it.`,
  );
  // The packing dialog has an address of its own.
  await expect(page.getByRole("dialog")).toHaveCount(1);
});
