// Axe, in the page itself. By default it opens another page for each look, to reach frames of other origins: twice the time, and
// the product has no frames (walls.spec.ts).
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

export const axeOf = (page: Page): AxeBuilder => new AxeBuilder({ page }).setLegacyMode(true);
