// What every spec starts from: the running product, a page that reacts to what is typed, and a console that stays clean.
import { test as base, expect } from "@playwright/test";
import { heardBy } from "./heard";
import type { Product } from "./serve";

type Fixtures = {
  product: Product;
  /** Patterns of console errors that this test causes on purpose. */
  expectedErrors: RegExp[];
  cleanConsole: undefined;
};

export const test = base.extend<Fixtures>({
  product: async ({ browserName: _browserName }, use) => {
    await use(JSON.parse(process.env.E2E_PRODUCT ?? "null"));
  },
  baseURL: async ({ product }, use) => use(product.url),
  expectedErrors: async ({ browserName: _browserName }, use) => use([]),
  page: async ({ page }, use) => {
    const goto = page.goto.bind(page);
    const reload = page.reload.bind(page);
    page.goto = async (url, options) => {
      const answer = await goto(url, options);
      await heardBy(page);
      return answer;
    };
    page.reload = async (options) => {
      const answer = await reload(options);
      await heardBy(page);
      return answer;
    };
    await use(page);
  },
  cleanConsole: [
    async ({ page, context, expectedErrors }, use) => {
      const errors: string[] = [];
      // On every page of the test, also errors that a script caught: the browser does not always write them to the console.
      await context.addInitScript(() =>
        addEventListener("securitypolicyviolation", (report) =>
          console.warn(`reported: ${report.violatedDirective} ${report.blockedURI} ${report.sourceFile}`),
        ),
      );
      context.on("console", (message) => {
        if (/^reported: |Content Security Policy/.test(message.text()) && message.type() !== "error")
          errors.push(message.text());
      });
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(`${message.text()} (${message.location().url})`);
      });
      page.on("pageerror", (error) => errors.push(error.stack ?? error.message));
      await use(undefined);
      expect(errors.filter((error) => !expectedErrors.some((pattern) => pattern.test(error)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
