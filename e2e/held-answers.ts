// A browser with a slow server: every answer is held until the test releases it, layer by layer, and each layer is
// checked. What the server has prefetched for a page is hidden from the browser, so that the page requests everything itself,
// as it does when the server's own prefetch has failed.
import type { Page, Route } from "@playwright/test";
import { expect } from "./fixtures";

export type Sight = {
  /** Every piece of text that can be seen, except the breadcrumbs, which name what the address names. */
  texts: string[];
  /** The sum of all layout shifts since the page was opened, and what moved. */
  shift: number;
  moved: string[];
};

export type HeldAnswers = {
  /** Opens an address inside the running page, as a link does. */
  open: (address: string) => Promise<void>;
  /** What is visible now, when the page is idle. */
  look: () => Promise<Sight>;
  /** Releases the held answers and returns their names; null if nothing new has been requested. */
  release: () => Promise<string[] | null>;
  /** Stops holding answers. */
  letGo: () => Promise<void>;
};

type Held = { route: Route; key: string };

export async function holdAnswers(page: Page, url: string): Promise<HeldAnswers> {
  let held: Held[] = [];
  let isHolding = true;
  const answered = new Set<string>();
  await page.addInitScript(watchShifts);
  await page.route("**/api/trpc/**", async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const names = pathname.split("/").at(-1) ?? "";
    // A stream never ends, so it is not waited for.
    if (!isHolding || names === "graph.stream") return route.continue();
    held.push({ route, key: `${names} ${search} ${route.request().postData() ?? ""}` });
  });
  await page.route(
    (at) => at.searchParams.has("_rsc"),
    async (route) => {
      const headers = route.request().headers();
      if (headers.rsc === undefined || headers["next-router-prefetch"] !== undefined) return route.continue();
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('"queryHash":"[[', '"queryHash":"{[');
      await route.fulfill({ response, body });
    },
  );
  await page.goto(url);
  await expect.poll(() => page.evaluate("typeof window.next?.router?.push")).toBe("function");
  const rest = () => page.waitForTimeout(350);
  return {
    async open(address) {
      held = await letGo(held, answered);
      answered.clear();
      await page.evaluate(`window.next.router.push(${JSON.stringify(address)})`);
      await page.waitForURL((at) => `${at.pathname}${at.search}`.startsWith(address));
      await expect.poll(() => held.length).toBeGreaterThan(0);
      await rest();
      await page.evaluate("window.shifts.length = 0");
    },
    async look() {
      return { texts: await page.evaluate(visibleTexts), ...(await page.evaluate(readShifts)) };
    },
    async release() {
      const fresh = held.filter(({ key }) => !answered.has(key));
      if (fresh.length === 0) return null;
      held = await letGo(held, answered);
      await rest();
      return fresh.map(({ key }) => key.split(" ")[0] ?? "");
    },
    async letGo() {
      isHolding = false;
      held = await letGo(held, answered);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    },
  };
}

async function letGo(held: readonly Held[], answered: Set<string>): Promise<Held[]> {
  for (const { key } of held) answered.add(key);
  // A request that the page has aborted meanwhile cannot be continued; nothing waits for it.
  await Promise.all(
    held.map(async ({ route }) => {
      const request = route.request();
      await route.continue().catch(() => undefined);
      await request.response().catch(() => null);
    }),
  );
  return [];
}

type Shift = { value: number; nodes: string[] };

/** Runs in the page. */
function watchShifts() {
  const shifts: Shift[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Node | null }[] };
      const nodes = sources.map(({ node }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        return `${element?.tagName.toLowerCase()}.${element?.className} "${element?.textContent?.slice(0, 40)}"`;
      });
      shifts.push({ value, nodes });
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Runs in the page. */
function readShifts(): { shift: number; moved: string[] } {
  const { shifts } = window as unknown as { shifts: Shift[] };
  return { shift: shifts.reduce((sum, { value }) => sum + value, 0), moved: shifts.flatMap(({ nodes }) => nodes) };
}

/** Runs in the page. */
function visibleTexts(): string[] {
  const texts: string[] = [];
  // The marks of a time axis move with the clock.
  const passedOver =
    "script, style, title, [aria-label=Breadcrumbs], [role=tooltip], .timeline-axis, .board-tick-label";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? "";
    const parent = node.parentElement;
    if (text === "" || !parent || parent.closest(passedOver)) continue;
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { width, height } = parent.getBoundingClientRect();
    if (width > 1 && height > 1) texts.push(text);
  }
  // Text for screen readers, and text shown on hover, counts too.
  for (const element of document.querySelectorAll("[title], [aria-label]"))
    if (element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      for (const name of ["title", "aria-label"]) {
        const text = element.getAttribute(name)?.trim();
        if (text) texts.push(`${name}: ${text}`);
      }
  return texts;
}
