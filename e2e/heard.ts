// When a page reacts to keys and clicks: the server's HTML shows everything before React has hydrated it.
import type { Page } from "@playwright/test";

/** Returns when React has hydrated every control of `page` and its effects have run; after 10 s in any case. */
export async function heardBy(page: Page): Promise<void> {
  await page
    .waitForFunction(
      () => {
        const controls = [...document.querySelectorAll("body a, body button, body input, body select, body textarea")];
        return controls.every((node) => Object.keys(node).some((key) => key.startsWith("__reactProps$")));
      },
      undefined,
      { timeout: 10_000 },
    )
    // A page that React never takes over is for the test to judge: some have scripts switched off.
    .catch(() => undefined);
  await page
    .evaluate(
      () =>
        new Promise<void>((done) =>
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(), 0))),
        ),
    )
    .catch(() => undefined);
}
