// The pages to photograph. A picture's name is <page>-<project>.png.
import { test } from "./fixtures";

const pages: Record<string, string> = { home: "/" };

for (const [name, address] of Object.entries(pages)) {
  test(name, async ({ page }, info) => {
    await page.goto(address);
    // The page has its fonts and has stopped moving; network idle never comes while a stream is open.
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: `e2e/shots/${name}-${info.project.name}.png`, animations: "disabled" });
  });
}
