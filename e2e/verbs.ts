// What a person does with the product, as verbs; each test has its own project.
import type { Locator } from "@playwright/test";
import { test as base, expect } from "./fixtures";
import { api } from "./scenes";

export type Launched = { root_turn_id: string; agent_turn_id: string };

export type Verbs = {
  /** A project for this test only, with the profile Echo, which answers at once. */
  project: { project_id: string; title: string };
  /** `search` as in a URL: "?launch=1". */
  openYard: (search?: string) => Promise<void>;
  /** Through the composer, as a person would; resolves on the yard with the new turn selected. */
  launch: (input: { profile: string; instruction: string }) => Promise<Launched>;
  /** Through the import panel. */
  importFile: (...files: { name: string; text: string }[]) => Promise<Locator>;
};

const echo = `
name: Echo
description: Says again what it was told.
llm_config:
  provider: script
  script:
    - { deliver: "Heard: {instruction}" }
`;

export const test = base.extend<Verbs>({
  project: async ({ product }, use, info) => {
    const title = `${info.title.slice(0, 60)} ${info.workerIndex}`;
    const { project_id } = await api<{ project_id: string }>(product.url, "POST", "/projects", { title });
    await api(product.url, "POST", `/projects/${project_id}/profiles`, echo, "text/yaml");
    await use({ project_id, title });
  },

  openYard: async ({ page, project }, use) => {
    await use(async (search = "") => {
      await page.goto(`/p/${project.project_id}${search}`);
      // Not by its role: behind an open dialog it has none.
      await expect(page.locator("nav[aria-label=Breadcrumbs]")).toContainText(project.title);
    });
  },

  launch: async ({ page }, use) => {
    await use(async ({ profile, instruction }) => {
      await page.keyboard.press("l");
      const dialog = page.getByRole("dialog", { name: "Launch a turn" });
      await dialog.getByLabel("Instruction").fill(instruction);
      await dialog.getByRole("button", { name: /^Profile/ }).click();
      await page.getByPlaceholder("Find a profile").fill(profile);
      await page.getByRole("option", { name: new RegExp(`^${profile}`) }).click();
      const button = dialog.getByRole("button", { name: /^Launch/ });
      await expect(button).not.toHaveAttribute("aria-disabled", "true");
      await button.click();
      await page.waitForURL(/[?&]turn=/);
      await expect(dialog).toBeHidden();
      const at = new URL(page.url()).searchParams;
      return { root_turn_id: at.get("run") ?? "", agent_turn_id: at.get("turn") ?? "" };
    });
  },

  importFile: async ({ page }, use) => {
    await use(async (...files) => {
      const dialog = page.getByRole("dialog", { name: "Import runs" });
      if (!(await dialog.isVisible())) await page.keyboard.press("Control+k");
      if (!(await dialog.isVisible())) {
        await page.getByPlaceholder("Search, or run a command").fill("> import a run");
        await page.keyboard.press("Enter");
      }
      await expect(dialog).toBeVisible();
      await dialog
        .getByLabel("Files to import")
        .setInputFiles(
          files.map(({ name, text }) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) })),
        );
      return dialog;
    });
  },
});

export { expect };
