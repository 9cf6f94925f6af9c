// Axe, in the page itself. By default it opens another page for each look, to reach frames of other origins: twice the time, and
// the product has no frames (walls.spec.ts).
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import axe from "axe-core";
import { atRest } from "./heard";

/** By itself it loads its half megabyte twice for each look; a page that has it keeps it. */
const axeSource = `if (!window.axe) {${axe.source}}`;

/** What it found good is not described: a description of each element took longer than the look. */
export const axeOf = (page: Page): AxeBuilder =>
  new AxeBuilder({ page, axeSource }).setLegacyMode(true).options({ resultTypes: ["violations"] });

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
