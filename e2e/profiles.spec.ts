// Profiles by hand: write one, see what is wrong with it, change it, delete it; and see the changes of others.
import { axeOf } from "./axe";
import { expect, test } from "./fixtures";
import { api, makeProject } from "./scenes";

const good = `name: Weaver
description: Weaves what it is handed.
tags: [cloth]
colour: red
delegation_policy: { target_tags: [cloth], target_profiles: [Hand] }
llm_config: { provider: script, script: [{ deliver: Woven }] }
`;

test("a profile is uploaded, edited and deleted", async ({ product, page, expectedErrors }) => {
  expectedErrors.push(/ 409 /);
  const project = await makeProject(product.url, "Profiles by hand");
  await page.goto(`${product.url}/p/${project}/profiles`);
  await page.getByRole("button", { name: "From a file" }).click();
  const dialog = page.getByRole("dialog", { name: "New profile" });
  await dialog.locator("input[type=file]").setInputFiles({
    name: "weaver.yaml",
    mimeType: "application/yaml",
    buffer: Buffer.from(good),
  });
  await expect(dialog.getByLabel("YAML")).toHaveValue(good);
  await dialog.getByRole("button", { name: "Save profile" }).click();
  // Warned before it is saved, and not after.
  await expect(dialog.getByRole("list", { name: "Warnings" })).toContainText('unknown key "colour"');
  await expect(page.locator("[data-row]")).toHaveCount(2);
  await dialog.getByRole("button", { name: "Save anyway" }).click();
  await expect(page).toHaveURL(/\/profiles\/Weaver$/);
  await expect(page.getByRole("heading", { level: 1, name: "Weaver" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Warnings" })).toContainText('unknown key "colour"');
  await expect(page.getByText("Can delegate to Hand, as long as it is tagged cloth.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Launch", exact: true }).last()).toHaveAttribute(
    "href",
    /launch=1&target=new%3AWeaver/,
  );

  await page.getByRole("button", { name: "Edit" }).click();
  const edit = page.getByRole("dialog", { name: "Edit Weaver" });
  await expect(edit).toContainText("Existing agents keep their version");
  const text = await edit.getByLabel("YAML").inputValue();
  await edit.getByLabel("YAML").fill(text.replace("name: Weaver", "name: weaver"));
  await edit.getByRole("button", { name: "Save new version" }).click();
  await edit.getByRole("button", { name: "Save anyway" }).click();
  await expect(edit.getByRole("alert")).toContainText("only by case");
  await edit.getByLabel("YAML").fill(text.replace("Weaves", "Knits").replace("colour: red\n", ""));
  await edit.getByRole("button", { name: "Save new version" }).click();
  await expect(edit).toBeHidden();
  await expect(page.getByText("Knits what it is handed.").first()).toBeVisible();
  await expect(page.getByRole("list", { name: "Warnings" })).toBeHidden();

  await page.getByRole("button", { name: "Delete" }).click();
  const remove = page.getByRole("dialog", { name: "Delete Weaver" });
  await expect(remove).toContainText("You can't create new agents from Weaver");
  await remove.getByRole("button", { name: "Delete profile" }).click();
  await expect(page).toHaveURL(/\/profiles$/);
  await expect(page.locator("[data-row]")).toHaveCount(2);
});

test("a value that can never run is reported before saving, with the accepted values, and saving takes a second click", async ({
  product,
  page,
}) => {
  const project = await makeProject(product.url, "Warned");
  await page.goto(`${product.url}/p/${project}/profiles?new=1`);
  const dialog = page.getByRole("dialog", { name: "New profile" });
  const text = (effort: string) =>
    `name: Scout\nllm_config: { model: openai/gpt-5-mini, reasoning_effort: ${effort} }\nallowed_tools: [web.search]\n`;
  const warnings = dialog.getByRole("list", { name: "Warnings" });
  await dialog.getByLabel("YAML").fill(text("extreme"));
  await dialog.getByRole("button", { name: "Save profile" }).click();
  await expect(warnings.getByRole("listitem")).toHaveText([
    "llm_config.reasoning_effort: extreme is not accepted; write one of none, minimal, low, medium, high, xhigh, max",
    "allowed_tools: web.search is not a tool of this project. Add the tool or an MCP server that has it, or remove the name",
  ]);
  expect(await api<{ items: unknown[] }>(product.url, "GET", `/projects/${project}/profiles`)).toMatchObject({
    items: expect.not.arrayContaining([expect.objectContaining({ name: "Scout" })]),
  });
  // A tool with a dot in its name exists from now on: corrected text is checked again, and saved at once.
  await api(product.url, "POST", `/projects/${project}/tools`, { tool_name: "web.search" });
  await dialog.getByLabel("YAML").fill(text("low"));
  await expect(warnings).toBeHidden();
  await dialog.getByRole("button", { name: "Save profile" }).click();
  await expect(page).toHaveURL(/\/profiles\/Scout$/);
  await expect(page.getByRole("list", { name: "Warnings" })).toBeHidden();
});

test("bad YAML shows its line, and the text survives closing the dialog and a reload", async ({
  product,
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ 400 /);
  const project = await makeProject(product.url, "Bad YAML");
  await page.goto(`${product.url}/p/${project}/profiles?new=1`);
  const dialog = page.getByRole("dialog", { name: "New profile" });
  const field = dialog.getByLabel("YAML");
  await expect(field).toHaveValue(/worker_target/);
  const bad = "name: Broken\ntags: [a]\nmax_steps: many\n";
  await field.fill(bad);
  await dialog.getByRole("button", { name: "Save profile" }).click();
  await expect(dialog.getByRole("alert")).toContainText("max_steps");
  await expect(dialog.getByRole("alert")).toContainText("from 1 to 1000");
  await expect(dialog.getByRole("button", { name: "Go to line 3" })).toBeVisible();
  expect(
    await field.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd)),
  ).toBe("max_steps: many");
  await field.fill('name: Broken\ntags: ["open\nmax_steps: 3\n');
  await dialog.getByRole("button", { name: "Save profile" }).click();
  await expect(dialog.getByRole("alert")).toContainText(/not YAML: line \d/);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  // The URL follows a moment later; a reload before that opens the dialog again.
  await expect(page).not.toHaveURL(/new=1/);
  await page.reload();
  await page.getByRole("button", { name: "New profile" }).click();
  await expect(field).toHaveValue(/tags: \["open/);
});

test("a file dropped on the list is read as a profile, and no typed text is lost", async ({ product, page }) => {
  const project = await makeProject(product.url, "Dropped profile");
  await page.goto(`${product.url}/p/${project}/profiles?new=1`);
  const dialog = page.getByRole("dialog", { name: "New profile" });
  const field = dialog.getByLabel("YAML");
  await field.fill("name: Half");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "weaver.yaml"));
    return transfer;
  }, good);
  await page.dispatchEvent("main", "dragenter", { dataTransfer: data });
  await expect(page.getByText("Drop to read as a profile")).toBeVisible();
  await page.dispatchEvent("main", "drop", { dataTransfer: data });
  await expect(field).toHaveValue(good);
  await dialog.getByRole("button", { name: "Restore my text" }).click();
  await expect(field).toHaveValue("name: Half");
});

