// Axe, in the page itself and without its wrapper for browser tests, which sends the half megabyte of axe for each look, and opens
// another page to reach frames of other origins: the product has none (walls.spec.ts).
import { expect, type Page } from "@playwright/test";
import axe, { type Result, type RunOptions } from "axe-core";
import { atPause, atRest } from "./heard";

/** A look at `page` as it is. What axe found good is not described: that took longer than the look. */
export const axeOf = (page: Page): AxeLook => new AxeLook(page);

class AxeLook {
  private readonly context: { include: string[][]; exclude: string[][] } = { include: [], exclude: [] };
  private readonly options: RunOptions = { resultTypes: ["violations"] };

  constructor(private readonly page: Page) {}

  include(selector: string): this {
    this.context.include.push([selector]);
    return this;
  }

  exclude(selector: string): this {
    this.context.exclude.push([selector]);
    return this;
  }

  withTags(values: string[]): this {
    this.options.runOnly = { type: "tag", values };
    return this;
  }

  withRules(...values: string[]): this {
    this.options.runOnly = { type: "rule", values };
    return this;
  }

  /** Waits until nothing moves: in the middle of a change of colour, the contrast is wrong. */
  async analyze(): Promise<{ violations: Result[] }> {
    await atPause(this.page);
    const { include, exclude } = this.context;
    const context = { exclude, ...(include.length > 0 && { include }) };
    const run = (): Promise<Result[] | null> =>
      this.page.evaluate(
        async ([context, options]) => {
          const { axe } = window as unknown as { axe?: typeof import("axe-core") };
          if (!axe) return null;
          // A tooltip that stands under a pointer by chance belongs to no landmark, and need not.
          const isTooltip = (target: unknown) =>
            document.querySelector(String(target))?.querySelector("[role=tooltip]") != null;
          return (await axe.run(context, options)).violations
            .map((one) =>
              one.id === "region" ? { ...one, nodes: one.nodes.filter(({ target }) => !isTooltip(target[0])) } : one,
            )
            .filter(({ nodes }) => nodes.length > 0);
        },
        [context, this.options] as const,
      );
    const first = await run();
    if (first) return { violations: first };
    await this.page.evaluate(axe.source);
    const violations = await run();
    if (!violations) throw new Error("axe did not stay in the page");
    return { violations };
  }
}

/** Rules of WCAG 2.2, A and AA; "all" has the advice of axe too. */
type Rules = "wcag" | "all";
const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Expects that axe finds nothing in `page` as it is, in either theme. A theme is colours and nothing else, so the second one is
 * looked at for contrast alone. `what` names the state in a failure.
 */
export async function expectSound(page: Page, what: string, rules: Rules = "wcag"): Promise<void> {
  const root = page.locator("html");
  const scheme = (await root.getAttribute("data-theme")) === "light" ? "light" : "dark";
  const other = scheme === "light" ? "dark" : "light";
  await atRest(page);
  await expectNone(page, `${what}, ${scheme}`, rules);
  await page.emulateMedia({ colorScheme: other });
  await expect(root).toHaveAttribute("data-theme", other);
  await atRest(page);
  await expectNone(page, `${what}, ${other}`, "contrast");
  await page.emulateMedia({ colorScheme: scheme });
  await expect(root).toHaveAttribute("data-theme", scheme);
}

async function expectNone(page: Page, what: string, rules: Rules | "contrast"): Promise<void> {
  // The mark of the graph library is not ours to colour.
  const axe = axeOf(page).exclude(".react-flow__attribution");
  if (rules === "wcag") axe.withTags(wcag);
  if (rules === "contrast") axe.withRules("color-contrast");
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))]);
  expect(found, what).toEqual([]);
}
