// `npm run look`: pictures of each page in both themes and at phone width, written to e2e/shots for a person to look at.
import { defineConfig } from "@playwright/test";
import { launchOptions } from "./browser";

const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.look.ts",
  globalSetup: "./global-setup",
  timeout: 60_000,
  workers: 2,
  reporter: [["list"]],
  use: { launchOptions },
  projects: [
    { name: "dark", use: { viewport: desk, colorScheme: "dark" } },
    { name: "light", use: { viewport: desk, colorScheme: "light" } },
    { name: "phone", use: { viewport: phone, colorScheme: "dark", hasTouch: true } },
  ],
});