test("what others save and delete appears by itself; the filter is in the URL", async ({ product, page }) => {
  const project = await makeProject(product.url, "Others");
  await page.goto(`${product.url}/p/${project}/profiles`);
  await expect(page.locator("[data-row]")).toHaveCount(2);
  await api(product.url, "POST", `/projects/${project}/profiles`, good, "text/yaml");
  await expect(page.locator("[data-row]", { hasText: "Weaver" })).toBeVisible();
  await page.getByRole("searchbox", { name: /Name, tag/ }).fill("cloth");
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await expect(page).toHaveURL(/q=cloth/);
  await api(product.url, "DELETE", `/projects/${project}/profiles/Weaver`);
  await expect(page.getByText("No matching profiles")).toBeVisible();
});

for (const theme of ["dark", "light"] as const)
  test(`the open dialog and a warned profile on a phone, ${theme}: no violation of WCAG AA, nothing runs off`, async ({
    product,
    page,
    expectedErrors,
  }) => {
    expectedErrors.push(/ 400 /);
    const project = await makeProject(product.url, `Phone ${theme}`);
    await api(product.url, "POST", `/projects/${project}/profiles`, good, "text/yaml");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.addInitScript((value) => localStorage.setItem("switchyard-theme", value), theme);
    await page.goto(`${product.url}/p/${project}/profiles/Weaver?edit=1`);
    const dialog = page.getByRole("dialog", { name: "Edit Weaver" });
    await dialog.getByLabel("YAML").fill("name: Weaver\nmax_steps: many");
    await dialog.getByRole("button", { name: "Save new version" }).click();
    await expect(dialog.getByRole("alert")).toBeVisible();
    const check = async () => {
      const { violations } = await axeOf(page)
        .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
        .analyze();
      expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(" | ")}`)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    };
    await check();
    await dialog.getByLabel("YAML").fill("name: Weaver\ncolour: red");
    await dialog.getByRole("button", { name: "Save new version" }).click();
    await expect(dialog.getByRole("button", { name: "Save anyway" })).toBeVisible();
    await check();
    await page.screenshot({ path: `test-results/warned-${theme}.png` });
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await check();
  });
