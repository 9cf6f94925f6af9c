// Projects: created, renamed, archived, deleted; the demo; and the way from an empty project to its first run.
import { expectSound } from "./axe";
import { api, launchLead, makeProject } from "./scenes";
import { expect, test } from "./verbs";

test.describe.configure({ timeout: 60_000 });

test("creating a project shows faults next to the fields, and leads to its empty yard", async ({
  page,
  project,
  expectedErrors,
}) => {
  expectedErrors.push(/409/);
  await page.goto("/");
  await page
    .getByRole("button", { name: /^New project/ })
    .first()
    .click();
  const form = page.getByRole("form", { name: "New project" });
  await form.getByRole("button", { name: "Create" }).click();
  await expect(form.getByRole("alert")).toHaveText("Enter a name.");
  await form.getByLabel("Name").fill("A long night");
  await form.getByLabel("Id").fill("not an id");
  await expect(form.getByRole("alert")).toContainText("letters, digits");
  await form.getByLabel("Id").fill(project.project_id);
  await form.getByRole("button", { name: "Create" }).click();
  await expect(form.getByRole("alert")).toContainText("taken");
  await form.getByLabel("Id").fill("");
  await form.getByLabel("Name").press("Enter");
  await page.waitForURL(/\/p\/a-long-night/);
  await expect(page.getByRole("heading", { name: "The yard is empty" })).toBeVisible();
});

