// How every Playwright run here starts its browser.
import type { LaunchOptions } from "@playwright/test";
import { findChromium } from "@/scripts/chromium";

export const launchOptions: LaunchOptions = {
  executablePath: findChromium() ?? undefined,
  args: [
    // Root in a container has no sandbox; software rendering is steadier than a missing GPU.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};
