// The browser of the end-to-end tests: one that is already here, else Playwright's own. Debian's headless shell comes first: it is
// the same engine without a window around it, as Playwright's own default is, and takes two thirds of the processor time.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { chromium } from "@playwright/test";

const places = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Null when there is none. */
export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (fs.existsSync(given)) return given;
    throw new Error(`CHROMIUM_PATH=${given}: file not found. Correct it, or unset it.`);
  }
  return [...places, chromium.executablePath()].find((place) => fs.existsSync(place)) ?? null;
}

/** Downloads Playwright's Chromium when the machine has no browser. */
export function ensureChromium(say: (line: string) => void): string {
  const found = findChromium();
  if (found) return found;
  say("No Chromium or Chrome found; downloading Playwright's (npx playwright install chromium)");
  try {
    execFileSync("npx", ["playwright", "install", "chromium"], { stdio: "inherit" });
  } catch {
    throw new Error("The browser could not be downloaded. Install Chromium or Chrome, or set CHROMIUM_PATH to one.");
  }
  return chromium.executablePath();
}