test("a project is renamed, archived and restored", async ({ page, project }) => {
  await page.goto("/");
  const row = page.getByRole("listitem").filter({ hasText: project.project_id });
  await row.getByRole("button", { name: /^Change/ }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  const title = `Renamed ${project.project_id.slice(-6)}`;
  await row.getByLabel("Title").fill(title);
  await page.keyboard.press("Enter");
  await expect(row.getByRole("link", { name: title })).toBeVisible();
  await row.getByRole("button", { name: /^Change/ }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expect(row).toBeHidden();
  await page.getByRole("button", { name: /archived project/ }).click();
  await row.getByRole("button", { name: /^Change/ }).click();
  await page.getByRole("menuitem", { name: "Restore from archive" }).click();
  await expect(page.getByRole("list", { name: "Projects" }).getByRole("link", { name: title })).toBeVisible();
});

test("deleting lists what is removed and asks for the name; a window that has the project open is told", async ({
  page,
  context,
  product,
}) => {
  const title = `To be deleted ${Date.now()}`;
  const project_id = await makeProject(product.url, title);
  await launchLead(product.url, project_id);
  const other = await context.newPage();
  await other.goto(`${product.url}/p/${project_id}/boxes`);
  await page.goto("/");
  const row = page.getByRole("listitem").filter({ hasText: project_id });
  await row.getByRole("button", { name: /^Change/ }).click();
  await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${title}` });
  await expect(dialog).toContainText(/Takes 1 run, \d+ turns?, /);
  await expect(dialog.getByRole("button", { name: "Delete for good" })).toBeDisabled();
  await dialog.getByRole("textbox").fill(title);
  await dialog.getByRole("button", { name: "Delete for good" }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toBeHidden();
  await expect(other.getByRole("heading", { name: "This project was deleted" })).toBeVisible({ timeout: 20_000 });
  await other.close();
});

test("the demo is one click away; removing it asks, can be undone, and work in it can be kept", async ({
  page,
  product,
  expectedErrors,
}) => {
  // Two visits of the demo and all of its removal: a second try would find the demo removed.
  test.setTimeout(150_000);
  // What the page requests while it is being left is already refused.
  expectedErrors.push(/404/);
  const { url } = product;
  await page.goto("/");
  await page.getByRole("button", { name: "Run the demo" }).click();
  await page.waitForURL(/\/p\/demo\?run=/);
  await expect(page.getByText("The demo's agents are scripted, with real waiting times.")).toBeVisible();
  await expect(page.getByRole("option", { name: /Demo_Planner/ })).toBeVisible();

  // Untouched, it contains only the demo's own data. Once removed, it is gone for everybody at once, and can be restored whole.
  await page.getByRole("button", { name: "Remove the demo" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove the demo?" });
  await expect(dialog).toContainText("Nothing in it was added by people.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Remove the demo" }).click();
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await page.waitForURL(`${url}/`);
  const row = page
    .getByRole("list", { name: "Projects", exact: true })
    .getByRole("listitem")
    .filter({ hasText: "Demo:" });
  const removed = page.getByRole("list", { name: "Removed projects" });
  await expect(removed).toContainText("Demo: a scripted research run is removed.");
  await expect(row).toBeHidden();
  await expect(api(url, "GET", "/projects/demo")).rejects.toThrow("404");
  await page.reload();
  await removed.getByRole("button", { name: "Undo" }).click();
  await expect(row).toBeVisible();
  await expect(removed).toBeHidden();
  await expect(row).toContainText("1 run");

  // What people did there is listed before it is deleted, and can be kept.
  const yaml = "name: Mine\nllm_config: { provider: script, script: [{ deliver: Hello }] }\n";
  await api(url, "POST", "/projects/demo/profiles", yaml, "text/yaml");
  await api(url, "POST", "/projects/demo/pmo/delegate_async:call", {
    args: { target_strategy: "new", target_ref: "Mine", instruction: "Greet" },
  });
  await row.getByRole("button", { name: "Remove the demo" }).click();
  await expect(dialog).toContainText("Not part of the demo: 1 run with 1 turn, 1 agent");
  await expect(dialog).toContainText("1 profile added or changed");
  await dialog.getByRole("button", { name: "Keep as an ordinary project" }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByRole("button", { name: "Remove the demo" })).toBeHidden();
  await page.goto("/p/demo");
  await expect(page.getByRole("button", { name: "Remove the demo" })).toBeHidden();
  await expect(page.getByRole("application", { name: /Track plan/ })).toBeVisible();
  await api(url, "DELETE", "/projects/demo");
});

test("the empty yard advances with each step that is done, up to a run started elsewhere", async ({
  page,
  product,
}) => {
  const { project_id } = await api<{ project_id: string }>(product.url, "POST", "/projects", { title: "First steps" });
  await page.goto(`/p/${project_id}`);
  await expect(page.getByRole("status").filter({ hasText: "has no profile yet" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Start a worker" })).toContainText("takes every target");
  const yaml = "name: Greeter\nllm_config: { provider: script, script: [{ deliver: Hello }] }\n";
  await api(product.url, "POST", `/projects/${project_id}/profiles`, yaml, "text/yaml");
  await expect(page.getByRole("status").filter({ hasText: "Everything is ready" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Greeter" })).toBeVisible();
  await api(product.url, "POST", `/projects/${project_id}/pmo/delegate_async:call`, {
    args: { target_strategy: "new", target_ref: "Greeter", instruction: "Greet" },
  });
  await expect(page.getByRole("option", { name: /Greeter/ })).toBeVisible();
});

test("axe finds no fault in projects and the empty yard, in either theme", async ({ page, product }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/");
  await page
    .getByRole("button", { name: /^New project/ })
    .first()
    .click();
  await expectSound(page, "projects", "all");
  const { project_id } = await api<{ project_id: string }>(product.url, "POST", "/projects", { title: "Axe" });
  await page.goto(`/p/${project_id}`);
  await expect(page.getByRole("heading", { name: "The yard is empty" })).toBeVisible();
  await expectSound(page, "empty yard", "all");
});

test("the palette finds turns, boxes and profiles of this project, and offers the page's actions", async ({
  page,
  openYard,
  launch,
}) => {
  await openYard();
  await launch({ profile: "Echo", instruction: "Look for the lighthouse" });
  await page.keyboard.press("Control+k");
  const input = page.getByPlaceholder("Search, or run a command");
  await input.fill("lighthouse");
  await expect(page.getByRole("option", { name: /lighthouse/ }).first()).toBeVisible();
  await input.fill("#");
  await expect(page.getByRole("option", { name: /output box/ }).first()).toBeVisible();
  await input.fill("@echo");
  await expect(page.getByRole("option", { name: /profile, worker_generic/ })).toBeVisible();
  await input.fill("> import");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Import runs" })).toBeVisible();
});
