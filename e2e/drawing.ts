// What a person does in the composer, as verbs, and where to look.
import type { Page } from "@playwright/test";
import { expect } from "./fixtures";
import { api } from "./scenes";

const profiles = ["Planner", "Searcher", "Expert", "Reader"];

export async function projectWith(url: string, title: string): Promise<{ project: string; box: string }> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  for (const name of profiles)
    await api(
      url,
      "POST",
      `/projects/${project_id}/profiles`,
      `name: ${name}\nllm_config: { provider: script, script: [{ deliver: "{instruction}" }] }\n`,
      "text/yaml",
    );
  const { box_id } = await api<{ box_id: string }>(url, "POST", `/projects/${project_id}/boxes`, {
    cards: [{ type: "context.pack", role: "user", content: { kind: "text", text: "House style: short sentences." } }],
  });
  return { project: project_id, box: box_id };
}

/** A wagon or a task for Reader, named and told by its id. */
export const step = (id: string, more: object = {}) => ({
  id,
  title: id,
  target: { ref: "Reader" },
  instruction: id,
  ...more,
});
export const plate = (box: string) => box.slice(-4).toUpperCase();
export const canvas = (page: Page) => page.getByRole("application", { name: /^Plan of / });
export const wagon = (page: Page, place: string) => page.locator(`.react-flow__node[data-id="${place}"]`);
export const inspector = (page: Page) => page.getByRole("complementary", { name: "Inspector" });
export const saved = (page: Page) => expect(page.getByText(/^saved \d/)).toBeVisible();

/** From the shelf to a point of the canvas, from its upper left corner. */
export async function dragUp(page: Page, name: string, to: { x: number; y: number }): Promise<void> {
  const entry = page
    .getByRole("region", { name: "Shelf" })
    .getByRole("button", { name: new RegExp(name) })
    .first();
  const from = await entry.boundingBox();
  const ground = await canvas(page).boundingBox();
  if (!from || !ground) throw new Error(`${name} is not on the shelf`);
  await page.mouse.move(from.x + 30, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(ground.x + to.x, ground.y + to.y, { steps: 8 });
  await page.mouse.up();
}

export async function couple(page: Page, from: string, to: string, keys: readonly string[] = []): Promise<void> {
  await wagon(page, from).hover();
  const handle = await page.locator(`[data-coupling="${from}"]`).boundingBox();
  const target = await wagon(page, to).boundingBox();
  if (!handle || !target) throw new Error(`${from} to ${to} cannot be drawn`);
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 10 });
  await page.mouse.up();
  for (const key of keys) await page.keyboard.up(key);
}

export async function bodyOf(page: Page, url: string, project: string): Promise<Record<string, unknown>> {
  await saved(page);
  const draft = new URL(page.url()).searchParams.get("draft") ?? "";
  const { body } = await api<{ body: Record<string, unknown> }>(
    url,
    "GET",
    `/projects/${project}/plan-drafts/${draft}`,
  );
  return body;
}
