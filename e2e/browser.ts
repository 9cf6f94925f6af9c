// How every Playwright run here starts its browser.
import type { LaunchOptions } from "@playwright/test";
import { findChromium } from "@/scripts/chromium";

export const launchOptions: LaunchOptions = {
  executablePath: findChromium() ?? undefined,
  args: [
    // Root in a container has no sandbox; software rendering is steadier than a missing GPU.
    "--no-sandbox",
    "--disable-gpu",
    // Each worker has a browser of its own: a process for graphics and one for each page took a fifteenth of the processors.
    "--in-process-gpu",
    "--renderer-process-limit=2",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // A page lives for seconds: optimising its code costs more than that code takes. A tenth less of the processors.
    "--js-flags=--no-opt --no-maglev --single-threaded",
  ],
};
