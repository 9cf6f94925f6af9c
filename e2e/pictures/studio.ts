// A product of its own and a page as the pictures of the docs show it: light, 1280 x 800, and nothing that moves.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { chromium, type Page } from "@playwright/test";
import { launchOptions } from "../browser";
import { expect as expectSoon } from "../fixtures";
import { serve, stop } from "../serve";

export type Studio = {
  url: string;
  page: Page;
  /** Takes one into the folder, when nothing moves any more and what was said is gone. */
  take: (name: string) => Promise<void>;
};

/** A picture can wait for a busy machine; without the settings of the tests it was 5 s. */
export const expect = expectSoon.configure({ timeout: 60_000 });

const size = { width: 1280, height: 800 };
/** A message at the edge of the screen stays for so long. */
const settledMs = 7_000;

/** `folder` is below docs, or a whole path. */
export async function inStudio(
  { folder, env = {} }: { folder: string; env?: Record<string, string> },
  work: (studio: Studio) => Promise<void>,
): Promise<void> {
  const into = path.resolve(import.meta.dirname, "../../docs", folder);
  mkdirSync(into, { recursive: true });
  const product = await serve(env);
  const browser = await chromium.launch(launchOptions);
  try {
    const { url } = product;
    const page = await browser.newPage({ viewport: size, colorScheme: "light", baseURL: url });
    await work({
      url,
      page,
      async take(name) {
        await page.waitForTimeout(settledMs);
        await page.screenshot({ path: path.join(into, `${name}.png`) });
      },
    });
  } finally {
    await browser.close();
    await stop(product);
  }
}
