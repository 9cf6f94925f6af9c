// When a page reacts to keys and clicks: the server's HTML shows everything before React has hydrated it. And when it has come
// to rest, to be looked at as a whole.
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

/**
 * Returns when the fonts are there, no skeleton is shown, nothing that ends is moving, and nothing has changed for 300 ms; after
 * 5 s in any case: a page that shows running work changes all the time.
 */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const quietMs = 300;
    const begun = performance.now();
    let changed = begun;
    const changes = new MutationObserver(() => {
      changed = performance.now();
    });
    changes.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    const isMoving = () =>
      document
        .getAnimations()
        .some((one) => one.playState === "running" && one.effect?.getComputedTiming().endTime !== Infinity);
    const isWaiting = () => document.fonts.status === "loading" || document.querySelector(".skeleton") !== null;
    for (;;) {
      await new Promise((done) => setTimeout(done, 50));
      const now = performance.now();
      if (now - begun > 5_000 || (now - changed > quietMs && !isWaiting() && !isMoving())) break;
    }
    changes.disconnect();
  });
}

/** Returns when what has just changed is drawn and nothing that ends is moving; after 2 s in any case. Sooner than `atRest`. */
export async function atPause(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const begun = performance.now();
    const isMoving = () =>
      document
        .getAnimations()
        .some((one) => one.playState === "running" && one.effect?.getComputedTiming().endTime !== Infinity);
    do {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))));
    } while (isMoving() && performance.now() - begun < 2_000);
  });
}
