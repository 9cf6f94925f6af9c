// What the agents of a run share, as a person sees it appear and edits it.
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { api } from "./scenes";

const keeper = `
name: Keeper
llm_config:
  provider: script
  script:
    - { call: store_env_data, arguments: { key: grid, short_description: "The grid as it was loaded", value: { rows: [[0, 1], [1, 0]] } } }
    - { call: store_env_data, arguments: { key: done, short_description: "", value: false } }
    - { deliver: kept }
`;

async function keptRun(url: string, title: string) {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  await api(url, "POST", `/projects/${project_id}/profiles`, keeper, "text/yaml");
  const args = { target_strategy: "new", target_ref: "Keeper", instruction: "Keep the grid" };
  const launched = await api<{ root_turn_id: string }>(url, "POST", `/projects/${project_id}/pmo/delegate_async:call`, {
    args,
  });
  return { project_id, run: launched.root_turn_id };
}

test("keys appear while the page is open; a person adds, edits and deletes", async ({
  product,
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ 409 /);
  const { url } = product;
  const { project_id, run } = await keptRun(url, "Shared by hand");
  await page.goto(`${url}/p/${project_id}/env?run=${run}`);
  const row = (name: RegExp) => page.locator("[data-row]").filter({ hasText: name });
  await expect(row(/grid/)).toContainText("Keeper");
  await expect(row(/done/)).toBeVisible();
  await row(/grid/).click();
  await expect(page).toHaveURL(/[?&]key=grid/);
  const panel = page.getByRole("region", { name: "Key grid" });
  await expect(panel).toContainText('"rows"');
  await expect(panel.getByRole("link", { name: /Keeper/ })).toHaveAttribute("href", /run=turn_.*&turn=turn_/);

  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(panel).toBeVisible();

  // Somebody else, meanwhile.
  const other = { short_description: "Set from outside", value: [1, 2, 3] };
  await api(url, "PUT", `/projects/${project_id}/env/${run}/outside`, other);
  await expect(row(/outside/)).toContainText("Set from outside");

  await page.getByRole("button", { name: "New key" }).click();
  const add = page.getByRole("dialog", { name: /^New key in run/ });
  await add.getByLabel("Key").fill("grid");
  await add.getByRole("textbox", { name: "Value" }).fill("mine");
  await add.getByRole("button", { name: "Store" }).click();
  await expect(add.getByRole("alert")).toContainText("already exists");
  await add.getByLabel("Key").fill("note");
  await add.getByRole("radio", { name: "JSON" }).click();
  await add.getByRole("textbox", { name: "Value" }).fill("{half");
  await add.getByRole("button", { name: "Store" }).click();
  await expect(add.getByRole("alert").first()).toContainText("This is not JSON");
  await add.getByRole("textbox", { name: "Value" }).fill('{"by": "hand"}');
  await add.getByRole("button", { name: "Store" }).click();
  await expect(add).toBeHidden();
  await expect(page).toHaveURL(/[?&]key=note/);
  await expect(page.getByRole("region", { name: "Key note" })).toContainText('"hand"');

  await page.getByRole("button", { name: "Edit" }).click();
  const edit = page.getByRole("dialog", { name: "Edit note" });
  await expect(edit.getByRole("textbox", { name: "Value" })).toHaveValue('{\n  "by": "hand"\n}');
  await api(url, "PUT", `/projects/${project_id}/env/${run}/note`, { short_description: "", value: 0 });
  await edit.getByRole("button", { name: "Save change" }).click();
  await expect(edit.getByRole("alert")).toContainText("in the meantime");
  await edit.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("button", { name: "Delete" }).click();
  const remove = page.getByRole("dialog", { name: "Delete note" });
  await remove.getByRole("button", { name: "Delete key" }).click();
  await expect(remove).toBeHidden();
  await expect(row(/note/)).toHaveCount(0);
});

for (const theme of ["dark", "light"] as const)
  test(`an empty run says what the page is for, and a phone shows one key at a time, ${theme}`, async ({
    product,
    page,
  }) => {
    const { url } = product;
    const { project_id, run } = await keptRun(url, `Shared, ${theme}`);
    await expect
      .poll(
        async () => (await api<{ items: unknown[] }>(url, "GET", `/projects/${project_id}/env/${run}`)).items.length,
      )
      .toBe(2);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.addInitScript((value) => localStorage.setItem("switchyard-theme", value), theme);
    await page.goto(`${url}/p/${project_id}/env`);
    await page.locator("[data-row]").filter({ hasText: "grid" }).click();
    await expect(page.getByRole("region", { name: "Key grid" })).toBeVisible();
    await expect(page.locator("[data-row]").first()).toBeHidden();
    const clean = async () => {
      const { violations } = await axeOf(page)
        .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
        .analyze();
      expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(" | ")}`)).toEqual([]);
    };
    await clean();
    await page.getByRole("button", { name: "All keys" }).click();
    await expect(page.locator("[data-row]")).toHaveCount(2);
    await clean();
    for (const key of ["grid", "done"]) await api(url, "DELETE", `/projects/${project_id}/env/${run}/${key}`);
    await expect(page.getByRole("heading", { name: "No shared values yet" })).toBeVisible();
    await clean();
  });

test("a dialog keeps the key it was opened for, whatever is stored and deleted meanwhile", async ({
  product,
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ 404 /);
  const { url } = product;
  const { project_id, run } = await keptRun(url, "Under the dialog");
  const row = (name: RegExp) => page.locator("[data-row]").filter({ hasText: name });
  await page.goto(`${url}/p/${project_id}/env`);
  await row(/grid/).click();
  await page.getByRole("region", { name: "Key grid" }).getByRole("button", { name: "Delete" }).click();
  const sure = page.getByRole("dialog", { name: "Delete grid" });
  await expect(sure).toBeVisible();
  await api(url, "DELETE", `/projects/${project_id}/env/${run}/grid`, {});
  await expect(row(/grid/)).toHaveCount(0);
  await sure.getByRole("button", { name: "Delete key" }).click();
  await expect(sure.getByRole("alert")).toContainText("grid not found in the environment data");
  await page.keyboard.press("Escape");
  await row(/done/).click();
  await expect(page.getByRole("region", { name: "Key done" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  // Without a run in the URL the page shows the newest run that has keys; now a newer one gets its first key.
  await page.goto(`${url}/p/${project_id}/env?new=1`);
  const add = page.getByRole("dialog", { name: "New key in run 1" });
  await add.getByLabel("Key").fill("note");
  const args = { target_strategy: "new", target_ref: "Keeper", instruction: "Keep another" };
  await api(url, "POST", `/projects/${project_id}/pmo/delegate_async:call`, { args });
  await expect(page.getByText("Run 2: Keep another")).toBeAttached();
  await add.getByRole("textbox", { name: "Value" }).fill("for run 1");
  await add.getByRole("button", { name: "Store" }).click();
  await expect(page).toHaveURL(new RegExp(`run=${run}`));
  await expect(page.getByRole("region", { name: "Key note" })).toContainText("for run 1");
});
