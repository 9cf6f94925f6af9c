// A context pack on its way: built by a launch, named by the turn that reads it, and told apart once somebody has changed what it
// was built from.
import type { Page } from "@playwright/test";
import pg from "pg";
import { expect, test } from "./fixtures";
import { api, makeProject } from "./scenes";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Launch a turn" });

test("a launch builds a pack for its task; the pack names the box that holds it, and its turn leads back", async ({
  product: { url },
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ 400 | 422 /);
  const project_id = await makeProject(url, "Packs that travel", { isBrisk: true });
  await page.goto(`${url}/p/${project_id}?launch=1&target=new:Hand`);
  await dialog(page).getByLabel("Instruction").fill("Weigh the wagons.\nThen say what they weigh.");
  await dialog(page).getByLabel("Context pack", { exact: true }).selectOption("build");
  const goal = dialog(page).getByLabel("Goal of the pack");
  await expect(goal).toHaveValue("Weigh the wagons.");
  // What the kernel refuses stands at its field.
  await goal.fill("");
  await expect(dialog(page).getByRole("alert").filter({ hasText: /goal/ }).first()).toBeVisible();
  await goal.fill("Know what each wagon weighs.");
  await dialog(page)
    .getByLabel("Definition of done, one per line")
    .fill("Each wagon has a figure\n\nNo figure is guessed");
  const seen = dialog(page).getByRole("region", { name: "What it will see" });
  await expect(seen.getByRole("listitem").filter({ hasText: "context.pack" })).toContainText("Know what each wagon");
  // Nothing of it is lost by a reload.
  await page.reload();
  await expect(goal).toHaveValue("Know what each wagon weighs.");
  await expect(seen.getByRole("listitem").filter({ hasText: "context.pack" })).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/run=.*turn=/);
  const turn = new URL(page.url()).searchParams.get("turn") ?? "";

  await page.goto(`${url}/p/${project_id}/turns/${turn}`);
  await page.getByRole("link", { name: /^Context pack P-/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Know what each wagon weighs." })).toBeVisible();
  await expect(page.getByRole("article", { name: "Pack" })).toContainText("No figure is guessed");
  const budget = page.getByRole("region", { name: "Budget" });
  await expect(budget).toContainText("Boxes that hold it1");
  await budget.getByRole("link", { name: /context of Hand/ }).click();
  await expect(page).toHaveURL(/\/boxes\/.*card=\d/);
});

test("a pack whose source somebody changed in the store says which digest no longer holds, and what to do", async ({
  product: { url, database_url },
  page,
}) => {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title: "Tampered" });
  const { cards } = await api<{ cards: { card_id: string }[] }>(url, "POST", `/projects/${project_id}/cards`, {
    cards: [{ type: "note", author_id: "t", content: { kind: "text", text: "Axle load: 22.5 tonnes." } }],
  });
  const { sha256 } = await api<{ sha256: string }>(url, "POST", `/projects/${project_id}/context-packs`, {
    goal: "State the axle load.",
    definition_of_done: ["One figure"],
    from_cards: cards.map(({ card_id }) => card_id),
  });
  await page.goto(`${url}/p/${project_id}/packs/${sha256}`);
  const seal = page.locator(".cpack-seal");
  await page.getByRole("button", { name: "Rebuild" }).click();
  await expect(seal).toContainText("Rebuilt, same bytes");

  const client = new pg.Client({ connectionString: database_url });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `UPDATE resource.artifacts SET bytes = convert_to(replace(convert_from(bytes, 'UTF8'), '22.5', '99.9'), 'UTF8')
       WHERE project_id = $1 AND sha256 IN (SELECT s.sha256 FROM resource.context_pack_sources s WHERE s.project_id = $1)`,
      [project_id],
    );
    expect(rowCount).toBeGreaterThan(0);
  } finally {
    await client.end();
  }
  await page.getByRole("button", { name: "Rebuild" }).click();
  await expect(seal).toContainText("A source was changed");
  await expect(seal).toContainText("Restore it from a backup before you trust this pack.");
});
