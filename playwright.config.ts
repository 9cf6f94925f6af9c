// End-to-end tests drive one product instance of their own: real build, real worker, real Postgres, in a throw-away folder.
import { defineConfig } from "@playwright/test";
import { launchOptions } from "./e2e/browser";

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  globalSetup: "./e2e/global-setup",
  timeout: 60_000,
  // The first request after a start compiles nothing, but two cores share a browser, a server, a worker and a database.
  expect: { timeout: 15_000 },
  // A file stays with one worker: shared out, each part of it made the projects and started the product of the file again.
  fullyParallel: false,
  // One more than processors: a test also waits, for a run, a deadline or a page.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  retries: process.env.CI ? 2 : 0,
  reporter: [["list"]],
  use: {
    viewport: { width: 1440, height: 900 },
    // A trace copies the page at every action and films it, which took more of the processors than the product, and nearly
    // all were thrown away. Where a test is tried again, only that try is traced.
    trace: process.env.CI ? "on-first-retry" : "retain-on-failure",
    launchOptions,
    // Drawing what moves, without a graphics card, took a tenth of the processors. A test of a movement asks for it.
    contextOptions: { reducedMotion: "reduce" },
  },
});
