import { defineConfig } from "@playwright/test";
import { launchOptions } from "./e2e/browser";
export default defineConfig({ testDir: "e2e", timeout: 120000, use: { launchOptions } });
